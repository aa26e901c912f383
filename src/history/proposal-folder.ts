/** Proposals in `.notewright/proposals`: one file each, named by its id and state, and the lines of those that were declined (decision 24). */

import type { Disk } from "../disk/files.ts";
import { makeOwnFolder, newName } from "../disk/home.ts";
import {
  headOf,
  nameOfProposal,
  PROPOSAL_NAME,
  type Proposal,
  type ProposalHead,
  type SettledLine,
} from "../notebook/proposals/proposal.ts";
import { LINES_KEPT, TOTAL_BYTES, type ProposalShelf } from "../notebook/proposals/shelf.ts";
import { attempt } from "../notebook/system-errors.ts";
import { HOME } from "../notebook/vault-path.ts";
import { decoded, encoded } from "./bytes.ts";
import { ifOurs } from "./loose.ts";
import { decodeLine, decodeProposal, encodeLine, encodeProposal, FILE_LIMIT } from "./proposal-record.ts";

const FOLDER = `${HOME}/proposals`;
const LINES = `${FOLDER}/settled`;
const LINES_LIMIT = 1024 * 1024;
/** Files that are looked at: whoever plants more hides nothing but what they planted. */
const FILES_LIMIT = 5000;
/** How often the folder is looked at while somebody listens: another process may write there. */
const LOOK_MS = 1000;

/** `refused` puts what the disk says into words. Whoever writes holds the vault's lock. */
export function openProposalFolder(
  disk: Disk,
  { durable, refused }: { durable: boolean; refused<T>(work: () => T): T },
): ProposalShelf {
  const whole = (name: string): Proposal | null => {
    const [, id, state] = PROPOSAL_NAME.exec(name) ?? [];
    const bytes = id === undefined ? null : ifOurs(() => disk.read(`${FOLDER}/${name}`, FILE_LIMIT)?.bytes);
    return bytes ? decodeProposal(bytes, id!, state!) : null;
  };
  const read = openReading(disk, whole);
  const all = (): readonly ProposalHead[] => read().open;
  const { listen, changed } = listening(all);
  const remove = (names: readonly string[]): void => {
    for (const name of withReplaced(names, read().found))
      if (PROPOSAL_NAME.test(name)) disk.unlink(`${FOLDER}/${name}`);
  };
  return {
    limit: TOTAL_BYTES,
    all: () => refused(all),
    whole: (name) => refused(() => whole(name)),
    put(proposal) {
      refused(() => {
        write(disk, `${FOLDER}/${nameOfProposal(proposal)}`, encodeProposal(proposal), durable);
        // What is in its place does not count any more; it is only in the way.
        attempt(() => remove(proposal.replaces));
        changed();
      });
    },
    drop(names) {
      refused(() => {
        remove(names);
        if (durable) disk.sync(FOLDER);
        changed();
      });
    },
    lines: () => refused(() => readLines(disk).toReversed()),
    addLine(line) {
      refused(() => {
        const lines = [...readLines(disk), line].slice(-LINES_KEPT);
        write(disk, LINES, encoded(lines.map((each) => `${encodeLine(each)}\n`).join("")), durable);
      });
    },
    listen,
  };
}

/** What lies in the folder, and what of it counts. */
type Read = { found: readonly ProposalHead[]; open: readonly ProposalHead[] };

/** The lists are the same until a file came or went. Each file is read once for them: its name changes with what it holds. */
function openReading(disk: Disk, whole: (name: string) => Proposal | null): () => Read {
  let known: (Read & { names: string; files: Map<string, ProposalHead | null> }) | null = null;
  const read = (name: string): ProposalHead | null => {
    const proposal = whole(name);
    return proposal && headOf(proposal);
  };
  return () => {
    const names = (ifOurs(() => disk.allNames(FOLDER)) ?? [])
      .filter((name) => PROPOSAL_NAME.test(name))
      .toSorted()
      .slice(0, FILES_LIMIT);
    const key = names.join("\n");
    if (known?.names === key) return known;
    const files = new Map<string, ProposalHead | null>();
    let room = TOTAL_BYTES;
    // A small file may unfold to much.
    for (const name of names) {
      const proposal = known?.files.get(name) ?? read(name);
      if (proposal && (room -= proposal.bytes) < 0) break;
      files.set(name, proposal);
    }
    const found = [...files.values()].filter((proposal) => proposal !== null);
    return (known = { names: key, files, found, open: standing(found) });
  };
}

/** Without those in whose place another has come. */
const standing = (found: readonly ProposalHead[]): ProposalHead[] => {
  const replaced = new Set(found.flatMap((proposal) => proposal.replaces));
  return found.filter((proposal) => !replaced.has(nameOfProposal(proposal)));
};

/** What they replaced, and may be there still, comes before them: for as long as it is there, so is what says that it does not count. */
function withReplaced(names: readonly string[], found: readonly ProposalHead[]): string[] {
  const replaced = new Map(found.map((proposal) => [nameOfProposal(proposal), proposal.replaces]));
  const all = new Set(names);
  // The set grows while it is walked.
  for (const name of all) for (const earlier of replaced.get(name) ?? []) all.add(earlier);
  return [...all].toReversed();
}

/** Listeners hear of what is put here at once, and of what others put when the folder is looked at. */
function listening(all: () => readonly ProposalHead[]): { listen: ProposalShelf["listen"]; changed(): void } {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | null = null;
  let heard: readonly ProposalHead[] | null = null;
  const changed = (): void => {
    if (listeners.size === 0) return;
    heard = all();
    for (const listener of listeners) listener();
  };
  return {
    changed,
    listen(listener) {
      if (timer === null) {
        heard = all();
        timer = setInterval(() => attempt(() => heard !== all() && changed()), LOOK_MS).unref();
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
}

/** Whole or not at all, also across a crash. */
function write(disk: Disk, path: string, bytes: Uint8Array, durable: boolean): void {
  makeOwnFolder(disk, FOLDER, { durable });
  clearTemps(disk);
  const temporary = `${FOLDER}/${newName(disk, "new")}.tmp`;
  disk.create(temporary, bytes, { mode: "own", durable });
  try {
    disk.rename(temporary, path);
  } catch (error) {
    attempt(() => disk.unlink(temporary));
    throw error;
  }
  if (durable) disk.sync(FOLDER);
}

/** What a writer that died left behind. */
function clearTemps(disk: Disk): void {
  for (const name of disk.allNames(FOLDER) ?? [])
    if (name.endsWith(".tmp")) attempt(() => disk.unlink(`${FOLDER}/${name}`));
}

/** Oldest first; whatever is no line of ours is passed over. */
function readLines(disk: Disk): SettledLine[] {
  const bytes = ifOurs(() => disk.read(LINES, LINES_LIMIT)?.bytes);
  return (bytes ? decoded(bytes).split("\n") : []).flatMap((text) => decodeLine(text) ?? []);
}
