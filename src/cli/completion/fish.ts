/** The completion script of fish. */

import type { Offer, OfferedCommand, OfferedFlag } from "./offers.ts";

const text = (words: string): string => `'${words.replace(/[\\']/g, "\\$&")}'`;

const offered = (offer: Offer): string => {
  if (offer === null) return "-x";
  if (offer === "folders") return "-x -a '(__fish_complete_directories)'";
  return offer === "files" ? "-r -F" : `-x -a ${text(offer.join(" "))}`;
};

const flagLine = (command: string, { name, short, help, takes, offer }: OfferedFlag): string =>
  [
    `complete -c notewright -n '__notewright_does ${command}' -l ${name}`,
    ...(short ? [`-s ${short}`] : []),
    ...(takes ? [offered(offer)] : []),
    `-d ${text(help)}`,
  ].join(" ");

const forCommand = ({ name, summary, flags, offer }: OfferedCommand): string[] => [
  `complete -c notewright -n __fish_use_subcommand -a ${name} -d ${text(summary)}`,
  ...(offer === null ? [] : [`complete -c notewright -n '__notewright_does ${name}' ${offered(offer)}`]),
  ...flags.map((flag) => flagLine(name, flag)),
];

/** The first word is the command, whatever words follow it. */
const DOES = `function __notewright_does
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test $words[2] = $argv[1]
end`;

export const fishScript = (commands: readonly OfferedCommand[]): string =>
  `${[
    "# notewright completion fish",
    DOES,
    "complete -c notewright -f",
    ...["help", "version"].map((flag) => `complete -c notewright -n __fish_use_subcommand -l ${flag}`),
    ...commands.flatMap(forCommand),
  ].join("\n")}\n`;
