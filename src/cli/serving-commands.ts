/** The commands that serve notes to other programs, and say who may call (commands.ts). */

import { surfaceNames } from "../surfaces/all.ts";
import type { Commands } from "./commands.ts";
import { LOCALE_FLAGS, OUTSIDE_FLAGS, VAULT_FLAGS, ZONE_FLAGS } from "./flags.ts";
import type { Flags } from "./settings.ts";

export const SERVE_FLAGS: Flags = {
  tools: { value: "SURFACE", help: "the set of tools to serve: native (default) or another, see below" },
  review: { help: "what the client changes waits until you accept it: notewright proposals" },
  "read-only": { help: "leave out every tool that writes; nothing at all is written into the vault" },
  ...VAULT_FLAGS,
  durability: {
    value: "HOW",
    choices: ["full", "fast"],
    help: "full (default): a saved note survives a power cut; fast: only a crash",
  },
  ...ZONE_FLAGS,
  ...LOCALE_FLAGS,
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
  oauth: { help: "with --http: apps sign in here, with your consent (notewright owner sets a passphrase)" },
  "allow-origin": { value: "URL", many: true, help: "with --http: pages of this origin may call, too" },
  "max-sockets": { value: "N", help: "with --http: how many connections at once (default 2000)" },
  log: {
    value: "WHAT",
    choices: ["requests"],
    help: "with --http: one JSON line a request on stderr; no text, no token",
  },
};

/** The flags of `serve` that a page can have, too. */
const { tools: _tools, oauth: _oauth, "public-url": _url, "allow-origin": _origin, ...SHARED } = SERVE_FLAGS;
const OPEN_FLAGS: Flags = {
  ...SHARED,
  http: { value: "[HOST:]PORT", help: "where to serve the page (default: 127.0.0.1:8790, or any free port)" },
  "no-browser": { once: true, help: "print the address instead of opening it" },
};

const TOKEN_FLAGS: Flags = {
  rights: {
    value: "RIGHTS",
    choices: ["read", "propose", "write", "admin"],
    once: true,
    help: "read, propose (you accept what it writes), write (notes) or admin (rules, too)",
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

export const SERVING: Commands = {
  serve: {
    usage: "[VAULT]",
    summary: "serve a folder of Markdown notes over MCP, on stdin and stdout",
    flags: SERVE_FLAGS,
    about: [
      `SURFACE is one of: ${surfaceNames.join(", ")}.`,
      'Each flag can also be set in the environment (NOTEWRIGHT_TOOLS, NOTEWRIGHT_READ_ONLY …) or in ~/.config/notewright/config.json ({"vault": "~/Notes", "tools": "native"}); a flag wins over both.',
      "Without VAULT, NOTEWRIGHT_VAULT is used, or the vault of your settings file, or the one around the current folder. With --tools obsidian, OBSIDIAN_VAULT_PATH comes first; with --tools notes and neither, notes are kept in memory.",
    ],
    examples: [
      "notewright serve ~/Notes",
      "notewright serve ~/Notes --tools obsidian --read-only",
      "notewright serve ~/Notes --review",
      "notewright serve --tools notes  # nothing is kept when it ends",
      "notewright serve ~/Notes --http 8787  # one server for several clients of this computer",
      "notewright serve office=~/Office home=~/Notes --http 8787",
      "notewright serve ~/Notes --http 8787 --oauth --public-url https://notes.example.org",
    ],
    load: () => import("./serve.ts"),
  },
  open: {
    usage: "[VAULT]",
    summary: "your notes as a page in the browser: what assistants did, undo, search, read and write",
    flags: OPEN_FLAGS,
    about: [
      "A server that serves the vault already (notewright serve --http) is used; else one is started on this computer alone, and runs until Ctrl-C. The browser is handed a file of mode 0600 with a key that works once within a minute.",
    ],
    examples: [
      "notewright open ~/Notes",
      "notewright open ~/Notes --no-browser  # prints the address instead",
    ],
    load: () => import("./open.ts"),
  },
  token: {
    usage: "add|list|remove [NAME]",
    summary: "who may call over HTTP, and what they may do",
    forms: [
      ["add NAME --rights RIGHTS", "makes a token and shows it this once"],
      ["list", "every identity, and when it last called"],
      ["remove NAME", "its token is refused from the next request on"],
    ],
    flags: TOKEN_FLAGS,
    about: [
      "NAME is the author that the history shows. Only the SHA-256 of a token is kept. A caller kept to folders sees and changes nothing else; links from other notes follow what it moves. Rules it cannot change.",
    ],
    examples: [
      "notewright token add phone --rights read",
      "notewright token add helper --rights propose  # see notewright proposals",
      "notewright token add laptop --rights write --vault ~/Notes",
      "notewright token add team --rights write --vault ~/Notes --folder Work/Team",
    ],
    load: () => import("./token.ts"),
  },
  owner: {
    usage: "",
    summary: "the passphrase with which you let apps sign in",
    forms: [
      ["", "asks for a new passphrase; or reads its first line from stdin"],
      ["--code", "prints a one-time code, for when you cannot or need not type it"],
    ],
    flags: {
      code: { once: true, help: "print a one-time code, which signs you in once within ten minutes" },
    },
    about: [
      "You sign in with it where an app asks for access (notewright serve --oauth). Only a hash (scrypt) is kept, in your state folder. After a wrong passphrase the next is taken a little later, by 30 seconds at most; a code works at once.",
    ],
    examples: ["notewright owner", "pass show notewright | notewright owner"],
    load: () => import("./owner.ts"),
  },
};
