/** The completion script of bash, 3.2 and later. */

import type { Offer, OfferedCommand } from "./offers.ts";

const reply = (offer: Offer): string => {
  if (offer === null) return "COMPREPLY=()";
  if (offer === "folders") return 'COMPREPLY=($(compgen -d -- "$cur"))';
  if (offer === "files") return 'COMPREPLY=($(compgen -f -- "$cur"))';
  return `COMPREPLY=($(compgen -W '${offer.join("\n")}' -- "$cur"))`;
};

const forCommand = ({ name, flags, offer }: OfferedCommand): string => {
  const values = flags
    .filter(({ takes }) => takes)
    .map(
      (flag) =>
        `      ${flag.short ? `-${flag.short}|` : ""}--${flag.name}) ${reply(flag.offer)}; return ;;\n`,
    );
  const words = flags.map((flag) => `--${flag.name}`).join("\n");
  return `  ${name})
    case $prev in
${values.join("")}    esac
    case $cur in
      -*) COMPREPLY=($(compgen -W '${words}' -- "$cur")) ;;
      *) ${reply(offer)} ;;
    esac ;;
`;
};

export const bashScript = (commands: readonly OfferedCommand[]): string => `# notewright completion bash
_notewright() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} IFS=$'\\n'
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join("\n")}
--help
--version' -- "$cur"))
    return
  fi
  case \${COMP_WORDS[1]} in
${commands.map(forCommand).join("")}  esac
}
complete -o filenames -F _notewright notewright
`;
