/** Handing out a note: what another program wrote into it is recorded first, so that the history can give the same text again for the version that was given out (decision 18). */

import type { Who } from "./change.ts";
import type { Note } from "./note.ts";
import type { OutsideEdits } from "./outside.ts";
import type { Parts } from "./parts.ts";
import type { NotePath } from "./paths.ts";
import { load } from "./load.ts";
import { refreshPaths } from "./refresh.ts";
import { isUnread } from "./stamp.ts";
import { inTime } from "./waiting.ts";

/** A note may be saved again while it is being recorded; then it is read again, this often. */
const ATTEMPTS = 3;
/** A reader waits no longer for the lock than this. What is not recorded by then is recorded as soon as the lock is free. */
const WAIT_MS = 250;
/** Whoever asks for the whole past waits until it is plain what was moved and what was deleted. */
const STILL_MS = 3000;

/** Costs one question to the index unless something is pending for this very note. */
export async function handOut(
  parts: Parts,
  outside: OutsideEdits,
  who: Who,
  path: NotePath,
  how: Parameters<typeof load>[2],
): Promise<Note | null> {
  for (let attempt = 1; ; attempt++) {
    const note = await load(parts, path, how);
    if (!note) {
      // It may have been moved a moment ago.
      if (outside.isPending(path, { indexed: true })) await soon(who, outside.flush(path));
      return null;
    }
    // The store failed when the index wanted to know it. Now it can be read.
    if (isUnread(parts.index.stamp(note.path))) await soon(who, refreshPaths(parts, outside, [note.path]));
    const indexed = parts.index.version(note.path) === note.version;
    const waits = !parts.readOnly && parts.index.complete() && outside.isPending(note.path, { indexed });
    if (!waits || attempt === ATTEMPTS) return note;
    if ((await soon(who, recordSeen(parts, outside, note))) !== "changed") return note;
  }
}

/** Records what is pending before the past is read: for one note where one is asked for, else for all, once no more of them come and go. */
export async function flushPending(outside: OutsideEdits, who: Who, path?: NotePath): Promise<void> {
  if (path === undefined) await soon(who, outside.flush("all"), STILL_MS);
  else if (outside.isPending(path, { indexed: true })) await soon(who, outside.flush(path));
}

const recordSeen = (
  parts: Parts,
  outside: OutsideEdits,
  note: Note,
): Promise<"changed" | "recorded" | null> =>
  parts.store.background(async () => {
    if ((await parts.store.read(note.path))?.version !== note.version) return "changed";
    await outside.record([{ path: note.path, after: note }]);
    return "recorded";
  });

/** What the work gives, unless that takes too long or fails: whoever reads is not to suffer from it. */
async function soon<T>(who: Who, work: Promise<T>, within = WAIT_MS): Promise<T | undefined> {
  let given: T | undefined;
  const quiet = work.then(
    (value) => void (given = value),
    () => undefined,
  );
  await inTime(who, within, quiet);
  return given;
}
