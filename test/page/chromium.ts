/** Where a Chromium is: named by CHROME_PATH, under one of the usual names, or installed by apt where that is possible. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const USUAL = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const installed = (): string | undefined =>
  [process.env.CHROME_PATH, ...USUAL].find((path) => path !== undefined && path !== "" && existsSync(path));

const install = (): void => {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  try {
    // A new machine has no list of packages yet.
    for (const command of [["update"], ["install", "-y", "chromium"]])
      execFileSync("apt-get", ["-qq", ...command], { stdio: "ignore", timeout: 180_000 });
  } catch {
    // The line below says how to get one.
  }
};

/** Null where there is none. Then tests in a browser are left out, but never in CI. */
export const chromiumPath = (): string | null => {
  if (!installed()) install();
  const path = installed();
  if (path) return path;
  if (process.env.CI)
    throw new Error("There is no Chromium, and CI does not leave out the tests that need one.");
  console.warn(
    "No Chromium: tests in a browser are left out. Install it (apt-get install chromium), or set CHROME_PATH.",
  );
  return null;
};

export const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP notes.example 127.0.0.1",
];
