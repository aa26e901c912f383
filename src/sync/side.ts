/** Side: one copy of a vault, as far as another is compared and brought together with it; and the side that a notebook is (decision 34). */

import { NoteError } from "../markdown/errors.ts";
import type { Brought, Held, HeldPage, Unread } from "../notebook/copies.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { Version } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";

/** A text that a note has, or had. */
export type Wanted = { path: NotePath; version: Version };

export type Side = {
  /** Every note, in pages. */
  held(): AsyncIterable<HeldPage>;
  /** The bytes of each, in their order; null where neither note nor history has them. */
  read(wanted: readonly Wanted[]): Promise<(Uint8Array | null)[]>;
  /** All of them or none; refused with `version_conflict` where one is not what it was taken for. */
  apply(brought: readonly Brought[], message: string): Promise<void>;
};

/** Notes of one page. */
export const PAGE = 1000;
/** Notes that are read or changed in one call, and bytes of them, unless one alone is longer. */
export const MOST = 64;
export const MOST_BYTES = 1024 * 1024;

/** All that a side holds. */
export type Whole = { notes: Held[]; unread: Unread[]; attachments: number };

export const wholeOf = async (side: Side): Promise<Whole> => {
  const whole: Whole = { notes: [], unread: [], attachments: 0 };
  for await (const { notes, unread, attachments } of side.held()) {
    whole.notes.push(...notes);
    whole.unread.push(...unread);
    whole.attachments = attachments;
  }
  return whole;
};

export const notebookSide = (notebook: Notebook): Side => ({
  async *held() {
    for (let after: string | null = ""; after !== null;) {
      const page: HeldPage = await notebook.held(after, PAGE);
      yield page;
      after = page.next;
    }
  },
  read: async (wanted) => {
    const found: (Uint8Array | null)[] = [];
    for (const one of wanted) found.push(await bytesOf(notebook, one));
    return found;
  },
  async apply(brought, message) {
    await notebook.put(brought, { message });
  },
});

const GONE = new Set(["note_missing", "revision_missing"]);

/** The note as it is, where it is that version; else from the history. */
export const bytesOf = async (notebook: Notebook, { path, version }: Wanted): Promise<Uint8Array | null> => {
  const note = await notebook.read(path).catch(unlessGone);
  if (note?.version === version) return note.bytes;
  const past = await notebook.read(path, { version }).catch(unlessGone);
  return past?.version === version ? past.bytes : null;
};

const unlessGone = (error: unknown): null => {
  if (error instanceof NoteError && GONE.has(error.code)) return null;
  throw error;
};
