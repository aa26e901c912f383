/** History as a person relies on it: who did what, in order; everything can be undone; and plain git reads it all. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { NoteError } from "../src/markdown/errors.ts";
import { notePath } from "../src/notebook/paths.ts";
import { notesBelow, openHistory, type HistoryVault } from "./history-vault.ts";
import { contents, names, step, take } from "./steps.ts";

let vault: HistoryVault;
afterEach(async () => {
  expect(vault.logged).toEqual([]);
  await vault.close();
});

/** Plain git, without anything of this machine's configuration. */
const git = (...args: string[]): string =>
  execFileSync("git", args, {
    encoding: "utf8",
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    stdio: ["ignore", "pipe", "pipe"],
  });

/** What git says is wrong, and what a clone of the history holds. */
/** What plain git sees, a moment later. */
const clone = async (): Promise<{ wrong: string; notes: Record<string, string> }> => {
  await vault.settled();
  const repository = join(vault.root, ".notewright/history.git");
  const folder = mkdtempSync(join(tmpdir(), "notewright-clone-"));
  try {
    const wrong = git("--git-dir", repository, "fsck", "--full", "--strict", "--no-dangling");
    git("clone", "--quiet", repository, join(folder, "clone"));
    return { wrong, notes: notesBelow(join(folder, "clone")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

test("a person edits the file between two edits of a client: three revisions by author; undo of the client's keeps the person's", async () => {
  vault = await openHistory({ "plan.md": "# Plan\n\nfirst\n\nsecond\n\nthird\n" });
  await vault.edit("claude", "plan.md", "first", "first, by claude");
  await vault.person("plan.md", vault.files()["plan.md"]!.replace("second", "second, by hand"));
  await vault.edit("claude", "plan.md", "third", "third, by claude");

  const log = await vault.notebook.log({ path: notePath("plan.md"), limit: 10 });
  expect(log.map(({ author, message }) => [author, message])).toEqual([
    ["claude", "Update note: plan"],
    ["someone", "Edited in another program: plan"],
    ["claude", "Update note: plan"],
    ["someone", "Record a note as found"],
  ]);
  expect(
    await Promise.all(
      log.map(async ({ id }) => (await vault.notebook.read(notePath("plan.md"), { revision: id })).text),
    ),
  ).toEqual([
    "# Plan\n\nfirst, by claude\n\nsecond, by hand\n\nthird, by claude\n",
    "# Plan\n\nfirst, by claude\n\nsecond, by hand\n\nthird\n",
    "# Plan\n\nfirst, by claude\n\nsecond\n\nthird\n",
    "# Plan\n\nfirst\n\nsecond\n\nthird\n",
  ]);

  await vault.undoAll("claude");
  expect(vault.files()["plan.md"]).toBe("# Plan\n\nfirst\n\nsecond, by hand\n\nthird\n");
});

test("undo of a rename that rewrote 200 notes restores every byte", async () => {
  const forms = [
    (text: string) => text,
    (text: string) => text.replaceAll("\n", "\r\n"),
    (text: string) => `\ufeff${text}`,
    (text: string) => text.trimEnd(),
    (text: string) => `---\nup: "[[Old name]]"\n---\n${text}`,
  ];
  const linking = Array.from({ length: 200 }, (_, at): [string, string] => [
    `folder ${at % 7}/note ${at}.md`,
    forms[at % forms.length]!(
      `# ${at}\n\n[[Old name]], [[Home/Old name#Part|so]] and [x](../Home/Old%20name.md)\n\`[[Old name]]\`\n`,
    ),
  ]);
  vault = await openHistory({ ...Object.fromEntries(linking), "Home/Old name.md": "# Old name\n" });
  const before = vault.files();
  await vault.move("claude", "Home/Old name.md", "Elsewhere/New name.md");
  const [rename] = await vault.by("claude");
  expect(rename?.touched).toBe(201);
  expect(Object.values(vault.files()).filter((text) => text.includes("New name"))).toHaveLength(200);

  const { changes } = await vault.undoAll("claude");
  expect(changes).toHaveLength(201);
  expect(vault.files()).toEqual(before);
  const { kept, rebuilt } = await vault.indexes();
  expect(kept).toEqual(rebuilt);
  expect((await vault.notebook.log({ limit: 1 }))[0]?.touched).toBe(201);
});

test("after a long run of chance git finds nothing wrong, and its clone holds every note to the byte", async () => {
  const seed = 20261115;
  vault = await openHistory(fc.sample(fc.dictionary(names, contents), { seed, numRuns: 1 })[0]);
  const steps = fc.sample(step, { seed, numRuns: 250 });
  const edits = fc.sample(fc.tuple(names, fc.option(contents, { freq: 5 })), { seed, numRuns: 50 });
  for (const [at, wanted] of steps.entries()) {
    await take(vault.as(`client ${at % 3}`), wanted);
    const [path, bytes] = edits[at % 5 === 0 ? at / 5 : -1] ?? [];
    if (path !== undefined && (bytes !== null || path in vault.files())) await vault.person(path, bytes!);
    if (at % 10 !== 9) continue;
    const revisions = await vault.notebook.log({ author: `client ${at % 3}`, limit: 2 });
    await vault
      .as("me")
      .undo(revisions)
      .catch((error: unknown) => expect(error).toBeInstanceOf(NoteError));
  }
  const made = await vault.notebook.log({ limit: 1000 });
  expect(made.length).toBeGreaterThan(200);
  expect(made.some(({ author }) => author === "me")).toBe(true);
  expect(await clone()).toEqual({ wrong: "", notes: vault.files() });
  const { kept, rebuilt } = await vault.indexes();
  expect(kept).toEqual(rebuilt);
});

test("notes whose names look like flags are notes", async () => {
  vault = await openHistory({ "-rf.md": "one\n", "--output=x.md": "[[-rf]]\n" });
  await vault.edit("claude", "-rf.md", "one", "two");
  await vault.move("claude", "-rf.md", "--help.md");
  expect(vault.files()).toEqual({ "--help.md": "two\n", "--output=x.md": "[[--help]]\n" });
  expect(await clone()).toEqual({ wrong: "", notes: vault.files() });
  const log = await vault.notebook.log({ path: notePath("--help.md"), limit: 9 });
  expect(log.map(({ author }) => author)).toEqual(["claude", "claude", "someone"]);
  const first = log.at(-1)!.id;
  await vault.as("me").restore(notePath("--help.md"), first);
  expect(vault.files()["--help.md"]).toBe("one\n");
  await vault.undoAll("me");
  await vault.undoAll("claude");
  expect(vault.files()).toEqual({ "-rf.md": "one\n", "--output=x.md": "[[-rf]]\n" });
});

test("old names say where a note went, through two moves, and forget it when they are taken again", async () => {
  vault = await openHistory({ "a.md": "text\n" });
  await vault.move("claude", "a.md", "f/b.md");
  await vault.move("claude", "f/b.md", "g/c.md");
  for (const old of ["a.md", "f/b.md"])
    await expect(vault.notebook.read(notePath(old))).rejects.toMatchObject({
      code: "note_missing",
      message: `The note "${old}" was moved to "g/c.md".`,
      details: { movedTo: "g/c.md" },
    });
  await vault.person("a.md", "another\n");
  expect((await vault.notebook.read(notePath("a.md"))).text).toBe("another\n");
  await vault.person("a.md", null);
  await vault.undoAll("claude");
  expect((await vault.notebook.read(notePath("a.md"))).text).toBe("text\n");
});

test("a deleted note keeps its history, and is restored from it", async () => {
  vault = await openHistory({ "a.md": "one\n" });
  await vault.edit("claude", "a.md", "one", "two");
  await vault.as("claude").remove(notePath("a.md"));
  const log = await vault.notebook.log({ path: notePath("a.md"), limit: 9 });
  expect(log.map(({ message }) => message)).toEqual([
    "Delete note: a",
    "Update note: a",
    "Record a note as found",
  ]);
  await vault.as("me").restore(notePath("a.md"), log[1]!.id);
  expect(vault.files()).toEqual({ "a.md": "two\n" });
});
