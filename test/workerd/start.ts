/** A Worker of ours, bundled and running in workerd, for as long as a test needs it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type BuildOptions, type Metafile } from "esbuild";
// @ts-expect-error -- a script, without types
import { worker } from "../../scripts/build.mjs";

/** How the Worker is bundled that `deploy` writes. */
export const SHIPPED: BuildOptions = worker;

/** `pid`: the process that has started workerd. */
export type Running = {
  address: URL;
  metafile: Metafile;
  folder: string;
  pid: number;
  stop(): Promise<void>;
};

/** Megabytes that Cloudflare gives an isolate. V8 collects garbage in time for the limit that it knows; left alone it takes what the computer has. */
export const ISOLATE_MEGABYTES = 128;

/** `miniflare`: options beside those that every test has. `heap`: the megabytes that V8 may take, where not all it wants. */
export const startWorker = async (
  entry: string,
  how: { build?: BuildOptions; miniflare?: Record<string, unknown>; heap?: number } = {},
): Promise<Running> => {
  const folder = mkdtempSync(join(tmpdir(), "workerd-"));
  const outfile = join(folder, "worker.mjs");
  const { metafile } = await build({
    // As what is shipped is built, so that what is left out of it is left out here.
    ...SHIPPED,
    entryPoints: [entry],
    write: true,
    outfile,
    ...how.build,
    metafile: true,
  });
  const options = {
    durableObjects: { WORKSPACE: { className: "Workspace", useSQLite: true } },
    ...how.miniflare,
  };
  const runtime = spawn(
    process.execPath,
    [
      "test/workerd/runtime.mjs",
      outfile,
      folder,
      JSON.stringify(options),
      ...(how.heap ? [String(how.heap)] : []),
    ],
    // It leaves files behind, which go with the folder.
    { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, TMPDIR: folder } },
  );
  const ended = once(runtime, "close").then(([code]) => {
    throw new Error(`The runtime ended with code ${code} before it had an address.`);
  });
  const [address] = await Promise.race([once(runtime.stdout, "data"), ended]);
  ended.catch(() => undefined);
  return {
    address: new URL(String(address).trim()),
    metafile,
    folder,
    pid: runtime.pid!,
    async stop() {
      if (runtime.exitCode === null) {
        runtime.stdin.end();
        await once(runtime, "close");
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
