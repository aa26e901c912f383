/** The command `serve`: one surface over one vault, on stdin and stdout; over HTTP where that is asked for. */

import manifest from "../../package.json" with { type: "json" };
import { NoteError } from "../markdown/errors.ts";
import { closestWord } from "../markdown/closest-word.ts";
import type { Principal } from "../protocol/principal.ts";
import { serveProcess } from "../stdio/stdio.ts";
import { loadSurface, surfaceNames } from "../surfaces/all.ts";
import type { Surface } from "../surfaces/surface.ts";
import { log, openServed } from "./served-vault.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { noVault, sayVault, vaultOf } from "./which-vault.ts";

const surfaceCalled = async (name: string): Promise<Surface> => {
  const found = await loadSurface(name);
  if (found) return found;
  const closest = closestWord(name, surfaceNames);
  throw usageError(
    `There are no tools called "${name}".${closest ? ` Did you mean --tools ${closest}?` : ""} The surfaces are: ${surfaceNames.join(", ")}.`,
  );
};

const checkReview = (values: Settings["values"]): void => {
  if (values["review"] === undefined) return;
  if (values.http !== undefined)
    throw usageError(
      "--review is for a client on stdin and stdout. Over HTTP give its token the right to propose: notewright token add NAME --rights propose.",
    );
  if (values["read-only"] !== undefined)
    throw usageError("--review lets the client propose changes, --read-only does not. Give one of them.");
};

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { values, rest } = settings;
  checkReview(values);
  if (values.http !== undefined) return (await import("./serve-http.ts")).serveHttp(settings, environment);
  const surface = await surfaceCalled(values.tools ?? "native");
  if (rest.length > 1) throw usageError(`serve takes one vault, not ${rest.length}: ${rest.join(", ")}.`);
  const vault = vaultOf(rest[0], { environment, surface: surface.name });
  if (vault === null && surface.name === "obsidian")
    throw new NoteError("path_refused", "OBSIDIAN_VAULT_PATH not set");
  if (vault === null && surface.name !== "notes") throw noVault("serve ~/Notes");
  if (vault) sayVault(vault, environment);
  const open = await openServed(vault?.root ?? null, values, environment);
  if (process.stdin.isTTY)
    for (const line of (await import("./invitation.ts")).invitation(vault?.root ?? null, surface.name))
      log(line);
  const readOnly = values["read-only"] !== undefined;
  const principal: Principal = {
    name: values.author ?? null,
    rights: readOnly ? "read" : values["review"] === undefined ? "admin" : "propose",
    serverReads: readOnly,
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
