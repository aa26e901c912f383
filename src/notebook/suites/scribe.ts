/** A scribe for tests of histories: a vault as far as a history sees one, changed by clients, by others, and by chance. */

import { createHash } from "node:crypto";
import type { Change, Who } from "../change.ts";
import type { Note } from "../note.ts";
import type { Draft, History, Ledger, Revision } from "../parts.ts";
import type { NotePath } from "../paths.ts";

type Text = string | Uint8Array;
export const versionOf = (bytes: Uint8Array): string =>
  createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

/** As much of a note as a history looks at. */
export function noteOf(path: string, text: Text, modified = new Date(0)): Note {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return { path: path as NotePath, bytes, version: versionOf(bytes), modified } as Note;
}

export const who = (client: string) => ({ client, surface: "native", tool: "write", connection: "one" });

/** The history, whose ledger gets each revision as it is made; in a vault the index does that. */
export const withLedger = <T extends History>(history: T, ledger: Ledger): T => {
  const recorded = (draft: Draft | null): Draft | null =>
    draft && {
      ...draft,
      async seal() {
        const made = await draft.seal();
        made?.alongside?.();
        if (made) ledger.add(made.revisions, made.parent);
        return made;
      },
    };
  return {
    ...history,
    prepare: async (changes, info) => recorded(await history.prepare(changes, info)),
    prepareOutside: async (seen, how) => recorded(await history.prepareOutside(seen, how)),
  };
};

/** One revision, of notes that are in place. */
export async function record(
  history: History,
  changes: readonly Change[],
  message: string,
  by: Who,
  date: Date,
): Promise<Revision | null> {
  const draft = await history.prepare(changes, { message, who: by, date });
  return (await draft?.seal())?.revisions.at(-1) ?? null;
}

/** What another program did, as one revision; null where the history knew it. */
export async function recordOutside(
  history: History,
  seen: Parameters<History["prepareOutside"]>[0],
  date: Date,
): Promise<Revision | null> {
  const draft = await history.prepareOutside(seen, { date });
  return (await draft?.seal())?.revisions[0] ?? null;
}

/** A vault as far as a history sees one: notes by path, changed by clients through it and by others behind its back. */
export function scribe(history: History) {
  const notes = new Map<string, Note>();
  /** What the history cannot know yet. */
  const unseen = new Set<string>();
  let seconds = 1_700_000_000;
  const later = (): Date => new Date(++seconds * 1000);

  /** What each path becomes, all in one revision; `from` moves. */
  async function change(
    client: string,
    wanted: { path: string; from?: string; text: Text | null }[],
    message = "Change",
  ) {
    const changes = wanted.map(({ path, from, text }): Change => {
      const before = notes.get(from ?? path) ?? null;
      const after = text === null ? null : noteOf(path, text);
      return {
        path: path as NotePath,
        ...(from === undefined ? {} : { from: from as NotePath }),
        before,
        after,
        why: "asked",
      };
    });
    for (const { from, path } of changes) {
      notes.delete(from ?? path);
      for (const name of [path, from ?? path]) unseen.delete(name);
    }
    for (const { path, after } of changes) if (after) notes.set(path, after);
    return record(history, changes, message, who(client), later());
  }

  return {
    notes,
    unseen,
    change,
    later,
    write: (client: string, path: string, text: Text) => change(client, [{ path, text }], `Write ${path}`),
    remove: (client: string, path: string) => change(client, [{ path, text: null }], `Remove ${path}`),
    move: (client: string, from: string, path: string, text?: Text) =>
      change(client, [{ path, from, text: text ?? notes.get(from)!.bytes }], `Move ${path}`),
    /** A person saves, or takes away, a file; nobody hears of it. */
    outside(path: string, text: Text | null) {
      unseen.add(path);
      if (text === null) notes.delete(path);
      else notes.set(path, noteOf(path, text, later()));
    },
  };
}

const NAMES = [
  "a.md",
  "b.md",
  "-rf.md",
  "--output=x.md",
  "ä/ö.md",
  "x/y/z.md",
  "x/y.md",
  "x.md",
  "x/y/z.md/w.md",
  ":(top)q.md",
];

/** One revision of one to three changes, now and then after an edit behind our back. */
export async function randomChange(vault: ReturnType<typeof scribe>, next: (below: number) => number) {
  const blocked = (name: string) =>
    [...vault.notes.keys()].some((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`));
  const free = () => NAMES.filter((name) => !vault.notes.has(name) && !blocked(name));
  const there = () => [...vault.notes.keys()];
  const pick = (names: string[]) => names[next(names.length)];
  if (next(3) === 0) {
    const name = pick([...there(), ...free()])!;
    vault.outside(name, next(4) === 0 ? null : `outside ${next(1000)}\n`);
  }
  const wanted = new Map<string, { path: string; from?: string; text: Text | null }>();
  const used = new Set<string>();
  for (let count = next(3); count >= 0; count--) {
    const [now, to] = [pick(there()), pick(free())];
    const kind = next(4);
    const taken = [...used].some((other) => to?.startsWith(`${other}/`) || other.startsWith(`${to}/`));
    if (kind === 0 && to && !used.has(to) && !taken)
      wanted.set(to, { path: to, text: `new ${next(1000)}\n` });
    else if (now === undefined || used.has(now)) continue;
    else if (kind === 1) wanted.set(now, { path: now, text: null });
    else if (kind === 2 && to && !used.has(to) && !taken)
      wanted.set(to, {
        path: to,
        from: now,
        text: next(2) ? vault.notes.get(now)!.bytes : `moved ${next(1000)}\n`,
      });
    else wanted.set(now, { path: now, text: `edit ${next(1000)}\n` });
    for (const { path, from } of wanted.values()) used.add(path).add(from ?? path);
  }
  return wanted.size === 0 ? null : vault.change("Ada", [...wanted.values()]);
}

/** Numbers that are the same each time, so that a failure can be seen again. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
