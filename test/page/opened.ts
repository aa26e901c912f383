/** `notewright open` as a process of its own on a copied vault, a client that edits over HTTP, and pages of one browser. */

import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { callTool } from "../http/served.ts";
import { command, makeHome, runToEnd, type Home } from "../process.ts";

export type Opened = {
  home: Home;
  /** `http://127.0.0.1:PORT/`. */
  base: string;
  pid: number;
  /** A new address with a key, as `notewright open` gets it from the server that runs. */
  keyed(): Promise<string>;
  /** The same by that command. */
  command(): Promise<string>;
  /** A page token. */
  token(): Promise<string>;
  /** A token of an identity, for a client. */
  identity(name: string, ...flags: string[]): Promise<string>;
  /** Calls a native tool as that identity. */
  call(token: string, name: string, input: object): Promise<string>;
  /** Calls the page's API. */
  api(token: string, name: string, input?: object): Promise<Response>;
  read(path: string): string;
  write(path: string, text: string): void;
  /** Ends the server; the vault stays. */
  stop(): Promise<void>;
  end(): Promise<void>;
};

const PATIENCE = 60_000;

/** `place`: where it listens. */
export const openVault = async (
  home = makeHome(),
  flags: string[] = [],
  place = "127.0.0.1:0",
): Promise<Opened> => {
  const environment = { ...home.environment, XDG_STATE_HOME: join(home.folder, "state") };
  const open = [command("notewright"), "open", home.vault, "--no-browser"];
  const child = spawn(process.execPath, [...open, "--http", place, ...flags], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, errors] = ["", ""];
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const ended = new Promise<void>((done) => child.on("close", () => done()));
  const begun = performance.now();
  while (!out.includes("\n")) {
    if (child.exitCode !== null || performance.now() - begun > PATIENCE)
      throw new Error(`It does not open: ${errors}`);
    await new Promise((done) => setTimeout(done, 10));
  }
  const [base = ""] = out.split("#");
  const run = async (args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runToEnd(args, { environment });
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const api: Opened["api"] = (token, name, input = {}) =>
    fetch(`${base}api/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(input),
    });
  const keyed = async (): Promise<string> => {
    const folder = join(environment.XDG_STATE_HOME, "notewright", "running");
    const { opener } = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0]!), "utf8")) as {
      opener: string;
    };
    const { key } = (await (await api(opener, "key")).json()) as { key: string };
    return `${base}#key=${key}`;
  };
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
  };
  return {
    home,
    base,
    pid: child.pid!,
    keyed,
    command: () => run(open),
    async token() {
      const key = (await keyed()).split("#key=")[1];
      const response = await api("", "enter", { key });
      return ((await response.json()) as { token: string }).token;
    },
    identity: (name, ...more) =>
      run([command("notewright"), "token", "add", name, ...(more.length > 0 ? more : ["--rights", "write"])]),
    call: (token, name, input) => callTool(`${base}mcp`, token, name, input),
    api,
    read: (path) => readFileSync(join(home.vault, path), "utf8"),
    write: (path, text) => writeFileSync(join(home.vault, path), text),
    stop,
    async end() {
      await stop();
      home.remove();
    },
  };
};

export type Tab = { page: Page; context: BrowserContext; complaints: string[] };

/** A page of the vault in a context of its own. What the browser complains of goes into `complaints`. */
export const openTab = async (
  browser: Browser,
  opened: Pick<Opened, "keyed">,
  options: BrowserContextOptions = {},
): Promise<Tab> => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 850 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // A refusal is an answer, though the browser lists it as a failure.
    const isAnswer = message
      .text()
      .startsWith("Failed to load resource: the server responded with a status of 4");
    if (["error", "warning"].includes(message.type()) && !isAnswer) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(await opened.keyed());
  await page.waitForSelector("#search");
  return { page, context, complaints };
};
