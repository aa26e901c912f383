/** What accepting and declining do: merged, conflicting, note by note, on what others wrote meanwhile; in memory. */

import { afterEach, describe, expect, it } from "vitest";
import type { NoteError } from "../../src/markdown/errors.ts";
import type { ProposalConflict } from "../../src/notebook/proposals/accepting.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { onlyOne, openSide, textsOf, type Side } from "./sides.ts";

const NOTES = {
  "Ada.md": "# Ada\n\nShe met [[Bea]].\n\nA long day.\n\nThe end.\n",
  "Bea.md": "Bea knows [[Ada]].\n",
  "Eve.md": "Eve knows [[Bea]] and [[Ada]].\n\nShe is old.\n\nLast line.\n",
  "Solo.md": "Alone.\n",
};
const eve = (first: string, last = "Last line."): string => `${first}\n\nShe is old.\n\n${last}\n`;
let side: Side;
const open = async (notes: Record<string, string> = NOTES): Promise<void> => {
  side = await openSide("propose", { folder: false, notes });
};
afterEach(async () => {
  expect(side.vault.logged).toEqual([]);
  await side.vault.close();
});

const replace = (note: string, find: string, text: string): [string, string, object] => [
  "native",
  "edit_notes",
  { edits: [{ note, do: "replace_text", find, text }] },
];
const move = (from: string, to: string): [string, string, object] => [
  "native",
  "move_notes",
  { moves: [{ from, to }] },
];
const done = async (...call: [string, string, object]): Promise<string[]> => {
  const answer = await side.call(...call);
  expect(answer.isError, textsOf(answer)[0]).toBeFalsy();
  return textsOf(answer);
};
const refused = async (work: Promise<unknown>): Promise<NoteError> => {
  const error = await work.then(
    () => null,
    (reason: NoteError) => reason,
  );
  expect(error).not.toBeNull();
  return error!;
};
const proposals = () => side.vault.notebook.proposals;
const text = async (path: string): Promise<string | undefined> => (await side.vault.state()).get(path);

describe("accepting", () => {
  it("merges with what was written since in other lines", async () => {
    await open();
    await done(...replace("Ada.md", "The end.", "The very end."));
    await side.vault.put("Ada.md", NOTES["Ada.md"].replace("# Ada", "# Ada Lovelace"));
    await proposals().accept(await onlyOne(side));
    expect(await text("Ada.md")).toBe("# Ada Lovelace\n\nShe met [[Bea]].\n\nA long day.\n\nThe very end.\n");
  });

  it("of two proposals that touch one paragraph the second is shown as a conflict, and a person can write the result", async () => {
    await open();
    await side.as({ name: "one" })(...replace("Ada.md", "A long day.", "A long and good day."));
    await side.as({ name: "two" })(...replace("Ada.md", "A long day.", "A short day."));
    const [two, one] = (await proposals().list()).toSorted((a, b) => (a.by.client < b.by.client ? 1 : -1));
    await proposals().accept(one!.id);
    const { shown } = await proposals().one(two!.id);
    expect(shown[0]!.conflict).toMatchObject({
      reason: "was changed in the same lines since",
      lines: [{ ours: "A long and good day.\n", theirs: "A short day.\n", line: 5 }],
    });
    const before = await side.vault.state();
    const error = await refused(proposals().accept(two!.id));
    expect(error.code).toBe("version_conflict");
    expect((error.details["conflicts"] as ProposalConflict[])[0]!.path).toBe("Ada.md");
    expect(await side.vault.state()).toEqual(before);
    const path = notePath("Ada.md");
    const stale = new Map([[path, { text: "x", seen: "0".repeat(40) }]]);
    expect((await refused(proposals().accept(two!.id, { texts: stale }))).message).toContain(
      "since you were shown it",
    );
    const texts = new Map([[path, { text: "Mine.\n", seen: shown[0]!.seen }]]);
    await proposals().accept(two!.id, { texts });
    expect(await text("Ada.md")).toBe("Mine.\n");
    expect(await proposals().list()).toEqual([]);
  });

  it("names the state that was shown: one that has grown is another, and nothing is written", async () => {
    await open();
    await done(...replace("Ada.md", "The end.", "First."));
    const shown = await onlyOne(side);
    await done(...replace("Ada.md", "First.", "Second."));
    const grown = await onlyOne(side);
    expect(grown.slice(0, 8)).toBe(shown.slice(0, 8));
    expect(grown).not.toBe(shown);
    for (const id of [shown, shown.slice(0, 8)])
      for (const decide of [proposals().accept, proposals().decline])
        expect(["version_conflict", "input_refused"]).toContain((await refused(decide(id))).code);
    expect(await side.vault.state()).toEqual(new Map(Object.entries(NOTES)));
    await proposals().accept(grown);
    expect(await text("Ada.md")).toContain("Second.");
  });

  it("takes single notes, and leaves the others open", async () => {
    await open();
    await done("native", "edit_notes", {
      edits: [
        { note: "Ada.md", do: "append", text: "a" },
        { note: "Bea.md", do: "append", text: "b" },
        { note: "Eve.md", do: "append", text: "e" },
      ],
    });
    await proposals().accept(await onlyOne(side), { notes: [notePath("Bea.md")] });
    expect([await text("Ada.md"), await text("Bea.md")]).toEqual([
      NOTES["Ada.md"],
      expect.stringContaining("\nb\n"),
    ]);
    await proposals().decline(await onlyOne(side), { notes: [notePath("Eve.md")] });
    const [left] = await proposals().list();
    expect(left!.notes.map(({ path }) => path)).toEqual(["Ada.md"]);
    expect(await proposals().settled()).toMatchObject([{ outcome: "declined", notes: 1, path: "Eve.md" }]);
    expect((await refused(proposals().accept(left!.id, { notes: [notePath("Eve.md")] }))).code).toBe(
      "note_missing",
    );
    await proposals().accept(left!.id);
    expect(await text("Eve.md")).toBe(NOTES["Eve.md"]);
    expect(await proposals().list()).toEqual([]);
  });

  it("works out anew which links follow a move, also in notes that came since", async () => {
    await open();
    await done(...move("Bea.md", "People/Beatrice.md"));
    expect((await proposals().list())[0]!.linking).toEqual(["Ada.md", "Eve.md"]);
    await side.vault.put("New.md", "See [[Bea]].\n");
    await side.vault.put("Eve.md", "Eve knows nobody.\n");
    await proposals().accept(await onlyOne(side));
    expect([await text("New.md"), await text("Eve.md")]).toEqual([
      "See [[Beatrice]].\n",
      "Eve knows nobody.\n",
    ]);
    expect(await text("People/Beatrice.md")).toBe("Bea knows [[Ada]].\n");
  });

  it("an edit on top of a rewritten link stays an edit, whichever of both is taken", async () => {
    for (const [taken, expected] of [
      ["Eve.md", eve("Eve knows [[Bea]] and [[Ada]].", "More.")],
      ["Beatrice.md", eve("Eve knows [[Beatrice]] and [[Ada]].")],
    ] as const) {
      await open();
      await done(...move("Bea.md", "Beatrice.md"));
      await done(...replace("Eve.md", "Last line.", "More."));
      await proposals().accept(await onlyOne(side), { notes: [notePath(taken)] });
      expect(await text("Eve.md")).toBe(expected);
      await proposals().accept(await onlyOne(side));
      expect(await text("Eve.md")).toBe(eve("Eve knows [[Beatrice]] and [[Ada]].", "More."));
      if (taken === "Eve.md") await side.vault.close();
    }
  });

  it("is told what is in the way, and nothing is half done: a note gone, a name taken, a rule, a folder lost", async () => {
    await open({ ...NOTES, "kb/one.md": "One.\n" });
    const state = async (): Promise<unknown> => side.vault.state();
    await done("native", "edit_notes", {
      edits: [
        { note: "Ada.md", do: "append", text: "a" },
        { note: "kb/one.md", do: "append", text: "b" },
      ],
    });
    await done("native", "write_note", { path: "New.md", text: "new\n" });
    await done(...move("Solo.md", "Moved.md"));
    const ids = new Map((await proposals().list()).map((it) => [it.notes[0]!.path as string, it.id]));
    const { notebook } = side.vault;
    await notebook.remove(notePath("Ada.md"), {});
    await side.vault.put("New.md", "another\n");
    await side.vault.put("Moved.md", "in the way\n");
    const before = await state();
    for (const [path, words] of [
      ["Ada.md", "no longer there"],
      ["New.md", "is there by now"],
      ["Moved.md", "another note has"],
    ]) {
      const error = await refused(proposals().accept(ids.get(path!)!));
      expect([error.code, error.message]).toEqual(["version_conflict", expect.stringContaining(words!)]);
    }
    const only = { notes: [notePath("kb/one.md")] };
    const outside = await refused(proposals().accept(ids.get("Ada.md")!, { ...only, folders: ["People"] }));
    expect([outside.code, outside.details["path"]]).toEqual(["path_refused", "kb/one.md"]);
    expect(await state()).toEqual(before);
    await notebook.bases.add({ name: "kb", description: "d", subfolder: "kb", organizationRules: "none" });
    await notebook.bases.constrain({
      base: "kb",
      subfolder: "kb",
      rules: { content: { max_length: 1 } },
    } as never);
    expect((await refused(proposals().accept(ids.get("Ada.md")!, only))).code).toBe("rule_broken");
    expect(await text("kb/one.md")).toBe("One.\n");
    expect(await proposals().list()).toHaveLength(3);
  });

  it("a removal of a note that was edited since is a conflict; accepted, it goes where removed notes go", async () => {
    await open();
    await done("obsidian", "delete_note", { name: "Bea" });
    await side.vault.put("Bea.md", "Edited since.\n");
    expect((await refused(proposals().accept(await onlyOne(side)))).message).toContain("since its removal");
    await side.vault.put("Bea.md", NOTES["Bea.md"]);
    const { trash } = await proposals().accept(await onlyOne(side));
    expect(trash).toBe(".trash/Bea.md");
  });

  it("what is there already is accepted, and nothing is written twice", async () => {
    await open();
    await done("native", "write_note", { path: "New.md", text: "new\n" });
    await side.vault.put("New.md", "new\n");
    const { revision } = await proposals().accept(await onlyOne(side));
    expect(revision).toBeNull();
    expect(await proposals().list()).toEqual([]);
  });

  it("a dry run writes nothing, and leaves it open", async () => {
    await open();
    await done(...replace("Ada.md", "The end.", "An end."));
    const { changes } = await proposals().accept(await onlyOne(side), { dryRun: true });
    expect(changes[0]!.after!.text).toContain("An end.");
    expect(await text("Ada.md")).toBe(NOTES["Ada.md"]);
    await onlyOne(side);
  });
});

describe("what is put on top", () => {
  const chains: [string, [string, string, object][], Record<string, string>][] = [
    [
      "edits of one note",
      [replace("Ada.md", "The end.", "One."), replace("Ada.md", "One.", "Two.")],
      { "Ada.md": NOTES["Ada.md"].replace("The end.", "Two.") },
    ],
    [
      "an edit and a move",
      [replace("Bea.md", "knows", "likes"), move("Bea.md", "B.md"), replace("B.md", "likes", "loves")],
      { "B.md": "Bea loves [[Ada]].\n", "Eve.md": eve("Eve knows [[B]] and [[Ada]].") },
    ],
    [
      "two moves",
      [move("Bea.md", "B.md"), move("B.md", "C.md")],
      { "C.md": NOTES["Bea.md"], "Eve.md": eve("Eve knows [[C]] and [[Ada]].") },
    ],
    [
      "a note in the place of one that goes",
      [
        ["native", "delete_note", { path: "Bea.md" }],
        ["native", "write_note", { path: "Bea.md", text: "Another Bea.\n" }],
      ],
      { "Bea.md": "Another Bea.\n" },
    ],
    [
      "a note moved into the place of one that goes",
      [["native", "delete_note", { path: "Eve.md" }], move("Bea.md", "Eve.md")],
      { "Eve.md": NOTES["Bea.md"], "Ada.md": NOTES["Ada.md"].replace("[[Bea]]", "[[Eve]]") },
    ],
  ];
  it.each(chains)(
    "%s: one proposal, and after it the vault that writing at once leaves",
    async (_, calls, expected) => {
      await open();
      for (const call of calls) await done(...call);
      expect(await side.vault.state()).toEqual(new Map(Object.entries(NOTES)));
      const writes = await openSide("write", { folder: false, notes: NOTES });
      for (const call of calls) await writes.call(...call);
      await proposals().accept(await onlyOne(side));
      expect(Object.fromEntries(await side.vault.state())).toMatchObject(expected);
      expect(await side.vault.state()).toEqual(await writes.vault.state());
      await writes.vault.close();
    },
  );

  it("a note that was proposed and is removed again leaves nothing but a line", async () => {
    await open();
    await done("native", "write_note", { path: "New.md", text: "new\n" });
    const words = await done("native", "delete_note", { path: "New.md" });
    expect(words.at(-1)).toContain("nothing is left");
    expect(await proposals().list()).toEqual([]);
    expect(await proposals().settled()).toMatchObject([{ outcome: "withdrawn" }]);
  });

  it("proposals that one change joins become one", async () => {
    await open();
    await done(...replace("Ada.md", "The end.", "An end."));
    await done(...replace("Eve.md", "knows", "likes"));
    expect(await proposals().list()).toHaveLength(2);
    await done(...move("Bea.md", "B.md"));
    const [one] = await proposals().list();
    expect(one!.notes.map(({ path }) => path).toSorted()).toEqual(["Ada.md", "B.md", "Eve.md"]);
    await proposals().accept(await onlyOne(side));
    expect(await text("Eve.md")).toBe(eve("Eve likes [[B]] and [[Ada]]."));
  });
});
