/** A history outside the vault: one folder a vault, never two histories, and what it takes to move there. */

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SERVE_FLAGS } from "../src/cli/serving-commands.ts";
import { openFolder, type Open } from "../src/vault/open.ts";
import { readSettings } from "../src/cli/settings.ts";
import { notePath } from "../src/notebook/paths.ts";

const A = notePath("a.md");
let home: string;
let vault: string;
let outside: string;
const opened: Open[] = [];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "notewright-history-dir-")));
  vault = join(home, "vault");
  outside = join(home, "kept", "histories");
  mkdirSync(vault);
  writeFileSync(join(vault, "a.md"), "one\n");
});
afterEach(async () => {
  for (const open of opened.splice(0)) await open.close();
  rmSync(home, { recursive: true, force: true });
});

const open = async (historyDir?: string, root = vault): Promise<Open> => {
  const one = await openFolder(root, {
    readOnly: false,
    index: join(home, "index.db"),
    durability: "fast",
    history: true,
    historyDir,
    timeZone: undefined,
    environment: {},
    report: () => {},
    tell: () => {},
  });
  opened.push(one);
  await one.catchUp(() => {});
  return one;
};
const used = async (historyDir?: string, root = vault): Promise<string[]> => {
  const one = await open(historyDir, root);
  await one.notebook.edit([{ path: A, edits: [(text) => `${text}more\n`] }]);
  const messages = (await one.notebook.log({ limit: 10 })).map(({ message }) => message);
  opened.splice(opened.indexOf(one), 1);
  await one.close();
  return messages;
};
/** The command that a refusal names, done as a person would. */
const obey = async (historyDir: string, root = vault): Promise<void> => {
  const { message } = await open(historyDir, root).then(
    () => ({ message: "It was not refused." }),
    (error: Error) => error,
  );
  const command = /and move it: (.*)$/.exec(message)?.[1];
  expect(command, message).toBeDefined();
  execFileSync("sh", ["-c", command!]);
};

test("the history is kept in a folder of its own outside, and nothing of it in the vault", async () => {
  expect(await used(outside)).toEqual(["Update note: a", "Record a note as found"]);
  expect(await used(outside)).toHaveLength(3);
  const [own, ...others] = readdirSync(outside);
  expect(others).toEqual([]);
  expect(statSync(join(outside, own!)).mode & 0o777).toBe(0o700);
  execFileSync("git", [`--git-dir=${join(outside, own!, "history.git")}`, "fsck", "--full", "--strict"]);
  expect(existsSync(join(vault, ".notewright/history.git"))).toBe(false);
  const marks = readdirSync(join(vault, ".notewright/history-outside"));
  expect(marks).toHaveLength(1);
  expect(readFileSync(join(vault, ".notewright/history-outside", marks[0]!), "utf8")).toMatch(
    /^[0-9a-f]{16}\n$/,
  );
});

test("no process begins a second history: not in the vault, nor in another place", async () => {
  await used(outside);
  await expect(open()).rejects.toMatchObject({
    code: "path_refused",
    message: expect.stringContaining("--history-dir"),
  });
  await expect(open(join(home, "elsewhere"))).rejects.toMatchObject({
    message: expect.stringContaining("another place"),
  });
  expect(existsSync(join(vault, ".notewright/history.git"))).toBe(false);
  // A copy on another computer, to which the marker was synced, keeps one of its own.
  const copy = join(home, "copy");
  execFileSync("cp", ["-r", vault, copy]);
  await expect(open(undefined, copy)).rejects.toMatchObject({ code: "path_refused" });
  expect(await used(join(home, "elsewhere"), copy)).toHaveLength(2);
});

test("a vault that has a history is refused with the command that moves it", async () => {
  expect(await used()).toHaveLength(2);
  await obey(outside);
  expect(await used(outside)).toHaveLength(3);
});

test("a vault that was moved finds its history by the command that it is refused with", async () => {
  await used(outside);
  const moved = join(home, "it's moved");
  renameSync(vault, moved);
  await obey(outside, moved);
  expect(await used(outside, moved)).toHaveLength(3);
});

test("a place inside the vault is refused", async () => {
  await expect(open(join(vault, "kept"))).rejects.toMatchObject({
    message: expect.stringContaining("inside the vault"),
  });
  expect(existsSync(join(vault, "kept"))).toBe(false);
});

test("it is set by flag, environment or the user's own settings", () => {
  const of = (args: string[], environment: Record<string, string>) =>
    readSettings(args, SERVE_FLAGS, { XDG_CONFIG_HOME: home, ...environment }, "serve").values["history-dir"];
  expect(of([], {})).toBe(undefined);
  mkdirSync(join(home, "notewright"));
  writeFileSync(join(home, "notewright/config.json"), '{"history-dir": "/configured"}');
  expect(of([], {})).toBe("/configured");
  expect(of([], { NOTEWRIGHT_HISTORY_DIR: "/environment" })).toBe("/environment");
  expect(of(["--history-dir", "/flag"], { NOTEWRIGHT_HISTORY_DIR: "/environment" })).toBe("/flag");
});
