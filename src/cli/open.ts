/** The command `open`: the page for people, from a server that runs already or from one that it starts. */

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { NoteError } from "../markdown/errors.ts";
import { keyFromRunning } from "./running.ts";
import { serveHttp } from "./serve-http.ts";
import { log } from "./served-vault.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { noVault, sayVault, vaultOf } from "./which-vault.ts";

/** Where the page is unless it is said otherwise: a browser keeps what belongs to it under this address. */
const PORT = "8790";
/** The key in the file is good for no longer. */
const FILE_LIFE = 60_000;

const placeOf = (root: string): string => {
  try {
    return realpathSync(root);
  } catch {
    throw new NoteError("disk_refused", `There is no folder ${root}.`);
  }
};

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { values, rest } = settings;
  if (rest.length > 1) throw usageError("open takes one vault.");
  const vault = vaultOf(rest[0], { environment });
  if (vault === null) throw noVault("open ~/Notes");
  sayVault(vault, environment);
  const { root } = vault;
  const shown = (isRunning: boolean) => (address: string) =>
    showPage(address, environment, { isRunning, printed: values["no-browser"] !== undefined });
  const known = await keyFromRunning(environment, placeOf(root));
  if (known !== null) return shown(true)(known);
  const { http = `127.0.0.1:${PORT}` } = values;
  const start = (at: string): Promise<void> =>
    serveHttp({ values: { ...values, http: at }, rest: [root] }, environment, shown(false));
  try {
    await start(http);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    if (values.http !== undefined) throw usageError(`The port of --http ${http} is taken.`);
    await start("127.0.0.1:0");
  }
};

/** Hands the address to the browser by a file that only this user may read: others see the words of a command. */
const showPage = (
  address: string,
  environment: Environment,
  { isRunning, printed }: { isRunning: boolean; printed: boolean },
): void => {
  const [plain = ""] = address.split("#");
  const browser = printed ? null : browserOf(environment);
  if (browser === null) return void process.stdout.write(`${address}\n`);
  const folder = mkdtempSync(join(placeFor(environment), "notewright-open-"));
  const file = join(folder, "page.html");
  writeFileSync(file, `<meta http-equiv="refresh" content="0; url=${address}">\n`, {
    mode: 0o600,
    flag: "wx",
  });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  setTimeout(remove, FILE_LIFE);
  process.once("exit", remove);
  // A server that this process runs ends it in its own time.
  if (isRunning) for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(0));
  const [program = "", ...args] = browser;
  const child = spawn(program, [...args, file], { stdio: "ignore", detached: true });
  child.once("error", () => process.stdout.write(`${address}\n`));
  child.unref();
  log(`Your notes are at ${plain} (notewright open --no-browser prints an address to paste).`);
  if (isRunning) log("A server that runs already shows them. This command ends by itself within a minute.");
};

/** A browser that is installed as a snap sees no hidden files and none of /tmp. */
const placeFor = (environment: Environment): string =>
  existsSync("/snap") ? (environment.HOME ?? homedir()) : tmpdir();

/** The program that opens a file in the browser; null where there is no screen. */
const browserOf = (environment: Environment): string[] | null => {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = environment;
  if (BROWSER) return [BROWSER];
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["explorer"];
  return DISPLAY || WAYLAND_DISPLAY ? ["xdg-open"] : null;
};
