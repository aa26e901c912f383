/** Proposals about files that are no notes: moved, removed and brought back by their pointers, with the embeds and canvases that name them. */

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { linkedPath, type NotePath } from "../../src/notebook/paths.ts";
import { everythingIn, onlyOne, openSide, textsOf, type Side } from "./sides.ts";

const NOTES = {
  "pics/cat.png": "\u0089PNG of a cat",
  "pics/dog.png": "\u0089PNG of a dog",
  "Zoo.md": "![[cat.png]] and ![[pics/dog.png]]\n",
  "Ape.md": "An ape.\n",
  "board.canvas":
    '{"nodes":[{"id":"1","type":"file","file":"pics/cat.png"},{"id":"2","type":"file","file":"Ape.md"}]}',
};
const MOVE = "move_notes";
let side: Side;
const open = async (): Promise<void> => {
  side = await openSide("propose", { notes: NOTES });
};
afterEach(async () => {
  expect(side.vault.logged).toEqual([]);
  await side.vault.close();
});
const said = async (tool: string, input: object): Promise<string> =>
  textsOf(await side.call("native", tool, input)).join("\n");
const move = (from: string, to: string): Promise<string> => said(MOVE, { moves: [{ from, to }] });
const proposals = () => side.vault.notebook.proposals;
const state = (): Promise<Record<string, string>> => everythingIn(side);
const path = (written: string): NotePath => linkedPath(written) as NotePath;
const CAT = path("pics/cat.png");

describe("a file", () => {
  it("moved: it waits as a pointer, embeds and canvases follow when it is accepted, and it can be undone", async () => {
    await open();
    const before = await state();
    expect(await move("pics/cat.png", "animals/tom.png")).toContain("Not written yet");
    expect(await state()).toEqual(before);
    const [info] = await proposals().list();
    expect(info!.notes).toMatchObject([
      { path: "animals/tom.png", origin: "pics/cat.png", kind: "moved", file: 14 },
    ]);
    expect(info!.linking.toSorted()).toEqual(["Zoo.md", "board.canvas"]);
    // A further move goes on top, and the proposer reads it there.
    await move("animals/tom.png", "animals/tim.png");
    const { notebook } = side.vault;
    const theirs = notebook.as({
      client: "claude",
      program: "Claude",
      surface: "s",
      tool: "t",
      connection: "c",
      rights: "propose",
    });
    expect((await theirs.file("animals/tim.png" as never, 100)).size).toBe(14);
    await expect(theirs.file("pics/cat.png" as never, 100)).rejects.toMatchObject({ code: "note_missing" });
    const { revision } = await proposals().accept(await onlyOne(side));
    const after = await state();
    expect(after["animals/tim.png"]).toBe(before["pics/cat.png"]);
    expect(after["pics/cat.png"]).toBeUndefined();
    expect(after["Zoo.md"]).toBe("![[tim.png]] and ![[pics/dog.png]]\n");
    expect(after["board.canvas"]).toBe(NOTES["board.canvas"].replace("pics/cat.png", "animals/tim.png"));
    await notebook.undo([await notebook.revision(revision!)]);
    expect(await state()).toEqual(before);
  });

  it("a note that a canvas names is moved: the canvas follows, and a canvas that was edited since is kept", async () => {
    await open();
    await move("Ape.md", "Gorilla.md");
    const { vault } = side;
    const edited = NOTES["board.canvas"].replace('"id":"1"', '"id":"one"');
    writeFileSync(join(vault.root!, "board.canvas"), edited);
    await vault.notebook.refresh();
    await proposals().accept(await onlyOne(side));
    expect((await state())["board.canvas"]).toBe(edited.replace("Ape.md", "Gorilla.md"));
  });
});

it("a file that is gone, or holds other bytes since: told, and nothing is half done", async () => {
  await open();
  await move("pics/", "animals/");
  const id = await onlyOne(side);
  const root = side.vault.root!;
  writeFileSync(join(root, "pics/cat.png"), "\u0089PNG of another cat");
  const before = await state();
  await expect(proposals().accept(id)).rejects.toMatchObject({
    code: "version_conflict",
    message: expect.stringContaining('"animals/cat.png" holds other bytes than when it was proposed'),
  });
  rmSync(join(root, "pics/cat.png"));
  await expect(proposals().accept(id)).rejects.toThrow('"animals/cat.png" is no longer there');
  await side.vault.notebook.refresh();
  expect(await state()).toEqual({ ...before, "pics/cat.png": undefined });
  const texts = new Map([[path("animals/dog.png"), { text: "text", seen: null }]]);
  await expect(proposals().accept(id, { texts })).rejects.toMatchObject({ code: "version_conflict" });
  await proposals().accept(id, { notes: [path("animals/dog.png")] });
  expect((await state())["animals/dog.png"]).toBe(NOTES["pics/dog.png"]);
  expect((await state())["Zoo.md"]).toBe("![[cat.png]] and ![[animals/dog.png]]\n");
});

it("removed, and brought back by an undo that is proposed too; where the trash has it no longer, that is told", async () => {
  await open();
  await side.vault.notebook.record(side.vault.parts.store, new AbortController().signal);
  const before = await state();
  await said("delete_note", { path: "pics/cat.png" });
  expect(await state()).toEqual(before);
  const { revision } = await proposals().accept(await onlyOne(side));
  const root = side.vault.root!;
  expect((await state())[CAT]).toBeUndefined();
  const undo = { revisions: [revision!] };
  expect(await said("undo_changes", undo)).toContain("Not written yet");
  expect((await state())[CAT]).toBeUndefined();
  expect((await proposals().list())[0]!.notes).toMatchObject([{ path: CAT, kind: "new", file: 14 }]);
  await proposals().accept(await onlyOne(side));
  expect((await state())[CAT]).toBe(NOTES[CAT as "pics/cat.png"]);
  await said("delete_note", { path: "pics/cat.png" });
  const again = await proposals().accept(await onlyOne(side));
  await said("undo_changes", { revisions: [again.revision!] });
  rmSync(join(root, ".trash"), { recursive: true });
  await expect(proposals().accept(await onlyOne(side))).rejects.toThrow(
    "has its bytes no longer in the trash",
  );
});

it("the removal of a file whose links are marked: notes with such links follow, and nobody is asked about them", async () => {
  await open();
  const who = { client: "claude", surface: "native", tool: "t", connection: "c", rights: "propose" } as const;
  await side.vault.notebook.as(who).remove(CAT, { backlinks: "mark", trash: true });
  const [removal] = await proposals().list();
  expect(removal!.notes).toMatchObject([{ path: CAT, kind: "removed" }]);
  expect(removal!.linking.toSorted()).toEqual(["Zoo.md", "board.canvas"]);
  await proposals().accept(removal!.id);
  expect((await state())["Zoo.md"]).toBe("![[cat.png (deleted)]] and ![[pics/dog.png]]\n");
});

it("two folders of one name that one proposal removes: each has a place of its own in the trash", async () => {
  side = await openSide("propose", {
    notes: { "one/x/a.md": "1\n", "two/x/a.md": "2\n", "Links.md": "[[one/x/a]] [[two/x/a]]\n" },
  });
  const who = { client: "claude", surface: "native", tool: "t", connection: "c", rights: "propose" } as const;
  const theirs = side.vault.notebook.as(who);
  for (const folder of ["one/x", "two/x"])
    await theirs.remove({ folder }, { backlinks: "mark", trash: true });
  await proposals().accept(await onlyOne(side));
  expect(await state()).toEqual({
    ".trash/x/a.md": "1\n",
    ".trash/x (2)/a.md": "2\n",
    "Links.md": "[[a (deleted)]] [[a (deleted)]]\n",
  });
});
