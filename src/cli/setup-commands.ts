/** The commands that set this program up: in clients, in shells, and where something does not work (commands.ts). */

import type { Commands } from "./commands.ts";
import { DRY_RUN, VAULT_FLAGS } from "./flags.ts";
import { clientNames } from "./install/clients.ts";
import type { Flags } from "./settings.ts";

const WHICH: Flags = {
  client: { value: "CLIENT", choices: clientNames, once: true, help: `one of: ${clientNames.join(", ")}` },
  vault: { value: "VAULT", once: true, help: "the folder of notes (default: the vault you are in)" },
};
const HOW: Flags = {
  ...DRY_RUN,
  yes: { short: "y", once: true, help: "do not ask" },
};

export const SETUP: Commands = {
  install: {
    usage: "[--client CLIENT] [--vault VAULT]",
    summary: "connect an assistant to your notes",
    flags: {
      ...WHICH,
      tools: { value: "SURFACE", once: true, help: "the set of tools (default: native), as with serve" },
      url: {
        value: "URL",
        once: true,
        help: "connect to a server that runs there (serve --http) instead of starting one",
      },
      ...HOW,
    },
    about: [
      "Without --client it lists the clients that it finds, what each would get, and writes nothing.",
      "It shows what will change in the client's configuration and asks. It changes its own entry alone and keeps a copy of the file beside it; comments, order, indentation and line ends stay. A configuration that it cannot read is left as it is. Claude Code is asked to make the change itself (claude mcp add-json); without its program, .mcp.json of the current folder is written. Flags of serve that you added to the entry stay.",
      "With --url, the token that the server asks for is read from NOTEWRIGHT_TOKEN.",
    ],
    examples: [
      "notewright install --vault ~/Notes",
      "notewright install --client cursor --vault ~/Notes --dry-run",
      "notewright install --client vscode --url http://127.0.0.1:8787/mcp",
    ],
    load: () => import("./install/install.ts"),
  },
  uninstall: {
    usage: "[--client CLIENT] [--vault VAULT | --url URL]",
    summary: "disconnect an assistant again",
    flags: {
      ...WHICH,
      url: {
        value: "URL",
        once: true,
        help: "the address that the client calls, where it is set to several",
      },
      ...HOW,
    },
    about: [
      "Without --client it lists what is connected, and writes nothing. Where nothing else has changed since, the configuration is again what it was, byte for byte. Notes, history and index stay.",
    ],
    examples: [
      "notewright uninstall --client cursor",
      "notewright uninstall --client cursor --url https://notes.example.org/garden/mcp",
    ],
    load: () => import("./install/uninstall.ts"),
  },
  doctor: {
    usage: "[VAULT]",
    summary: "what runs, where things are kept, which setting won, and what is wrong",
    flags: { json: { once: true, help: "print everything as one JSON object" }, ...VAULT_FLAGS },
    about: [
      "It writes nothing, and prints no token and no text of a note. The exit code is 1 if something needs a person, else 0. notewright check looks at the notes themselves.",
    ],
    examples: ["notewright doctor ~/Notes", "notewright doctor --json | jq '.findings[] | select(.wrong)'"],
    load: () => import("./doctor/doctor.ts"),
  },
  completion: {
    usage: "bash|zsh|fish",
    summary: "print the completion script of a shell",
    flags: {},
    about: ["It offers commands, flags, their values and folders. Print it again after an update."],
    examples: [
      'eval "$(notewright completion bash)"  # in ~/.bashrc',
      "notewright completion zsh > ~/.zfunc/_notewright  # a folder of your fpath",
      "notewright completion fish > ~/.config/fish/completions/notewright.fish",
    ],
    load: () => import("./completion/completion.ts"),
  },
};
