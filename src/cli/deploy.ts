/** The command `deploy`: writes the Worker and its settings into a folder, and says the commands that put it up. It starts nothing, calls nobody and holds no key. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { bytesText } from "../markdown/bytes-text.ts";
import { NoteError } from "../markdown/errors.ts";
import { escaped } from "../markdown/label.ts";
import { besideBundle } from "./built-files.ts";
import { say } from "./opened-vault.ts";
import { expandHome, usageError, type Settings } from "./settings.ts";
import { shellWord } from "./shell-word.ts";

const WORKER = "worker.mjs";
const PAGE = "notewright-page";
const SETTINGS = "wrangler.jsonc";
const BUCKET = "notewright-notes";
/** In a folder of its own: wrangler puts up whatever text lies beside the Worker. */
const MAIN = `worker/${WORKER}`;
/** The version that its settings were checked with. */
const WRANGLER = "npx wrangler@4.86.0";

/** What the Worker asks of Cloudflare (src/worker/main.ts). */
const settingsText = `// The settings with which wrangler puts Notewright up. They are yours to change: deploy writes them once.
{
  "name": "notewright",
  "main": "${MAIN}",
  "no_bundle": true,
  "compatibility_date": "2026-04-01",
  "compatibility_flags": ["nodejs_compat", "global_fetch_strictly_public"],
  // The bundle of a long history needs more than the 30 s that a call has otherwise. Only the paid plan takes it.
  "limits": { "cpu_ms": 300000 },
  // The page for people.
  "assets": { "directory": "${PAGE}", "binding": "ASSETS", "run_worker_first": true },
  // The notes of all workspaces.
  "r2_buckets": [{ "binding": "NOTES", "bucket_name": "${BUCKET}" }],
  // One object for each workspace, and one for who may call.
  "durable_objects": {
    "bindings": [
      { "name": "WORKSPACE", "class_name": "Workspace" },
      { "name": "ACCOUNTS", "class_name": "Accounts" }
    ]
  },
  "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Workspace", "Accounts"] }]
  // Where it should answer to one name alone:
  // "vars": { "PUBLIC_URL": "https://notes.example.org" }
}
`;

export const run = async ({ rest }: Settings): Promise<void> => {
  const [named = "notewright-edge", ...more] = rest;
  if (more.length > 0) throw usageError("deploy takes one folder: notewright deploy ~/notewright-edge");
  const folder = resolve(expandHome(named));
  const worker = builtWorker();
  const kept = existsSync(join(folder, SETTINGS));
  let settings = `left your ${SETTINGS} as it is`;
  try {
    makeFolder(join(folder, dirname(MAIN)));
    put(join(folder, MAIN), worker);
    rmSync(join(folder, PAGE), { recursive: true, force: true });
    cpSync(besideBundle("web"), join(folder, PAGE), { recursive: true, filter: isOfPage });
    if (kept && renewMain(folder)) settings = `set "main" in your ${SETTINGS} to "${MAIN}"`;
    if (!kept) put(join(folder, SETTINGS), settingsText);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new NoteError("disk_refused", `The folder ${folder} cannot be written to (${code}).`);
  }
  const [wrote, place] = [`Wrote ${MAIN} (${bytesText(worker.length)})`, escaped(folder)];
  say(
    kept
      ? `${wrote} and the page into ${place}, and ${settings}.`
      : `${wrote}, the page and ${SETTINGS} into ${place}.`,
  );
  say(`Put it up from there, with your own Cloudflare account${kept ? "" : ", in which R2 is enabled"}:\n`);
  process.stdout.write(`${commands(named, kept).join("\n")}\n`);
  if (!kept) say("\nThen make a workspace and a member with the owner's secret: docs/EDGE.md has the calls.");
};

/** A folder that was set up before has its bucket and its secret. */
const commands = (folder: string, kept: boolean): string[] => [
  `cd ${shellWord(folder)}`,
  ...(kept
    ? []
    : [
        `${WRANGLER} r2 bucket create ${BUCKET}`,
        `openssl rand -base64 32 | tee /dev/tty | ${WRANGLER} secret put OWNER_SECRET`,
      ]),
  `${WRANGLER} deploy`,
];

/** Settings from before the Worker had a folder of its own are led to it; every other byte of them stays. */
const renewMain = (folder: string): boolean => {
  const file = join(folder, SETTINGS);
  const text = readFileSync(file, "utf8");
  const renewed = text.replace(`"main": "${WORKER}"`, `"main": "${MAIN}"`);
  if (!renewed.includes(MAIN)) say(`Set "main" in your ${SETTINGS} to "${MAIN}".`);
  if (renewed === text) return false;
  put(file, renewed);
  rmSync(join(folder, WORKER), { force: true });
  return true;
};

/** Each folder once: on Node 20 a recursive mkdir has no end where a parent takes none, as in /proc. */
const makeFolder = (folder: string): void => {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !statSync(folder).isDirectory()) throw error;
  }
};

const builtWorker = (): Uint8Array => {
  try {
    return readFileSync(besideBundle(WORKER));
  } catch {
    throw new NoteError(
      "disk_failed",
      "The built Worker is missing from this installation. Install it again.",
    );
  }
};

/** What the build remembers of itself is no part of the page. */
const isOfPage = (file: string): boolean => !file.endsWith(".txt");

const put = (file: string, content: string | Uint8Array): void => {
  const beside = `${file}.${process.pid}.new`;
  writeFileSync(beside, content);
  renameSync(beside, file);
};
