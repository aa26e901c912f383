/** Starts the built command line with the code that V8 made of it an earlier time; a fresh clone whose install ran no scripts is built first. */

import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

const bundle = fileURLToPath(new URL("../dist/notewright.cjs", import.meta.url));
/** The build's own mark, at the end of its text. */
const SIGNATURE = 64;
/** When the code is kept: by then a session has called what sessions call first, and nobody waits. */
const KEPT_AFTER = 2000;
const OLD = 30 * 24 * 60 * 60 * 1000;

const cacheFolder = () => {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === "win32") return LOCALAPPDATA || join(homedir(), "AppData", "Local");
  return process.platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache");
};

/** What is read here is run: only a whole file of the user's own that nobody else can write counts. */
const keptCode = (file) => {
  let handle;
  try {
    handle = openSync(file, "r");
    const { uid, mode } = fstatSync(handle);
    const bytes = readFileSync(handle);
    const own = process.platform === "win32" || (uid === process.getuid() && (mode & 0o022) === 0);
    const code = bytes.subarray(4);
    return own && bytes.length > 4 && crc32(code) === bytes.readUInt32LE(0) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};

/** Of builds and versions of Node that are gone. */
const removeOld = (folder, now) => {
  for (const name of readdirSync(folder))
    if (now - statSync(join(folder, name)).mtimeMs > OLD) rmSync(join(folder, name));
};

const keepCode = (file, script) => {
  try {
    const code = script.createCachedData();
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(code));
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, Buffer.concat([sum, code]), { mode: 0o600 });
    renameSync(temporary, file);
    removeOld(dirname(file), Date.now());
  } catch {
    // Without it the next start takes a little longer.
  }
};

export const start = async (args) => {
  if (!existsSync(bundle)) await (await import("../scripts/build.mjs")).build();
  // Left to itself V8 lets its memory double before it collects: a few hostile notes one after another would take over 512 MB.
  // Set before anything is read, because V8 takes code back only under the flags it was made under.
  setFlagsFromString("--heap-growing-percent=20");
  const text = readFileSync(bundle, "latin1");
  const name = `${text.slice(-SIGNATURE)}-${process.version}-${process.arch}`;
  let file;
  try {
    file = join(cacheFolder(), "notewright", "code", name);
  } catch {
    // A user without a home has no place to keep it.
  }
  const cachedData = file && keptCode(file);
  const script = new Script(`(function (exports, require, module) {${text}\n})`, {
    filename: bundle,
    cachedData,
  });
  if (file && (!cachedData || script.cachedDataRejected))
    setTimeout(() => keepCode(file, script), KEPT_AFTER).unref();
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(bundle), module);
  await module.exports.runCommand(args);
};
