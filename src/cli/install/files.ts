/** A client's configuration as a file: read within bounds, and written whole or not at all, through links, with its mode, and with a copy of what it was beside it. */

import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { NoteError } from "../../markdown/errors.ts";

/** No configuration that a person keeps is larger. */
const SIZE_LIMIT = 16 * 1024 * 1024;
const BOM = "\ufeff";

/** `text` is without its byte order mark; null where there is no file yet. */
export type Configuration = { file: string; text: string | null; bom: boolean };

export const copyBeside = (file: string): string => `${file}.before-notewright`;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "unexpected";

const refused = (file: string, why: string): NoteError =>
  new NoteError("disk_refused", `${file} is left as it is: ${why}.`, { file });

/** A refusal over what stands in a configuration names its file, and what to do. */
export const located = <T>(file: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw refused(file, `${error.message}. Repair it, then run this again`);
  }
};

/** The file itself, whatever links lead to it. */
const realFile = (file: string): string => {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    return found?.isSymbolicLink() ? realpathSync(file) : file;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw refused(file, `it cannot be read (${codeOf(error)})`);
    throw refused(file, "it is a link to a file that is not there");
  }
};

const textOf = (file: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused(file, "it is not UTF-8 text");
  }
};

export const readConfiguration = (named: string): Configuration => {
  const file = realFile(named);
  let text: string;
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return { file, text: null, bom: false };
    if (!found.isFile()) throw refused(file, "it is not a file");
    if (found.size > SIZE_LIMIT) throw refused(file, "it is larger than 16 MiB");
    text = textOf(file, readFileSync(file));
  } catch (error) {
    if (error instanceof NoteError) throw error;
    throw refused(file, `it cannot be read (${codeOf(error)})`);
  }
  const bom = text.startsWith(BOM);
  return { file, text: bom ? text.slice(1) : text, bom };
};

/** Undefined where there is no copy, or none that can be read. */
export const readCopy = (file: string): string | undefined => {
  try {
    return readConfiguration(copyBeside(file)).text ?? undefined;
  } catch {
    return undefined;
  }
};

const putWhole = (file: string, text: string, mode: number): void => {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    chmodSync(temporary, mode);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
};

/** New ones may come to hold a token. */
const NEW_MODE = 0o600;

/**
 * Puts `text` in the place of what was read, or removes the file where it is null. With `keep`, what was read is kept beside it; without, a copy
 * that is there goes, because the file is again what it was.
 */
export const writeConfiguration = (
  { file, text: before, bom }: Configuration,
  text: string | null,
  keep: "copy" | "as it is" | "no copy",
): void => {
  const mark = bom ? BOM : "";
  try {
    const now = readConfiguration(file);
    if (now.text !== before || now.bom !== bom)
      throw refused(file, "another program has just changed it; run this again");
    const mode = before === null ? NEW_MODE : statSync(file).mode & 0o777;
    if (before === null) mkdirSync(dirname(file), { recursive: true });
    if (keep === "copy" && before !== null) putWhole(copyBeside(file), mark + before, mode);
    if (text === null) rmSync(file);
    else putWhole(file, mark + text, mode);
    if (keep === "no copy") rmSync(copyBeside(file), { force: true });
  } catch (error) {
    if (error instanceof NoteError) throw error;
    throw refused(file, `it cannot be written (${codeOf(error)})`);
  }
};
