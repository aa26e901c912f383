/** The commands with which the owner reviews what clients propose (commands.ts). */

import type { Commands } from "./commands.ts";
import { DRY_RUN, JSON_LINES, OUTSIDE_FLAGS, VAULT_FLAGS, VAULT_WORDS, ZONE_FLAGS } from "./flags.ts";
import type { Flags } from "./settings.ts";

const ONLY: Flags = {
  note: {
    value: "NOTE",
    once: true,
    many: true,
    help: "only this note of it; the others stay open (may be given several times)",
  },
};

const IDS =
  "ID is what notewright proposals prints. Its end is another once the proposal has grown: then nothing is done, and you look at it again.";
const NO_SHELL =
  "Clients propose where they are served with --review, or have a token with --rights propose. That guards calls of tools, not a client that has a shell of its own.";

export const REVIEW: Commands = {
  proposals: {
    usage: "[ID] [VAULT]",
    summary: "what clients propose, and wait for you to accept",
    flags: {
      closed: { once: true, help: "list those that were declined, expired or taken back instead" },
      ...JSON_LINES,
      ...ZONE_FLAGS,
      ...VAULT_FLAGS,
    },
    about: [
      "Nothing is written. With ID: what accepting it would do to the notes as they are now.",
      NO_SHELL,
      VAULT_WORDS,
    ],
    examples: ["notewright proposals ~/Notes", "notewright proposals 3f2a91c4 ~/Notes"],
    load: () => import("./proposals.ts"),
  },
  accept: {
    usage: "ID [VAULT]",
    summary: "write what a client proposed",
    flags: { ...ONLY, ...DRY_RUN, ...OUTSIDE_FLAGS, ...VAULT_FLAGS },
    about: [
      "It is merged with what was written since, as one change of whoever proposed it, which can be undone. Where both changed the same lines nothing is written: the notes are named, and --note takes the others.",
      IDS,
      VAULT_WORDS,
    ],
    examples: [
      "notewright accept 3f2a91c4-9be01c77ab ~/Notes",
      "notewright accept 3f2a91c4-9be01c77ab --note Garden/Plan ~/Notes",
    ],
    load: () => import("./accept.ts"),
  },
  decline: {
    usage: "ID [VAULT]",
    summary: "drop what a client proposed",
    flags: { ...ONLY, ...OUTSIDE_FLAGS, ...VAULT_FLAGS },
    about: [
      "Its text is gone; a line stays that says who proposed it and when (notewright proposals --closed).",
      IDS,
      VAULT_WORDS,
    ],
    examples: ["notewright decline 3f2a91c4-9be01c77ab ~/Notes"],
    load: () => import("./decline.ts"),
  },
};
