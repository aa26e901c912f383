import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { expectIndexRight, LINES, openHistory, type HistoryVault } from "../../../test/history-vault.ts";
import { NoteError } from "../../markdown/errors.ts";
import { changesSomething } from "../commit.ts";
import { notePath } from "../paths.ts";

let vault: HistoryVault;
afterEach(async () => {
  expect(vault.logged).toEqual([]);
  await vault.close();
});

const untrashed = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(".trash/")));

describe("taken back to the byte, as one revision", () => {
  type Row = { notes: Record<string, string | Uint8Array>; does: () => Promise<unknown> };
  const odd = new Uint8Array([0xff, 0xfe, 0x0a, 0x41]);
  const rows: Record<string, Row> = {
    "an edit": { notes: { "a.md": LINES }, does: () => vault.edit("bot", "a.md", "two", "2") },
    "edits of CRLF, a BOM and no last line end": {
      notes: { "a.md": "\ufeffone\r\ntwo\r\nthree" },
      does: () => vault.edit("bot", "a.md", "two", "2"),
    },
    "a new note": { notes: {}, does: () => vault.as("bot").write(notePath("f/new.md"), "new\n") },
    "a deletion that marked links": {
      notes: { "a.md": "a", "b.md": "[[a]] and [[a|again]]\n" },
      does: () => vault.as("bot").remove(notePath("a.md"), { trash: true, backlinks: "mark" }),
    },
    "a deletion and a new note of the name": {
      notes: { "a.md": LINES },
      async does() {
        await vault.as("bot").remove(notePath("a.md"));
        await vault.as("bot").write(notePath("a.md"), "other\n");
      },
    },
    "a move": { notes: { "a.md": "a", "b.md": "[[a]]" }, does: () => vault.move("bot", "a.md", "f/c.md") },
    "a move, edited, moved again": {
      notes: { "a.md": LINES, "b.md": "[[a]]" },
      async does() {
        await vault.move("bot", "a.md", "c.md");
        await vault.edit("bot", "c.md", "two", "[[b]]");
        await vault.move("bot", "c.md", "f/d.md");
      },
    },
    "swapped names": {
      notes: { "a.md": "a, [[b]]", "b.md": "b, [[a]]", "c.md": "[[a]] [[b]]" },
      does: () =>
        vault.as("bot").move([
          { from: notePath("a.md"), to: notePath("b.md") },
          { from: notePath("b.md"), to: notePath("a.md") },
        ]),
    },
    "a name given to a new note": {
      notes: { "a.md": "old", "b.md": "[[a]]" },
      async does() {
        await vault.move("bot", "a.md", "c.md");
        await vault.as("bot").write(notePath("a.md"), "new, [[c]]");
      },
    },
    "a note put in the place of a deleted one": {
      notes: { "a.md": "same", "b.md": "same", "c.md": "[[a]] [[b]]" },
      async does() {
        await vault.as("bot").remove(notePath("a.md"));
        await vault.move("bot", "b.md", "a.md");
      },
    },
    "only the case of a name": {
      notes: { "plan.md": "p", "b.md": "[[plan]]" },
      does: () => vault.move("bot", "plan.md", "Plan.md"),
    },
    "notes that are not UTF-8": {
      notes: { "a.md": odd, "b.md": odd },
      async does() {
        await vault.move("bot", "a.md", "c.md");
        await vault.as("bot").remove(notePath("b.md"));
      },
    },
    "a base and its rules": {
      notes: { "a.md": "a" },
      async does() {
        const { bases } = vault.as("bot");
        await bases.add({ name: "work", description: "", subfolder: "Work", organizationRules: "" });
        await vault.as("bot").bases.constrain({
          base: "work",
          subfolder: "Work",
          rules: { content: { min_length: 3 } },
        });
      },
    },
  };

  test.each(Object.keys(rows))("%s", async (name) => {
    const { notes, does } = rows[name]!;
    vault = await openHistory(notes);
    const before = vault.files();
    await does();
    const made = vault.files();
    const revisions = (await vault.notebook.log({ limit: 100 })).length;
    const changeset = await vault.undoAll("bot");
    // What was put in the trash is taken out of it again.
    expect(vault.files()).toEqual(before);
    await expectIndexRight(vault);
    const log = await vault.notebook.log({ limit: 100 });
    expect([log.length, log[0]?.id, log[0]?.author]).toEqual([revisions + 1, changeset.revision, "me"]);

    await vault.as("me").undo([log[0]!]);
    expect(vault.files()).toEqual(untrashed(made));
    await expectIndexRight(vault);
  });
});

describe("a copy in the trash", () => {
  test("stays where it was changed, or is another note's", async () => {
    vault = await openHistory({ "a.md": "a\n", "f/b.md": "b\n", "b.md": "other\n" });
    await vault.as("bot").remove(notePath("a.md"), { trash: true });
    await vault.as("bot").remove(notePath("f/b.md"), { trash: true });
    await vault.as("someone").remove(notePath("b.md"), { trash: true });
    writeFileSync(join(vault.root, ".trash/a.md"), "changed since\n");
    await vault.undoAll("bot");
    expect(vault.files()).toEqual({
      "a.md": "a\n",
      "f/b.md": "b\n",
      ".trash/a.md": "changed since\n",
      ".trash/b (2).md": "other\n",
    });
  });

  test("of a whole folder is taken with its folders", async () => {
    const notes = { "f/a.md": "same\n", "f/g/a.md": "same\n" };
    vault = await openHistory(notes);
    await vault.as("bot").remove({ folder: "f" }, { trash: true });
    await vault.undoAll("bot");
    expect(vault.files()).toEqual(notes);
    expect(existsSync(join(vault.root, ".trash/f"))).toBe(false);
  });
});

describe("again", () => {
  test("what was taken back before leaves nothing to do", async () => {
    vault = await openHistory({ "a.md": LINES, "b.md": "[[a]]" });
    await vault.edit("bot", "a.md", "two", "2");
    await vault.move("bot", "a.md", "c.md");
    await vault.as("bot").write(notePath("n.md"), "new");
    await vault.as("bot").remove(notePath("b.md"));
    await vault.undoAll("bot");
    const before = vault.files();
    const changeset = await vault.undoAll("bot");
    expect([changeset.revision, changeset.changes.filter(changesSomething)]).toEqual([null, []]);
    expect(vault.files()).toEqual(before);
  });

  test("the last first, and then all of them", async () => {
    vault = await openHistory({ "a.md": LINES });
    await vault.move("bot", "a.md", "b.md");
    await vault.edit("bot", "b.md", "two", "2");
    await vault.edit("bot", "b.md", "2", "zwei");
    await vault.as("me").undo([(await vault.by("bot"))[0]!]);
    expect(vault.files()).toEqual({ "b.md": LINES.replace("two", "2") });
    await vault.undoAll("bot");
    expect(vault.files()).toEqual({ "a.md": LINES });
  });

  test("an earlier change alone, with the later ones kept", async () => {
    vault = await openHistory({ "a.md": LINES });
    await vault.edit("bot", "a.md", "one", "1");
    await vault.edit("bot", "a.md", "seven", "7");
    await vault.as("me").undo([(await vault.by("bot"))[1]!]);
    expect(vault.files()).toEqual({ "a.md": LINES.replace("seven", "7") });
  });
});

test("a dry run tells what would change, and changes nothing", async () => {
  vault = await openHistory({ "a.md": LINES, "b.md": "[[a]]" });
  await vault.move("bot", "a.md", "c.md");
  const before = vault.files();
  const revisions = await vault.notebook.log({ limit: 9 });
  const changeset = await vault.undoAll("bot", { dryRun: true });
  expect(changeset.changes.map(({ from, path, after }) => [from, path, after?.text])).toEqual([
    ["c.md", "a.md", LINES],
    [undefined, "b.md", "[[a]]"],
  ]);
  expect([changeset.dryRun, changeset.revision]).toEqual([true, null]);
  expect(vault.files()).toEqual(before);
  expect(await vault.notebook.log({ limit: 9 })).toEqual(revisions);
});

test("a rule that is broken by going back is told, and does not stop it", async () => {
  vault = await openHistory({ "Work/a.md": "x\n", "Work/b.md": "long enough\n" });
  await vault.as("bot").write(notePath("Work/a.md"), "long enough now\n");
  await vault.as("me").bases.add({ name: "work", description: "", subfolder: "Work", organizationRules: "" });
  await vault
    .as("me")
    .bases.constrain({ base: "work", subfolder: "Work", rules: { content: { min_length: 5 } } });
  const { broken } = await vault.undoAll("bot");
  expect(broken).toMatchObject([
    { path: "Work/a.md", verdict: { issues: [{ error: "content_too_short" }] } },
  ]);
  expect(vault.files()["Work/a.md"]).toBe("x\n");
});

test("the revision says what it takes back", async () => {
  vault = await openHistory({ "a.md": LINES });
  await vault.edit("bot", "a.md", "one", "1");
  const [first] = await vault.by("bot");
  expect((await vault.as("me").undo([first!])).message).toBe(
    `Undo: Update note: a\n\nTakes back ${first!.id.slice(0, 10)}`,
  );
  await vault.edit("bot", "a.md", "two", "2");
  expect((await vault.undoAll("bot")).message).toMatch(
    /^Undo 2 changes by bot\n\nTakes back \w{10}, \w{10}$/,
  );
  expect((await vault.as("me").undo([])).revision).toBeNull();
});

test("only the ids count: a revision from the log of one note is taken back whole", async () => {
  vault = await openHistory({ "a.md": "a", "b.md": "[[a]]" });
  const before = vault.files();
  await vault.move("bot", "a.md", "c.md");
  await vault.as("me").undo(await vault.notebook.log({ path: notePath("b.md"), author: "bot", limit: 1 }));
  expect(vault.files()).toEqual(before);
});

test("an unknown revision is refused", async () => {
  vault = await openHistory({ "a.md": "a" });
  const [first] = await vault.notebook.log({ limit: 1 });
  const error: unknown = await vault
    .as("me")
    .undo([{ ...first!, id: "0".repeat(40) }])
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NoteError);
  expect(error).toMatchObject({ code: "revision_missing" });
});

describe("restore", () => {
  test("brings a deleted note back as it was", async () => {
    vault = await openHistory({ "a.md": LINES });
    const [found] = await vault.notebook.log({ limit: 1 });
    await vault.as("bot").remove(notePath("a.md"));
    await vault.as("me").restore(notePath("a.md"), found!.id);
    expect(vault.files()).toEqual({ "a.md": LINES });
    await expectIndexRight(vault);
  });

  test("does not make a second note under the old name of one that was moved", async () => {
    vault = await openHistory({ "a.md": LINES });
    const [found] = await vault.notebook.log({ limit: 1 });
    await vault.move("bot", "a.md", "b.md");
    await expect(vault.as("me").restore(notePath("a.md"), found!.id)).rejects.toMatchObject({
      code: "note_missing",
      details: { movedTo: "b.md" },
    });
    expect(Object.keys(vault.files())).toEqual(["b.md"]);
  });
});
