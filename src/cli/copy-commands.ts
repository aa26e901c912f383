/** The commands that keep a vault together with a copy elsewhere, and put up a place for it (commands.ts). */

import type { Commands } from "./commands.ts";
import { DRY_RUN, JSON_LINES, VAULT_FLAGS } from "./flags.ts";
import type { Flags } from "./settings.ts";

const CARRYING: Flags = {
  ...DRY_RUN,
  yes: { short: "y", once: true, help: "remove more than 20 notes, or more than a tenth, without asking" },
  "token-file": {
    value: "FILE",
    once: true,
    help: "the file of mode 0600 that holds the token (default: NOTEWRIGHT_TOKEN in the environment)",
  },
  ...JSON_LINES,
  ...VAULT_FLAGS,
};

const ABOUT = [
  "Notes are compared by their content with what both sides last agreed on, which is remembered in your state folder. Where both changed a note, the changes are put together line by line; where they overlap, the text that comes is kept beside the note as a conflict copy. A note that is missing on one side counts as removed only if both had it, and is kept if the other side changed it since. What is removed goes to the trash.",
  "URL is that of a vault served with notewright serve --http, or of a workspace at the edge. The token must have admin rights over all of it. Killed at any point, it can be run again.",
];

export const COPIES: Commands = {
  push: {
    usage: "[VAULT] URL",
    summary: "bring what changed in a vault to its copy on a server",
    flags: CARRYING,
    about: ABOUT,
    examples: [
      "notewright push ~/Notes https://notes.example.org/garden --dry-run",
      "notewright push ~/Notes https://notes.example.org/garden",
    ],
    load: () => import("./push.ts"),
  },
  pull: {
    usage: "[VAULT] URL",
    summary: "bring what changed in the copy on a server into a vault",
    flags: CARRYING,
    about: ABOUT,
    examples: ["notewright pull ~/Notes https://notes.example.org/garden"],
    load: () => import("./pull.ts"),
  },
  deploy: {
    usage: "[FOLDER]",
    summary: "write what Cloudflare needs to run your own server at the edge",
    flags: {},
    about: [
      "It writes the built Worker, the page and their settings, wrangler.jsonc, into FOLDER (default: notewright-edge), and prints the commands that put it up: a bucket, the owner's secret, and the deployment. It starts nothing, calls nobody and holds no key. Run again after an update, it renews Worker and page and leaves your settings as they are; npx wrangler deploy then puts that up. docs/EDGE.md says what it costs and what differs.",
    ],
    examples: ["notewright deploy ~/notewright-edge"],
    load: () => import("./deploy.ts"),
  },
};
