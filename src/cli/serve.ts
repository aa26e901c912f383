/** The command `serve`: one surface over one vault, on stdin and stdout; over HTTP where that is asked for. */

import manifest from "../../package.json" with { type: "json" };
import { NoteError } from "../markdown/errors.ts";
import { closestWord } from "../markdown/closest-word.ts";
import type { Principal } from "../protocol/principal.ts";
import { serveProcess } from "../stdio/stdio.ts";
import { loadSurface, surfaceNames } from "../surfaces/all.ts";
import type { Surface } from "../surfaces/surface.ts";
import { log, noVault, openServed } from "./served-vault.ts";
import { usageError, vaultOf, type Environment, type Settings } from "./settings.ts";

const surfaceCalled = async (name: string): Promise<Surface> => {
  const found = await loadSurface(name);
  if (found) return found;
  const closest = closestWord(name, surfaceNames);
  throw usageError(
    `There are no tools called "${name}".${closest ? ` Did you mean --tools ${closest}?` : ""} The surfaces are: ${surfaceNames.join(", ")}.`,
  );
};

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { values, rest } = settings;
  if (values.http !== undefined) return (await import("./serve-http.ts")).serveHttp(settings, environment);
  const surface = await surfaceCalled(values.tools ?? "native");
  if (rest.length > 1) throw usageError(`serve takes one vault, not ${rest.length}: ${rest.join(", ")}.`);
  const root = vaultOf(rest[0], surface.name, environment);
  if (root === null && surface.name === "obsidian")
    throw new NoteError("path_refused", "OBSIDIAN_VAULT_PATH not set");
  if (root === null && surface.name !== "notes") throw noVault();
  const open = await openServed(root, values, environment);
  const readOnly = values["read-only"] !== undefined;
  const principal: Principal = {
    name: values.author ?? null,
    rights: readOnly ? "read" : "admin",
    folders: "all",
    surfaces: "all",
  };
  const code = await serveProcess(
    surface,
    open.notebook,
    { version: manifest.version, principal, troubles: open.troubles, log },
    open.close,
  );
  // This is not left to the event loop: a disk that hangs must not keep a process without a client alive.
  process.exit(code);
};
