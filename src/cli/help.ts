/** What the command line says about itself. */

import type { Flags } from "./settings.ts";

/** How a vault is opened, whichever command opens it. */
export const VAULT_FLAGS: Flags = {
  index: {
    value: "PLACE",
    help: "where the search index is kept: a file, or a folder for several (default: your cache folder)",
  },
  "history-dir": {
    value: "PATH",
    help: "keep the history in this folder outside the vault, for synced vaults (default: .notewright)",
  },
};

export const OUTSIDE_FLAGS: Flags = {
  "outside-author": {
    value: "NAME",
    help: "the author of edits made in other programs (default: someone)",
  },
};

export const SERVE_FLAGS: Flags = {
  tools: { value: "SURFACE", help: "the set of tools to serve: native (default) or another, see below" },
  "read-only": { help: "leave out every tool that writes; nothing at all is written into the vault" },
  ...VAULT_FLAGS,
  durability: {
    value: "HOW",
    choices: ["full", "fast"],
    help: "full (default): a saved note survives a power cut; fast: only a crash",
  },
  "time-zone": {
    value: "ZONE",
    help: "your time zone, such as Europe/Berlin (default: this machine's)",
  },
  author: { value: "NAME", help: "the author that the history names (default: the client's name)" },
  ...OUTSIDE_FLAGS,
  history: {
    value: "HOW",
    choices: ["on", "off"],
    help: "on (default): every change can be looked up and undone; off: nothing is recorded",
  },
  embeddings: {
    value: "URL",
    help: "search by meaning too, with an Ollama or OpenAI-compatible endpoint; your notes are sent there",
  },
  "embeddings-model": {
    value: "NAME",
    help: "the model to use there; the key is read from NOTEWRIGHT_EMBEDDINGS_KEY",
  },
  http: {
    value: "[HOST:]PORT",
    help: "serve over HTTP instead of stdio (HOST: 127.0.0.1), to clients with a token",
  },
  "public-url": {
    value: "URL",
    help: "with --http: what clients call it behind your own TLS, https://notes.example.org",
  },
  oauth: {
    help: "with --http: apps sign in here, with your consent (notewright owner sets a passphrase)",
  },
  "allow-origin": { value: "URL", many: true, help: "with --http: pages of this origin may call, too" },
  "max-sockets": { value: "N", help: "with --http: how many connections at once (default 2000)" },
  log: {
    value: "WHAT",
    choices: ["requests"],
    help: "with --http: one JSON line a request on stderr; no text, no token",
  },
};

export const TOKEN_FLAGS: Flags = {
  rights: {
    value: "RIGHTS",
    choices: ["read", "write", "admin"],
    once: true,
    help: "read, write (notes) or admin (rules, too)",
  },
  vault: { value: "VAULT", once: true, help: "for this vault alone (default: every vault you serve)" },
  folder: {
    value: "FOLDER",
    many: true,
    once: true,
    help: "only this folder of the vault; may be given several times",
  },
  tools: { value: "SURFACE", many: true, once: true, help: "only these tools; may be given several times" },
  json: { once: true, help: "for other programs" },
};

export const OWNER_FLAGS: Flags = {
  code: { once: true, help: "print a one-time code, which signs you in once within ten minutes" },
};

export const FIND_FLAGS: Flags = {
  limit: { value: "N", help: "how many notes at most (default 10)" },
  json: { help: "print one JSON object a line, for other programs" },
  ...VAULT_FLAGS,
};

export const CHECK_FLAGS: Flags = {
  json: { help: "print everything as one JSON object" },
  ...VAULT_FLAGS,
};

export const flagLines = (flags: Flags): string =>
  Object.entries(flags)
    .map(([name, flag]) => `  ${`--${name}${flag.value ? ` ${flag.value}` : ""}`.padEnd(24)}${flag.help}`)
    .join("\n");

export const MAIN_HELP = `Notewright: an MCP server for a folder of plain Markdown notes.

Usage
  notewright serve [VAULT] [--tools SURFACE]   speak MCP over stdin and stdout
  notewright find QUERY [VAULT]                search from the terminal
  notewright check [VAULT]                     broken links, odd files, damage: what needs a person
  notewright history [NOTE] [VAULT]            who changed what, and when
  notewright diff REV [NOTE] [VAULT]           what a change did
  notewright restore NOTE [REV] [VAULT]        a note as it was
  notewright undo REV | --last N [VAULT]       take changes back, keeping what was written since
  notewright token add|list|remove NAME        who may call over HTTP, and what they may do
  notewright owner [--code]                    the passphrase with which you let apps sign in
  notewright COMMAND --help                    all flags of a command
  notewright --version

Examples
  notewright serve ~/Notes
  notewright serve ~/Notes --tools obsidian --read-only
  notewright find 'tag:project "rain garden"' ~/Notes
  claude mcp add notes -- npx -y notewright serve ~/Notes

VAULT is a folder of .md files, such as an Obsidian vault. Without it, NOTEWRIGHT_VAULT is used.
`;

export const serveHelp = (
  surfaces: readonly string[],
): string => `notewright serve [VAULT]: serve a folder of Markdown notes over MCP (stdio).

${flagLines(SERVE_FLAGS)}

SURFACE is one of: ${surfaces.join(", ")}.

Each flag can also be set in the environment (NOTEWRIGHT_TOOLS, NOTEWRIGHT_READ_ONLY …) or in
~/.config/notewright/config.json ({"vault": "~/Notes", "tools": "native"}); a flag wins over both.
Without VAULT, NOTEWRIGHT_VAULT is used. With --tools obsidian, OBSIDIAN_VAULT_PATH comes first; with
--tools notes and neither, notes are kept in memory.

Examples
  notewright serve ~/Notes
  notewright serve ~/Notes --tools obsidian --read-only
  notewright serve --tools notes                 # nothing is kept when it ends
  notewright serve ~/Notes --http 8787           # one server for several clients of this computer
  notewright serve office=~/Office home=~/Notes --http 8787
  notewright serve ~/Notes --http 8787 --oauth --public-url https://notes.example.org
`;

export const TOKEN_HELP = `notewright token: who may call a server over HTTP (notewright serve --http).

  notewright token add NAME --rights RIGHTS    makes a token and shows it this once
  notewright token list                        every identity, and when it last called
  notewright token remove NAME                 its token is refused from the next request on

${flagLines(TOKEN_FLAGS)}

NAME is the author that the history shows. Only the SHA-256 of a token is kept. A caller kept to folders sees and
changes nothing else; links from other notes follow what it moves. Rules it cannot change.

Examples
  notewright token add phone --rights read
  notewright token add laptop --rights write --vault ~/Notes
  notewright token add team --rights write --vault ~/Notes --folder Work/Team
`;

export const OWNER_HELP = `notewright owner: the passphrase with which you sign in where an app asks for access (notewright serve --oauth).

  notewright owner             asks for a new passphrase; or reads its first line from stdin
  notewright owner --code      prints a one-time code, for when you cannot or need not type it

${flagLines(OWNER_FLAGS)}

Only a hash (scrypt) is kept, in your state folder. After a wrong passphrase the next is taken a little
later, by 30 seconds at most; a code works at once.

Examples
  notewright owner
  pass show notewright | notewright owner
`;

export const FIND_HELP = `notewright find QUERY [VAULT]: search the notes of a folder; nothing is written into it.

${flagLines(FIND_FLAGS)}

QUERY is plain words; the best fit comes first. It may also have "phrases", tag:x title:x folder:x path:x
link:x field:x rating>3 created:2026-01..2026-03 modified:>2026-01-01 is:orphan|daily|broken, AND, OR,
NOT or -, and parentheses.

Examples
  notewright find 'compost' ~/Notes
  notewright find 'tag:project -done folder:Work' ~/Notes --json
`;

export const CHECK_HELP = `notewright check [VAULT]: list what in a vault is broken, odd or left over; nothing is written into it.

${flagLines(CHECK_FLAGS)}

It reads every note. The exit code is 1 if something needs a person, else 0. Orphans alone need nobody.

Examples
  notewright check ~/Notes
  notewright check ~/Notes --json | jq '.groups[] | select(.count > 0)'
`;
