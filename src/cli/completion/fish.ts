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
    `complete -c notewright -n '__fish_seen_subcommand_from ${command}' -l ${name}`,
    ...(short ? [`-s ${short}`] : []),
    ...(takes ? [offered(offer)] : []),
    `-d ${text(help)}`,
  ].join(" ");

const forCommand = ({ name, summary, flags, offer }: OfferedCommand): string[] => [
  `complete -c notewright -n __fish_use_subcommand -a ${name} -d ${text(summary)}`,
  ...(offer === null
    ? []
    : [`complete -c notewright -n '__fish_seen_subcommand_from ${name}' ${offered(offer)}`]),
  ...flags.map((flag) => flagLine(name, flag)),
];

export const fishScript = (commands: readonly OfferedCommand[]): string =>
  `# notewright completion fish\n${["complete -c notewright -f", ...commands.flatMap(forCommand)].join("\n")}\n`;
