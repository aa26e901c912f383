/** What can be done, in one table: its words for Ctrl-K and the page Help, and the single key that does it. A screen says how it does what is its own. */

import { useLayoutEffect } from "preact/hooks";
import { useApp, type App } from "./app.ts";

/** `words` for Ctrl-K; `key` where one key does it, and then `does` for the page Help. */
type Row = { words: string; key?: string; does?: string; anywhere?: (app: App) => void };

const going = (address: string) => (app: App) => app.go(address);

/** Acts of the screen that is shown come first. */
const TABLE = {
  edit: { words: "Edit this note", key: "e", does: "on a note: edit it" },
  history: { words: "History of this note", key: "h", does: "on a note: its history" },
  links: { words: "Links of this note", key: "l", does: "on a note: its links" },
  obsidian: { words: "Open in Obsidian" },
  restore: { words: "Restore this version" },
  older: { words: "Older version", key: "[", does: "in a history: the older version" },
  newer: { words: "Newer version", key: "]", does: "in a history: the newer version" },
  undo: { words: "Undo this change", key: "u", does: "on a change: undo it" },
  undoAll: { words: "Undo all since this change" },
  next: { words: "Mark the next note", key: "j", does: "on a proposal: mark the next note" },
  before: { words: "Mark the note before", key: "k", does: "on a proposal: mark the note before" },
  accept: { words: "Accept the marked note", key: "a", does: "on a proposal: accept the marked note" },
  decline: { words: "Decline the marked note", key: "d", does: "on a proposal: decline it" },
  changes: { words: "What changed", key: "g", does: "what changed", anywhere: going("#/") },
  search: { words: "Search", key: "/", does: "search", anywhere: (app) => toSearch(app) },
  new: { words: "New note", key: "n", does: "new note", anywhere: going("#/new/") },
  activity: { words: "Activity", anywhere: going("#/activity") },
  check: { words: "Check the vault", anywhere: going("#/check") },
  who: { words: "Who has access", anywhere: going("#/who") },
  help: { words: "Help and keys", key: "?", does: "this page", anywhere: going("#/help") },
  leave: { words: "Close my notes in this browser", anywhere: (app) => void app.server.leave() },
} satisfies Record<string, Row>;

export type Act = keyof typeof TABLE;
/** What a screen does; null for what cannot be done now. */
export type Acts = Partial<Record<Act, (() => unknown) | null>>;

const ROWS = Object.entries(TABLE) as [Act, Row][];

const toSearch = (app: App): void => {
  const search = document.getElementById("search");
  if (search) search.focus();
  else app.go("#/");
};

const doing = (app: App, name: Act, { anywhere }: Row): (() => unknown) | null => {
  const own = app.acts.findLast((acts) => name in acts)?.[name];
  return own ?? (anywhere ? () => anywhere(app) : null);
};

/** What a key does on the screen that is shown. */
export const actOf = (app: App, key: string): (() => unknown) | null => {
  const row = ROWS.find(([, one]) => one.key === key);
  return row ? doing(app, ...row) : null;
};

export type Command = { words: string; run(): unknown };

/** Everything that can be done now. */
export const commands = (app: App): Command[] =>
  ROWS.flatMap(([name, row]) => {
    const run = doing(app, name, row);
    return run ? [{ words: row.words, run }] : [];
  });

/** Keys, and what they do. */
export const KEYS: readonly [key: string, does: string][] = ROWS.flatMap(([, { key, does }]) =>
  key && does ? [[key, does]] : [],
);

/** What the screen that calls it can do, while it is shown. */
export const useActs = (acts: Acts): void => {
  const app = useApp();
  // Before the next key.
  useLayoutEffect(() => {
    app.acts.push(acts);
    return () => void app.acts.splice(app.acts.indexOf(acts), 1);
  });
};
