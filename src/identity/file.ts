/** Identities as a file of the user: mode 0600, re-read when it changes, written whole. */

import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { NoteError } from "../markdown/errors.ts";
import { identityFrom, type Identities, type Identity, type IdentityList } from "./identity.ts";
import { equalSecrets } from "./token.ts";

/** A file of identities is a few kilobytes; a larger one is none of ours. */
const SIZE_LIMIT = 4 * 1024 * 1024;
const OTHERS_WRITE = 0o022;

type Environment = Record<string, string | undefined>;

/** `identities.json` in the user's configuration folder. */
export const identitiesFile = (environment: Environment, home: string): string => {
  const base = environment["XDG_CONFIG_HOME"];
  return join(base?.startsWith("/") ? base : join(home, ".config"), "notewright", "identities.json");
};

/** Every identity of the file; none where there is no file. */
export const readIdentities = (file: string): Identity[] => {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw unusableFile(file, `it cannot be opened (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    const { mode, uid, size } = fstatSync(descriptor);
    if (process.getuid !== undefined && uid !== process.getuid())
      throw unusableFile(file, "it belongs to another user");
    if ((mode & OTHERS_WRITE) !== 0) throw unusableFile(file, "others may write it; run chmod 600 on it");
    if (size > SIZE_LIMIT) throw unusableFile(file, "it is too large");
    const value: unknown = JSON.parse(readFileSync(descriptor, "utf8"));
    const list = (value as { identities?: unknown }).identities;
    if (!Array.isArray(list)) throw unusableFile(file, "it holds no list of identities");
    return list.flatMap((entry) => identityFrom(entry) ?? []);
  } catch (error) {
    if (error instanceof NoteError) throw error;
    throw unusableFile(file, "it is not JSON");
  } finally {
    closeSync(descriptor);
  }
};

const unusableFile = (file: string, why: string): NoteError =>
  new NoteError("disk_refused", `The identities in ${file} are not used: ${why}.`, { file });

/** Replaces the file whole: written beside it, flushed, then renamed. The number of a process names nothing: in a container it is always the same. */
const writeIdentities = (file: string, identities: readonly Identity[]): void => {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const beside = `${file}.${randomUUID()}.new`;
  const descriptor = openSync(beside, "wx", 0o600);
  try {
    fchmodSync(descriptor, 0o600);
    writeSync(descriptor, `${JSON.stringify({ identities }, null, 2)}\n`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
};

/** Milliseconds between two tries for the lock, and after which one counts as left behind by a process that died. */
const LOCK_PAUSE = 20;
const LOCK_STALE = 5000;

/** Changes the file by what `edit` makes of its identities; other processes of this user wait meanwhile. */
export const changeIdentities = async (
  file: string,
  edit: (known: readonly Identity[]) => Identity[],
): Promise<void> => {
  const lock = `${file}.lock`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  while (!taken(lock)) {
    const { mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && Date.now() - mtimeMs > LOCK_STALE) rmSync(lock, { force: true });
    await new Promise((resolve) => setTimeout(resolve, LOCK_PAUSE));
  }
  try {
    writeIdentities(file, edit(readIdentities(file)));
  } finally {
    rmSync(lock, { force: true });
  }
};

const taken = (lock: string): boolean => {
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
};

export type IdentitiesFile = Identities & IdentityList & { close(): void };
export type FileOptions = {
  /** Milliseconds between two looks at the file while nobody asks. */
  every?: number;
  /** Is told of each call with a right token. */
  used?(name: string): void;
  report(what: string, error: unknown): void;
};

/** The identities of a file as it is now: one look at its times for each request, so that a removed token is refused with the next. */
export const openIdentitiesFile = (
  file: string,
  { every = 500, used, report }: FileOptions,
): IdentitiesFile => {
  const listeners = new Set<(names: ReadonlySet<string>) => void>();
  let known: Identity[] = [];
  let seen = "none";
  let unusable: unknown = null;

  const look = (): void => {
    const stamp = stampOf(file);
    if (stamp === seen) return;
    let next: Identity[] = [];
    unusable = null;
    try {
      next = readIdentities(file);
    } catch (error) {
      // Nobody is let in by a file that cannot be trusted.
      unusable = error;
      report("The file of identities cannot be used, so nobody is let in until it can.", error);
    }
    const changed = changedNames(known, next);
    [known, seen] = [next, stamp];
    if (changed.size > 0) for (const listener of listeners) listener(changed);
  };
  look();
  const timer = setInterval(look, every);
  timer.unref();

  return {
    async of(token) {
      look();
      const secret = createHash("sha256").update(token).digest("hex");
      let found: Identity | null = null;
      // All of them are compared, whichever it is.
      for (const identity of known)
        if (identity.secret !== null && equalSecrets(identity.secret, secret)) found = identity;
      if (found) used?.(found.name);
      return found;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    list() {
      look();
      if (unusable !== null) throw unusable;
      return known;
    },
    async change(edit) {
      await changeIdentities(file, edit);
      look();
    },
    close: () => clearInterval(timer),
  };
};

const stampOf = (file: string): string => {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : "none";
};

const changedNames = (before: readonly Identity[], after: readonly Identity[]): Set<string> => {
  const now = new Map(after.map((identity) => [identity.name, JSON.stringify(identity)]));
  return new Set(before.filter((old) => now.get(old.name) !== JSON.stringify(old)).map(({ name }) => name));
};
