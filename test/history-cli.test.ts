/** The commands over the history as a person meets them, on a vault that a client has worked in: a process of its own, as the built server is. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runHere } from "./command.ts";
import { notesBelow } from "./history-vault.ts";
import { command, makeHome, runToEnd, type Ended, type Home } from "./process.ts";
import { line } from "./wire.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

const environment = () => ({ ...home.environment, NOTEWRIGHT_VAULT: home.vault });
const notewright = (args: string[]): Promise<Ended> => runHere(args, environment(), home.folder);

const hello = (client: string): string =>
  line({
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: client, version: "1" } },
  }) + line({ method: "notifications/initialized" });

/** A client calls tools of the obsidian surface, one after another, and goes. */
const client = async (name: string, calls: [tool: string, input: object][], flags: string[] = []) => {
  const input = calls
    .map(([tool, input], at) =>
      line({ id: at + 1, method: "tools/call", params: { name: tool, arguments: input } }),
    )
    .join("");
  const { code, stdout, stderr } = await runToEnd(
    [command("notewright"), "serve", "--tools", "obsidian", ...flags],
    { environment: environment(), input: hello(name) + input, answers: 1 + calls.length },
  );
  expect({ code, stderr, failed: /"isError":true|"error":/.test(stdout) }).toEqual({
    code: 0,
    stderr: "",
    failed: false,
  });
};
const append = (name: string, text: string): [string, object] => ["append_note", { name, text }];
const rename = (from: string, to: string): [string, object] => [
  "rename_note",
  { old_name: from, new_name: to },
];

type Told = { id: string; author: string; message: string; surface: string; tool?: string; touched: number };
const told = async (...args: string[]): Promise<Told[]> => {
  const { code, stdout } = await notewright(["history", "--json", ...args]);
  const found = stdout
    .split("\n")
    .filter(Boolean)
    .map((text) => JSON.parse(text) as Told);
  expect(code).toBe(found.length === 0 ? 1 : 0);
  return found;
};
/** By clients only: what was there before, and when that is recorded, is another matter. */
const done = async (...args: string[]): Promise<string[]> =>
  (await told(...args)).filter(({ surface }) => surface !== "outside").map(({ message }) => message);

/** A change from the terminal records every note first, as a server does in the background soon after its first start. */
const recordAll = () => notewright(["daily", "Seen.", "--date", "2026-05-16"]);

describe("history", () => {
  test("lists who did what, newest first, in two lines each", async () => {
    await client("claude-desktop", [append("Garlic", "Peeled."), append("Comfrey", "Cut.")]);
    const { code, stdout } = await notewright(["history", "--author", "claude-desktop"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^[0-9a-f]{10} {2}(?:just now|\d+ seconds? ago) \(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\) {2}claude-desktop {2}obsidian append_note\n {4}Update note: Plants\/Comfrey\n[0-9a-f]{10} {2}.*\n {4}Update note: Plants\/Garlic\n$/,
    );
  });

  test("of one note, by name, path or old name, also once it is gone", async () => {
    await client("bot", [append("Garlic", "Peeled."), rename("Garlic", "Allium")]);
    const both = ["Move note: Plants/Allium", "Update note: Plants/Garlic"];
    expect(await done("Allium")).toEqual(both);
    expect(await done("Plants/Allium.md", home.vault)).toEqual(both);
    const old = await notewright(["history", "Plants/Garlic"]);
    expect(old.stderr).toBe('The note "Plants/Garlic.md" was moved to "Plants/Allium.md".\n');
    await client("bot", [["delete_note", { name: "Allium" }]]);
    expect(await done("Allium")).toEqual(["Delete note: Plants/Allium", ...both]);
  });

  test("--since, --limit and --author choose", async () => {
    await client("one", [append("Garlic", "1"), append("Garlic", "2")]);
    await client("two", [append("Garlic", "3")]);
    expect(await done("--author", "one", "--since", "1 hour ago")).toHaveLength(2);
    expect(await told("--limit", "1")).toMatchObject([{ author: "two", tool: "append_note", touched: 1 }]);
    expect(await told("--since", "2999-01-01")).toEqual([]);
    const { stderr } = await notewright(["history", "--limit", "1"]);
    expect(stderr).toBe("There are more; --limit 10 shows more of them.\n");
  });

  test("nothing is written into a vault that has no history", async () => {
    const before = notesBelow(home.vault);
    expect(await notewright(["history"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "No changes are recorded.\n",
    });
    expect(existsSync(join(home.vault, ".notewright"))).toBe(false);
    expect(notesBelow(home.vault)).toEqual(before);
  });
});

describe("diff", () => {
  test("shows what a change did, in every note or one", async () => {
    await client("bot", [rename("Garlic", "Allium")]);
    const [{ id } = { id: "" }] = await told("--author", "bot");
    const whole = await notewright(["diff", id]);
    expect(whole.stdout).toContain("Plants/Allium.md (moved from Plants/Garlic.md)\n");
    expect(whole.stdout).toContain("-- Swaps [[Garlic]] for plums.\n+- Swaps [[Allium]] for plums.\n");
    const one = await notewright(["diff", id.slice(0, 8), "@Mara Lindt"]);
    expect(one.stdout).toMatch(/^People\/@Mara Lindt\.md\n@@ .* @@\n/);
    expect(one.stdout).not.toContain("Allium.md");
  });

  test("between two revisions, whichever is named first, and the newest of a note", async () => {
    await recordAll();
    await client("bot", [append("Garlic", "one"), append("Comfrey", "two"), append("Garlic", "three")]);
    const [third, , first] = await told("--author", "bot");
    const { stdout } = await notewright(["diff", third!.id, first!.id]);
    expect(stdout).toMatch(/^Plants\/Comfrey\.md\n[^]*\+two\n\nPlants\/Garlic\.md\n[^]*\+three\n$/);
    expect(stdout).not.toContain("+one");
    expect((await notewright(["diff", "Garlic"])).stdout).toMatch(/^Plants\/Garlic\.md\n[^]*\+three\n$/);
    expect((await notewright(["diff", first!.id, first!.id])).stderr).toBe("Nothing differs.\n");
  });

  test("escape sequences of a note do not reach the terminal", async () => {
    await client("bot\u001b[2J", [append("Garlic", "a\u001b[31mb\u009bc\u202ed")]);
    const outputs = [await notewright(["diff", "Garlic"]), await notewright(["history"])];
    expect(outputs[0]!.stdout).toContain("+a\\u001b[31mb\\u009bc\\u202ed\n");
    for (const { stdout } of outputs) expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });
});

describe("restore", () => {
  test("gets a deleted note back, under its name, without a revision", async () => {
    const before = notesBelow(home.vault);
    await client("bot", [["delete_note", { name: "Garlic" }]]);
    const { code, stdout, stderr } = await notewright(["restore", "Garlic"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Plants\/Garlic\.md \(new\)\n/),
    });
    expect(stderr).toMatch(
      /Restored "Plants\/Garlic\.md" as revision (\w{10})\. To take that back: notewright undo \1\n$/,
    );
    expect(notesBelow(home.vault)["Plants/Garlic.md"]).toBe(before["Plants/Garlic.md"]);
  });

  test("brings a note to what it was; a dry run only shows it", async () => {
    await client("bot", [append("Garlic", "one"), append("Garlic", "two")]);
    const [second, first] = await told("--author", "bot");
    const before = notesBelow(home.vault);
    const dry = await notewright(["restore", "Garlic", first!.id, "--dry-run"]);
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("-two\n"),
      stderr: "Nothing was written.\n",
    });
    expect(notesBelow(home.vault)).toEqual(before);
    await notewright(["restore", "Garlic", first!.id.slice(0, 7)]);
    expect(notesBelow(home.vault)["Plants/Garlic.md"]).not.toContain("two");
    const same = await notewright(["restore", "Garlic", second!.id, "--dry-run"]);
    expect(same.stdout).toContain("+two\n");
  });

  test("says which revision to give where the one named deleted the note", async () => {
    await client("bot", [append("Garlic", "one"), ["delete_note", { name: "Garlic" }]]);
    const [deleted, appended] = await told("--author", "bot");
    expect(await notewright(["restore", "Plants/Garlic", deleted!.id])).toMatchObject({
      code: 1,
      stderr: `That revision deleted "Plants/Garlic.md". To have it as it was before, give ${appended!.id.slice(0, 10)}.\n`,
    });
  });
});

describe("undo", () => {
  test("an afternoon of one client: shown, done, and taken back", async () => {
    const before = notesBelow(home.vault);
    await client("claude", [
      append("Garlic", "x"),
      rename("Comfrey", "Symphytum"),
      ["delete_note", { name: "Tomatoes" }],
    ]);
    const made = notesBelow(home.vault);
    const trash = { ".trash/Tomatoes.md": made[".trash/Tomatoes.md"] };
    const dry = await notewright(["undo", "--author", "claude", "--since", "1 hour ago", "--dry-run"]);
    expect(dry.stdout).toContain("Plants/Comfrey.md (moved from Plants/Symphytum.md)");
    expect(dry.stderr).toMatch(/^This would undo 3 changes in \d+ notes\. Nothing was written\.\n$/);
    expect(notesBelow(home.vault)).toEqual(made);

    const undone = await notewright(["undo", "--author", "claude", "--since", "1 hour ago"]);
    expect({ code: undone.code, stdout: undone.stdout }).toEqual({ code: 0, stdout: dry.stdout });
    expect(notesBelow(home.vault)).toEqual({ ...before, ...trash });
    const id = /It is revision (\w{10}); to take that back: notewright undo \1\n$/.exec(undone.stderr)?.[1];
    expect((await notewright(["undo", id!])).code).toBe(0);
    expect(notesBelow(home.vault)).toEqual(made);
  });

  test("--last counts what clients did, not what a person wrote meanwhile", async () => {
    await client("claude", [append("Garlic", "by claude")]);
    const path = join(home.vault, "Plants/Garlic.md");
    writeFileSync(path, readFileSync(path, "utf8").replace("# Garlic", "# Garlic, mine"));
    expect((await notewright(["undo", "--last", "1"])).code).toBe(0);
    expect(readFileSync(path, "utf8")).toContain("# Garlic, mine");
    expect(readFileSync(path, "utf8")).not.toContain("by claude");
    expect((await told("Garlic", "--limit", "3")).map(({ author }) => author)).toEqual([
      "notewright",
      "someone",
      "claude",
    ]);
  });

  test("an overlap stops it with both sides, and --skip leaves the note out", async () => {
    await client("claude", [append("Garlic", "by claude"), append("Comfrey", "by claude")]);
    const path = join(home.vault, "Plants/Garlic.md");
    writeFileSync(path, readFileSync(path, "utf8").replace("by claude", "by claude and me"));
    const before = notesBelow(home.vault);
    const refused = await notewright(["undo", "--last", "2"]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("Plants/Garlic.md: the same lines have been edited since");
    expect(refused.stderr).toContain("-by claude and me\n");
    expect(refused.stderr).toContain("To undo the rest without them: --skip Plants/Garlic.md");
    expect(notesBelow(home.vault)).toEqual(before);
    expect((await notewright(["undo", "--last", "2", "--skip", "Plants/Garlic.md"])).code).toBe(0);
    const after = notesBelow(home.vault);
    expect(after["Plants/Garlic.md"]).toBe(before["Plants/Garlic.md"]);
    expect(after["Plants/Comfrey.md"]).not.toContain("by claude");
  });

  test("nothing to undo is no failure", async () => {
    await client("claude", [append("Garlic", "x")]);
    expect(await notewright(["undo", "--last", "1", "--author", "nobody"])).toEqual({
      code: 0,
      stdout: "",
      stderr: expect.stringMatching(
        /^The history knows no "nobody"\. It knows: .*claude.*\nThere is nothing left to undo\.\n$/,
      ),
    });
  });
});

describe("mistakes in the call", () => {
  test.each([
    [["history", "a", "b"], 2, 'There is no folder "b"'],
    [["history", "--since", "soon"], 2, '"soon" is no time'],
    [["history", "--limit", "0"], 2, "--limit is a number"],
    [["history", "No such note"], 1, 'There is no note called "No such note"'],
    [["history", "/none"], 1, "There is no folder at /none"],
    [["diff"], 2, "diff needs a revision or a note"],
    [["diff", "0123456789"], 1, 'There is no revision "0123456789"'],
    [["diff", "1234", "1234", "1234"], 2, "diff takes up to two revisions"],
    [["restore"], 2, "restore takes a note and a revision"],
    [["restore", "Garlic"], 2, 'Say which revision of "Plants/Garlic.md"'],
    [["undo"], 2, "Say what to undo"],
    [["undo", "--author", "x"], 2, "Say what to undo"],
    [["undo", "1234", "--last", "2"], 2, "either revisions or --last"],
    [["undo", "--last", "none"], 2, "--last is a number"],
    [["undo", "Garlic"], 2, '"Garlic" is neither a revision nor a folder'],
    [["undo", "--output=x"], 2, "Unknown flag --output"],
    [["undo", "ffffffff"], 1, 'There is no revision "ffffffff"'],
  ])("%j is refused with code %i", async (args, code, said) => {
    const ended = await notewright(args);
    expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(said) });
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
  });

  test.each(["history", "diff", "restore", "undo"])("%s --help has examples", async (name) => {
    const { code, stdout } = await notewright([name, "--help"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(`Examples\n  notewright ${name} `),
    });
  });
});

describe("serve", () => {
  test("--author and --outside-author name who is in the history", async () => {
    const path = join(home.vault, "Plants/Garlic.md");
    await client("bot", [append("Garlic", "x")], ["--author", "Kim", "--outside-author", "Ada"]);
    writeFileSync(path, `${readFileSync(path, "utf8")}mine\n`);
    await client("bot", [append("Garlic", "y")], ["--author", "Kim", "--outside-author", "Ada"]);
    const authors = (await told("Garlic")).map(({ author }) => author);
    expect(authors).toEqual(["Kim", "Ada", "Kim", "Ada"]);
    await recordAll();
    const repository = join(home.vault, ".notewright/history.git");
    const log = execFileSync(
      "git",
      ["--git-dir", repository, "log", "--format=%an", "--", "Plants/Garlic.md"],
      {
        encoding: "utf8",
      },
    );
    expect(log).toBe("Kim\nAda\nKim\nAda\n");
  });

  test("--history off records nothing; turned on again, what was written meanwhile is recorded", async () => {
    await client("bot", [append("Garlic", "x")], ["--history", "off"]);
    expect(existsSync(join(home.vault, ".notewright/history.git"))).toBe(false);

    await client("bot", [append("Garlic", "y")]);
    await notewright(["undo", "--last", "1"]);
    await client("bot", [append("Comfrey", "unseen")], ["--history", "off"]);
    writeFileSync(join(home.vault, "Plants/New.md"), "found by find\n");
    renameSync(join(home.vault, "Plants/Garlic.md"), join(home.vault, "Plants/Allium.md"));
    await notewright(["find", "found"]);
    expect(await done()).toHaveLength(2);
    await recordAll();

    const clone = join(home.folder, "clone");
    execFileSync("git", ["clone", "-q", join(home.vault, ".notewright/history.git"), clone]);
    expect(notesBelow(clone)).toEqual(notesBelow(home.vault));
  });
});
