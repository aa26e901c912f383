/** The first recording: whatever the store holds and the history does not, as one revision. It reads beside the lock, and takes it for the last step. */

import { attempt, diskError } from "../notebook/system-errors.ts";
import type { Content, Ledger, Made, NoteStore, Revision } from "../notebook/parts.ts";
import type { FilePath } from "../notebook/paths.ts";
import { findUnrecorded, readable, type Found } from "./catch-up.ts";
import type { Head } from "./commits.ts";
import { draftOutside, type States } from "./drafts.ts";
import { tellLedger } from "./follow.ts";
import type { Keeping } from "./keeping.ts";
import type { Recorder } from "./recorder.ts";
import type { Trees } from "./trees.ts";

/** The date of a revision is that of its newest file, unless it is to be that of the recording. */
type Dated = { date: Date; dated?: "when recorded" };
type Seen = { path: FilePath; after: Content | null };

export type FirstRecording = {
  /** Null where every note has been recorded once already, or none is new. Takes the lock itself. */
  record(store: NoteStore, date: Date, signal?: AbortSignal): Promise<Revision | null>;
  /** Does so inside the lock, for a history that was taken away: the change that is about to be made comes on top of all that was there before it. */
  recordAnew(notes: NoteStore, date: Date, signal: AbortSignal): Promise<void>;
  /** Gives the notes that are to be recorded now. A note that a first recording will come to is left to it; recorded one by one they would be too many files. */
  due(seen: readonly Seen[]): Promise<Seen[]>;
};

export type FirstRecordingParts = {
  keeping: Keeping;
  trees: Trees;
  recorder: Recorder;
  ledger: Ledger;
  /** The ledger, at the head. */
  known(): Promise<Ledger>;
  outsideAuthor: string;
};

export function openFirstRecording(parts: FirstRecordingParts): FirstRecording {
  const { keeping, trees, recorder, ledger, known, outsideAuthor } = parts;
  /** Once it was, what fails now is missing for a moment only, and the rest goes on. */
  let wasWhole = false;
  /** Notes seen while a first recording reads the others: it may have read them too early. */
  const seenLate = new Set<FilePath>();

  async function commit(states: States, found: Found, info: Dated): Promise<Made | null> {
    const count = states.after.size;
    if (count === 0) return null;
    const message = `Record ${count === 1 ? "a note" : `${count} notes`} as found`;
    const draft = draftOutside(states, { ...info, outsideAuthor, message });
    return recorder.commit(
      [states === found ? { ...draft, tree: found.tree } : draft],
      info.date,
      found.inPack,
    );
  }

  /** What was recorded since the reading began is newer than what was read; what was only seen since is read again. */
  async function stillMissing(found: Found, start: Head, head: Head, store: NoteStore): Promise<States> {
    if (head.id === start.id && seenLate.size === 0) return found;
    const since = head.id === start.id ? new Set<string>() : (await known()).touchedSince(start.id);
    const after = new Map<string, Content | null>(found.after);
    for (const path of seenLate) {
      const content = await readable(store, path);
      if (content === undefined) after.delete(path);
      else after.set(path, content);
    }
    const states: States = { before: new Map(), after: new Map() };
    for (const [path, content] of after) {
      const version = await trees.version(head.tree, path);
      if (since.has(path) || version === (content?.version ?? null)) continue;
      states.before.set(path, version);
      states.after.set(path, content);
    }
    return states;
  }

  async function recordedBefore(path: string): Promise<boolean> {
    try {
      return (await trees.version((await keeping.head()).tree, path)) !== null;
    } catch {
      return true;
    }
  }

  return {
    async record(store, date, signal) {
      if ((await known()).whole()) return null;
      await store.alone(recorder.ready);
      seenLate.clear();
      const start = await keeping.head();
      const found = await findUnrecorded(keeping, trees, start.tree, store, signal);
      const done = await store.background(async () => {
        const states = await stillMissing(found, start, await keeping.head(), store);
        return { made: await commit(states, found, { date, dated: "when recorded" }) };
      });
      if (done === null) throw diskError("ENOENT", "The vault or our folder in it is gone.");
      if (done.made) tellLedger(ledger, done.made);
      await known();
      ledger.setWhole(true);
      return done.made?.revisions[0] ?? null;
    },
    async recordAnew(notes, date, signal) {
      await recorder.ready();
      // Another process may have begun it anew already.
      if ((await known()).whole()) return;
      const { tree } = await keeping.head();
      const found = await findUnrecorded(keeping, trees, tree, notes, signal);
      const made = await commit(found, found, { date });
      if (made) tellLedger(ledger, made);
      await known();
      ledger.setWhole(true);
    },
    async due(seen) {
      let whole = true;
      attempt(() => (whole = wasWhole ||= ledger.whole()));
      const due: Seen[] = [];
      for (const note of seen) {
        if (whole || (await recordedBefore(note.path))) due.push(note);
        else seenLate.add(note.path);
      }
      return due;
    },
  };
}
