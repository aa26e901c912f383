/** Starts the command line where Node is new enough, else says so in a sentence. Node 12 must be able to read this file and those that import it. */

/** Every release line, from its oldest version that has all we call (package.json, engines). */
const OLDEST = { 20: 19, 22: 12 };

const isTooOld = (version) => {
  const [major, minor] = version.split(".").map(Number);
  if (major > 22) return false;
  return OLDEST[major] === undefined || minor < OLDEST[major];
};

export const start = (args) => {
  const version = process.versions.node;
  if (!isTooOld(version)) return import("./start.mjs").then((loaded) => loaded.start(args));
  process.stderr.write(
    `Notewright needs Node 20.19, 22.12 or later; this is Node ${version} (${process.execPath}). Get a newer one from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
};
