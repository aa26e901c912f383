/** A hot rollback journal that names a super-journal: SQLite plays it back, and then deletes the file of that name. */

import { statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";

const MAGIC = Buffer.from("d9d505f920a163d7", "hex");
const SECTOR = 512;
const PAGE = 4096;
/** The page that holds SQLite's lock bytes is never stored, so its number marks the record of a super-journal. */
const LOCK_BYTE_PAGE = 0x40000000 / PAGE + 1;

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const hotJournal = (victim: string, pages: number): Buffer => {
  const header = Buffer.alloc(SECTOR);
  Buffer.concat([MAGIC, number(0), number(1), number(pages), number(SECTOR), number(PAGE)]).copy(header);
  const name = Buffer.from(victim);
  const sum = name.reduce((total, byte) => total + byte, 0);
  return Buffer.concat([header, number(LOCK_BYTE_PAGE), name, number(name.length), number(sum), MAGIC]);
};

/** A sound database at `file`, and beside it a journal that makes SQLite delete `victim`. */
export const plantHotJournal = (file: string, victim: string): void => {
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE IF NOT EXISTS lock (held TEXT); PRAGMA journal_mode = DELETE");
  database.close();
  writeFileSync(`${file}-journal`, hotJournal(victim, statSync(file).size / PAGE));
};
