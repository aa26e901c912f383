import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  conflictsOf,
  expectIndexRight,
  LINES,
  openHistory,
  type HistoryVault,
} from "../../../test/history-vault.ts";
import { notePath } from "../paths.ts";

let vault: HistoryVault;
afterEach(async () => {
  expect(vault.logged).toEqual([]);
  await vault.close();
});

describe("what others wrote since", () => {
  test("stays where it stands apart", async () => {
    vault = await openHistory({ "a.md": LINES });
    await vault.edit("bot", "a.md", "one", "1");
    await vault.person("a.md", LINES.replace("one", "1").replace("seven", "7"));
    await vault.undoAll("bot");
    expect(vault.files()).toEqual({ "a.md": LINES.replace("seven", "7") });
  });

  test("stays beside what the client itself had put right", async () => {
    vault = await openHistory({ "a.md": LINES });
    await vault.edit("bot", "a.md", "two", "mistake");
    await vault.edit("bot", "a.md", "mistake", "two");
    await vault.person("a.md", LINES.replace("three", "3"));
    await vault.undoAll("bot");
    expect(vault.files()).toEqual({ "a.md": LINES.replace("three", "3") });
  });

  test("overlapping, it stops the whole: nothing is written, each note is named with both sides", async () => {
    vault = await openHistory({ "a.md": LINES, "b.md": LINES, "c.md": LINES });
    for (const path of ["a.md", "b.md", "c.md"]) await vault.edit("bot", path, "two", "2");
    await vault.person("a.md", LINES.replace("two", "2, mine"));
    await vault.person("b.md", null);
    const before = vault.files();
    const revisions = await vault.notebook.log({ limit: 100 });
    expect(await conflictsOf(vault.undoAll("bot"))).toEqual([
      {
        path: "a.md",
        reason: "the same lines have been edited since",
        now: LINES.replace("two", "2, mine"),
        earlier: LINES,
      },
      { path: "b.md", reason: "it has been deleted since", now: null, earlier: LINES },
    ]);
    expect(vault.files()).toEqual(before);
    expect(await vault.notebook.log({ limit: 100 })).toEqual(revisions);

    await vault.undoAll("bot", { skip: [notePath("a.md"), notePath("b.md")] });
    expect(vault.files()).toEqual({ ...before, "c.md": LINES });
  });

  type Refusal = { does: () => Promise<unknown>; reason: string; path?: string };
  const refusals: Record<string, Refusal> = {
    "a new note that was edited": {
      async does() {
        await vault.as("bot").write(notePath("n.md"), "new\n");
        await vault.person("n.md", "new\nmine\n");
      },
      reason: "it has been edited since it was made",
    },
    "a new note that was moved": {
      async does() {
        await vault.as("bot").write(notePath("first.md"), "new\n");
        await vault.move("person", "first.md", "n.md");
      },
      reason: "it has been moved since it was made",
    },
    "a deleted note whose name was taken": {
      async does() {
        await vault.as("bot").remove(notePath("a.md"));
        await vault.person("a.md", "another\n");
      },
      reason: "another note has taken its place since it was deleted",
      path: "a.md",
    },
    "a moved note whose old name was taken": {
      async does() {
        await vault.move("bot", "a.md", "n.md");
        await vault.person("a.md", "another\n");
      },
      reason: 'another note is now called "a.md"',
    },
    "a note that is not UTF-8 and was replaced": {
      async does() {
        await vault.person("n.md", new Uint8Array([0xff, 1]));
        await vault.as("bot").write(notePath("n.md"), "text\n");
        await vault.person("n.md", "more text\n");
      },
      reason: "the same lines have been edited since",
    },
  };
  test.each(Object.keys(refusals))("stops %s", async (name) => {
    vault = await openHistory({ "a.md": LINES });
    const { does, reason, path = "n.md" } = refusals[name]!;
    await does();
    const before = vault.files();
    expect(await conflictsOf(vault.undoAll("bot"))).toMatchObject([{ path, reason }]);
    expect(vault.files()).toEqual(before);
  });

  test("notes that were there before there was a history are never deleted as if they had been made", async () => {
    vault = await openHistory({ "a.md": LINES });
    await vault.person("b.md", "mine\n");
    expect(await conflictsOf(vault.undoAll("someone"))).toMatchObject([
      { path: "a.md", reason: "it was found there, so taking that back would delete it" },
      { path: "b.md" },
    ]);
    expect(Object.keys(vault.files())).toEqual(["a.md", "b.md"]);
  });

  test("a note that was moved on stays where it was put, and links go on leading there", async () => {
    vault = await openHistory({ "a.md": "a\n", "b.md": "see [[a]] here\n" });
    await vault.move("bot", "a.md", "f/b2.md");
    await vault.edit("bot", "f/b2.md", "a", "A");
    await vault.move("person", "f/b2.md", "g/c.md");
    await vault.undoAll("bot");
    expect(vault.files()).toEqual({ "b.md": "see [[c]] here\n", "g/c.md": "a\n" });
    await expectIndexRight(vault);
  });

  test("links written since follow a note back to its name, also on a line that the move had rewritten", async () => {
    vault = await openHistory({
      "a.md": "a\n",
      "b.md": "see [[a]]\n",
      "d.md": "[[c]] leads nowhere\n\n\nd\n",
    });
    await vault.move("bot", "a.md", "c.md");
    await vault.person("b.md", "see [[c]] and [[c#x|more]]\n");
    await vault.person("d.md", "[[c]] leads nowhere\n\n\nd [[c]]\n");
    await vault.person("new.md", "[[c]]\n");
    const { backlinkers } = await vault.undoAll("bot");
    expect(vault.files()).toEqual({
      "a.md": "a\n",
      "b.md": "see [[a]] and [[a#x|more]]\n",
      "d.md": "[[c]] leads nowhere\n\n\nd [[a]]\n",
      "new.md": "[[a]]\n",
    });
    expect(backlinkers).toEqual([
      { path: "d.md", links: 1, rewritten: true },
      { path: "new.md", links: 1, rewritten: true },
    ]);
    await expectIndexRight(vault);
  });

  test("an edit that no one has seen yet is kept too", async () => {
    vault = await openHistory({ "a.md": LINES });
    await vault.edit("bot", "a.md", "one", "1");
    writeFileSync(join(vault.root, "a.md"), LINES.replace("one", "1").replace("seven", "7"));
    await vault.as("me").undo(await vault.by("bot"));
    expect(vault.files()).toEqual({ "a.md": LINES.replace("seven", "7") });
    const authors = (await vault.notebook.log({ path: notePath("a.md"), limit: 9 })).map((it) => it.author);
    expect(authors).toEqual(["me", "someone", "bot", "someone"]);
  });
});
