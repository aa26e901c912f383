/** The command `serve`: one surface over one vault, on stdin and stdout. */

import manifest from "../../package.json" with { type: "json" };
import { NoteError } from "../markdown/errors.ts";
import { escaped } from "../markdown/label.ts";
import { failureLine } from "../protocol/failure.ts";
import { closestWord } from "../markdown/closest-word.ts";
import type { Principal } from "../protocol/principal.ts";
import { serveProcess } from "../stdio/stdio.ts";
import { loadSurface, surfaceNames } from "../surfaces/all.ts";
import type { Surface } from "../surfaces/surface.ts";
import { SERVE_FLAGS } from "./help.ts";
import { openFolder, openMemory } from "../vault/open.ts";
import { progressOn } from "./progress.ts";
import {
  checkedTimeZone,
  embeddingsOf,
  placesOf,
  readSettings,
  usageError,
  vaultOf,
  type Environment,
} from "./settings.ts";
import { screenOf } from "./streams.ts";

const surfaceCalled = async (name: string): Promise<Surface> => {
  const found = await loadSurface(name);
  if (found) return found;
  const meant = closestWord(name, surfaceNames);
  throw usageError(
    `There are no tools called "${name}".${meant ? ` Did you mean --tools ${meant}?` : ""} The surfaces are: ${surfaceNames.join(", ")}.`,
  );
};

const screen = screenOf(process.stderr);
const log = (line: string): void => void screen.write(`notewright: ${escaped(line)}\n`);

export const run = async (args: string[], environment: Environment): Promise<void> => {
  const { values, rest } = readSettings(args, SERVE_FLAGS, environment);
  const surface = await surfaceCalled(values.tools ?? "native");
  if (rest.length > 1) throw usageError(`serve takes one vault, not ${rest.length}: ${rest.join(", ")}.`);
  const root = vaultOf(rest[0], surface.name, environment);
  if (root === null && surface.name === "obsidian")
    throw new NoteError("path_refused", "OBSIDIAN_VAULT_PATH not set");
  if (root === null && surface.name !== "notes")
    throw new NoteError(
      "path_refused",
      "No vault is named. Give its folder: notewright serve FOLDER, or set NOTEWRIGHT_VAULT.",
    );
  const timeZone = checkedTimeZone(values["time-zone"]);
  const readOnly = values["read-only"] !== undefined;
  let reported = "";
  const report = (what: string, error: unknown): void => {
    const line = failureLine(what, error);
    // What is tried again every few seconds would fill the log with one line.
    if (line !== reported) log(line);
    reported = line;
  };
  const open =
    root === null
      ? await openMemory(timeZone)
      : await openFolder(root, {
          readOnly,
          ...placesOf(values),
          durability: values.durability === "fast" ? "fast" : "full",
          history: values.history !== "off",
          outsideAuthor: values["outside-author"],
          timeZone,
          embeddings: embeddingsOf(values, environment),
          environment,
          report,
          tell: log,
        });
  // Tools answer meanwhile.
  open.start(
    progressOn(screen, environment),
    progressOn(screen, environment, { doing: "Embedding", done: "embedded" }),
  );
  const principal: Principal = {
    name: values.author ?? null,
    rights: readOnly ? "read" : "write",
    folders: "all",
  };
  const code = await serveProcess(
    surface,
    open.notebook,
    { version: manifest.version, principal, log },
    open.close,
  );
  // Not left to the event loop: a disk that hangs must not keep a process without a client alive.
  process.exit(code);
};
