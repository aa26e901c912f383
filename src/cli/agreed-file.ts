/** The file in which `push` and `pull` remember what a vault and a server last agreed on, in the user's state folder. */

import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { NoteError } from "../markdown/errors.ts";
import { readAgreed, writeLines, type Agreed, type Line } from "../sync/agreed.ts";
import type { Environment } from "./settings.ts";
import { stateFile } from "./state-folder.ts";

export type AgreedFile = {
  file: string;
  agreed: Agreed;
  /** Adds lines at the end. */
  add(lines: readonly Line[]): void;
};

/** `place` is the vault's real path. */
export const openAgreed = (environment: Environment, place: string, address: string): AgreedFile => {
  const file = stateFile(environment, "copies", `${place}\n${address}`, "jsonl");
  const text = read(file);
  const agreed = readAgreed(text);
  const whole = writeLines(agreed.lines());
  return {
    file,
    agreed,
    add(lines) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      // Most lines are about notes that have changed since; a line that was cut short must not swallow the next.
      if (text !== whole && read(file) === text) rewrite(file, whole);
      appendFileSync(file, writeLines(lines), { mode: 0o600 });
    },
  };
};

const rewrite = (file: string, text: string): void => {
  const beside = `${file}.${process.pid}.new`;
  writeFileSync(beside, text, { mode: 0o600 });
  renameSync(beside, file);
};

/** Empty where there is none: the copies have then agreed on nothing. One that cannot be read must not pass for that. */
const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new NoteError(
      "disk_failed",
      `What was last agreed on cannot be read from ${file}. Repair the file, or remove it to begin anew.`,
    );
  }
};
