/** The completion script of zsh. */

import type { Offer, OfferedCommand, OfferedFlag } from "./offers.ts";

/** Inside single quotes; brackets and colons mean something to `_arguments`. */
const text = (words: string): string => words.replace(/[[\]:\\]/g, "\\$&").replaceAll("'", "'\\''");

const action = (offer: Offer): string => {
  if (offer === null) return " ";
  if (offer === "folders") return "_files -/";
  return offer === "files" ? "_files" : `(${offer.join(" ")})`;
};

const flagSpec = ({ name, short, help, takes, offer }: OfferedFlag): string => {
  const value = takes ? `:value:${action(offer)}` : "";
  const long = `'--${name}${takes ? "=" : ""}[${text(help)}]${value}'`;
  return short ? `${long} '-${short}[${text(help)}]${value}'` : long;
};

const forCommand = ({ name, flags, offer }: OfferedCommand): string =>
  `    ${name}) _arguments -S ${[...flags.map(flagSpec), `'*:argument:${action(offer)}'`].join(" \\\n      ")} ;;\n`;

export const zshScript = (commands: readonly OfferedCommand[]): string => `#compdef notewright
# notewright completion zsh
_notewright() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    '${name}:${text(summary)}'\n`).join("")}  )
  if (( CURRENT == 2 )); then
    if [[ $PREFIX = -* ]]; then compadd -- --help --version; else _describe command commands; fi
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(forCommand).join("")}  esac
}
if [ "$funcstack[1]" = _notewright ]; then _notewright "$@"; else compdef _notewright notewright; fi
`;
