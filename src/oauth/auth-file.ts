/** The file of the authorization server, `auth.db` in the user's state folder: mode 0600, made where it is missing (decision 21). On Node. */

import { chmodSync, closeSync, fstatSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { stateFolder } from "../identity/last-use.ts";
import { NoteError } from "../markdown/errors.ts";
import { isBroken, openSql } from "../sqlite/node.ts";
import { openStore, type Store } from "./store.ts";

type Environment = Record<string, string | undefined>;

const OTHERS = 0o077;

/** It is state, and no cache: with it every sign-in would be lost. */
export const authFile = (environment: Environment, home: string): string =>
  join(stateFolder(environment, home), "auth.db");

export const openAuthFile = async (file: string): Promise<Store> => {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  // Made by us first, so that SQLite and the files it makes beside it have the same mode.
  const descriptor = openSync(file, "a", 0o600);
  try {
    const { mode, uid } = fstatSync(descriptor);
    if (process.getuid !== undefined && uid !== process.getuid())
      throw unusable(file, "it belongs to another user");
    if ((mode & OTHERS) !== 0) throw unusable(file, "others may open it; run chmod 600 on it");
  } finally {
    closeSync(descriptor);
  }
  try {
    const sql = await openSql(file);
    // A code that was used stays used, also after a power cut.
    sql.exec("PRAGMA synchronous = FULL");
    return openStore(sql, Date.now);
  } catch (error) {
    if (isBroken(error))
      throw unusable(file, "it is damaged; move it away, then set a passphrase and let apps sign in again");
    throw error;
  }
};

const unusable = (file: string, why: string): NoteError =>
  new NoteError("disk_refused", `The sign-ins in ${file} are not used: ${why}.`, { file });
