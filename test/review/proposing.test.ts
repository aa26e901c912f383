/** What somebody who proposes is answered: their own open text, and nobody else's; their limits; and a law on chains of calls. */

import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { BYTES_LIMIT, OPEN_DAYS, OPEN_LIMIT } from "../../src/notebook/proposals/proposal.ts";
import { memoryShelf } from "../../src/notebook/proposals/shelf.ts";
import { openNotebook, type Notebook } from "../../src/notebook/notebook.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { runs } from "../soak-size.ts";
import { onlyOne, openSide, textsOf, type Side } from "./sides.ts";

const NOTES = {
  "Ada.md": "# Ada\n\nShe met [[Bea]].\n\nThe end.\n",
  "Bea.md": "---\nid: a3f7b2c1\n---\nBea knows [[Ada]].\n",
  "Work/Plan.md": "The plan.\n",
};
let side: Side;
const open = async (notes: Record<string, string> = NOTES): Promise<void> => {
  side = await openSide("propose", { folder: false, notes });
};
afterEach(async () => {
  expect(side.vault.logged).toEqual([]);
  await side.vault.close();
});
const said = async (...call: [string, string, object]): Promise<string> =>
  textsOf(await side.call(...call)).join("\n");
const write = (path: string, text = "text\n"): [string, string, object] => [
  "native",
  "write_note",
  { path, text },
];
const proposals = () => side.vault.notebook.proposals;

describe("somebody who proposes", () => {
  it("reads and finds by name what they proposed, and is told so; others see the vault", async () => {
    await open();
    await said("obsidian", "create_note", { name: "New", content: "brand new" });
    await said("obsidian", "append_note", { name: "Ada", text: "appended" });
    const waits = /is shown as you proposed it, not as it is: [0-9a-f]{8}-[0-9a-f]{10} waits/;
    for (const [surface, tool, input, holds] of [
      ["obsidian", "read_note", { name: "New" }, "brand new"],
      ["obsidian", "read_note", { name: "Ada" }, "appended"],
      ["native", "read_notes", { notes: ["New"] }, "brand new"],
      ["wiki", "get_note", { path: "New" }, "brand new"],
      ["cairn", "cairn_read", { path: "Ada" }, "appended"],
    ] as const) {
      const words = await said(surface, tool, input);
      expect(words, tool).toContain(holds);
      expect(words, tool).toMatch(waits);
      const other = textsOf(await side.as({ name: "other" })(surface, tool, input)).join("\n");
      expect(other, tool).not.toContain(holds);
      expect(other, tool).not.toMatch(waits);
    }
    const plain = await said("native", "read_notes", { notes: ["Bea.md"] });
    expect(plain).not.toMatch(waits);
  });

  it("finds a note by its id, and a name that they took is taken", async () => {
    await open();
    const [added] = textsOf(await side.call("notes", "AddNote", { title: "Added", content: "words" }));
    const id = /[0-9a-f]{8}/.exec(added!)![0];
    expect(await said("notes", "GetNote", { id })).toContain("words");
    await said("notes", "UpdateNote", { id, content: "other words" });
    expect(await said("notes", "GetNote", { id })).toContain("other words");
    await said("notes", "DeleteNote", { id: "a3f7b2c1" });
    expect(await said("notes", "GetNote", { id: "a3f7b2c1" })).toContain("not found");
    expect(await said("obsidian", "create_note", { name: "Added", content: "x" })).toContain("already");
    expect(await said(...write("Added.md", "x"))).toContain("already");
  });

  it("searches, lists and links see the vault, and say how many notes wait", async () => {
    await open();
    await said(...write("New.md", "xylophone\n"));
    await said("native", "move_notes", { moves: [{ from: "Bea.md", to: "B.md" }] });
    for (const [tool, input] of [
      ["search_notes", { query: "xylophone" }],
      ["list_notes", {}],
      ["get_links", { note: "Work/Plan.md" }],
    ] as const)
      expect(await said("native", tool, input), tool).toContain("3 notes wait for review");
    expect(await said("native", "search_notes", { query: "xylophone" })).not.toContain("New.md");
    const words = textsOf(await side.call(...write("Newer.md")));
    expect(words).toHaveLength(2);
  });

  it("cannot decide, nor see proposals; nor can somebody who writes", async () => {
    await open();
    await said(...write("New.md"));
    const id = await onlyOne(side);
    const as = (rights: "propose" | "write" | "read", folders?: string[]): Notebook["proposals"] =>
      side.vault.notebook.as({
        client: "c",
        surface: "s",
        tool: "t",
        connection: "",
        rights,
        ...(folders ? { folders } : {}),
      }).proposals;
    for (const theirs of [as("propose"), as("write"), as("read", ["Work"])])
      for (const work of [theirs.list, () => theirs.one(id), theirs.settled])
        await expect(work()).rejects.toMatchObject({ code: "read_only" });
    for (const theirs of [as("propose"), as("write"), as("read")])
      for (const decide of [theirs.accept, theirs.decline])
        await expect(decide(id)).rejects.toMatchObject({ code: "read_only" });
    await onlyOne(side);
  });

  it("kept to a folder, proposes inside it alone; links elsewhere follow when it is accepted", async () => {
    await open({ ...NOTES, "Out.md": "See [[Plan]].\n" });
    const kept = side.as({ name: "kept", folders: ["Work"] });
    expect((await kept("native", "write_note", { path: "Ada.md", text: "x" })).isError).toBe(true);
    const moved = textsOf(
      await kept("native", "move_notes", { moves: [{ from: "Work/Plan.md", to: "Work/Plans.md" }] }),
    );
    expect(moved.join("\n")).not.toContain("Out.md");
    expect(textsOf(await kept("native", "read_notes", { notes: ["Out.md"] })).join("")).toContain(
      "note_missing",
    );
    expect(textsOf(await kept("native", "read_notes", { notes: ["Plans"] })).join("")).toContain("The plan.");
    await proposals().accept(await onlyOne(side), { folders: ["Work"] });
    expect((await side.vault.state()).get("Out.md")).toBe("See [[Plans]].\n");
  });

  it("hears of proposals that come and go", async () => {
    await open();
    let heard = 0;
    const stop = proposals().listen(() => void heard++);
    await said(...write("New.md"));
    expect(heard).toBe(1);
    await proposals().decline(await onlyOne(side));
    expect(heard).toBe(2);
    stop();
    await said(...write("New.md"));
    expect(heard).toBe(2);
  });
});

describe("limits", () => {
  it(`${OPEN_LIMIT} open proposals an identity, then busy; programs without one share theirs`, async () => {
    await open({});
    const stdio = side.as({ name: null }, "one");
    const theirs = (at: number) =>
      side.vault.notebook.as({
        client: at % 2 === 0 ? "one" : "two",
        surface: "native",
        tool: "write_note",
        connection: "",
        rights: "propose",
      });
    for (let at = 0; at < OPEN_LIMIT; at++) await theirs(at).write(notePath(`${at}.md`), "x");
    const refusal = await stdio("native", "write_note", { path: "more.md", text: "x" });
    expect(textsOf(refusal)[0]).toMatch(/busy: 200 proposals wait/);
    // One of those that wait may grow, and an identity has a share of its own.
    expect(
      (await stdio("native", "edit_notes", { edits: [{ note: "0.md", do: "append", text: "x" }] })).isError,
    ).toBeFalsy();
    expect((await side.call(...write("more.md"))).isError).toBeFalsy();
    await proposals().decline((await proposals().list())[0]!.id);
  });

  it("so many bytes of open text an identity", async () => {
    await open({});
    const large = "x".repeat(7 * 1024 * 1024);
    for (let at = 0; (at + 1) * large.length < BYTES_LIMIT; at++)
      expect((await side.call(...write(`${at}.md`, large))).isError).toBeFalsy();
    expect(await said(...write("more.md", large))).toContain("busy");
  });

  it(`what has waited for ${OPEN_DAYS} days goes, and leaves a line`, async () => {
    await open();
    await said(...write("Old.md"));
    const start = side.vault.notebook.now().getTime();
    const id = await onlyOne(side);
    side.vault.setClock(new Date(start + (OPEN_DAYS + 1) * 24 * 60 * 60 * 1000));
    expect(await proposals().list()).toEqual([]);
    expect(await said("native", "read_notes", { notes: ["Old.md"] })).toContain("note_missing");
    for (const decide of [proposals().accept, proposals().one])
      await expect(decide(id)).rejects.toMatchObject({ code: "revision_missing" });
    expect((await side.vault.state()).has("Old.md")).toBe(false);
    await said(...write("New.md"));
    expect((await proposals().list()).map(({ notes }) => notes[0]!.path)).toEqual(["New.md"]);
    expect(await proposals().settled()).toMatchObject([{ outcome: "expired", path: "Old.md" }]);
  });

  it("a place that takes less says so: too much at once is too large, too much in all is busy", async () => {
    await open({});
    const MIB = 1024 * 1024;
    const parts = { ...side.vault.parts, proposals: memoryShelf(4 * MIB) };
    const who = { surface: "s", tool: "t", connection: "", rights: "propose" as const };
    const [one, two] = ["one", "two"].map((client) => openNotebook(parts).as({ ...who, client }));
    const refusal = { code: "too_large", message: expect.stringContaining("10000 notes and 4 MiB of text") };
    await expect(one!.write(notePath("a.md"), "x".repeat(5 * MIB))).rejects.toMatchObject(refusal);
    await one!.write(notePath("a.md"), "x".repeat(3 * MIB));
    await expect(two!.write(notePath("b.md"), "x".repeat(2 * MIB))).rejects.toMatchObject({
      code: "busy",
      message: expect.stringContaining("no room for this"),
    });
  });
});

describe("a law", () => {
  const path = fc.constantFrom("Ada.md", "Bea.md", "Eve.md", "New.md", "Work/Plan.md");
  const call: fc.Arbitrary<[string, string, object]> = fc.oneof(
    fc
      .record({ path, text: fc.constantFrom("new [[Ada]]\n", "see [[Bea]] and [[Plan]]\n") })
      .map(({ path: at, text }): [string, string, object] => ["native", "write_note", { path: at, text }]),
    fc
      .record({ note: path, text: fc.constantFrom("more [[Eve]]", "and [[Bea]]") })
      .map(({ note, text }): [string, string, object] => [
        "native",
        "edit_notes",
        { edits: [{ note, do: "append", text }] },
      ]),
    fc
      .record({ from: path, to: path })
      .map(({ from, to }): [string, string, object] => ["native", "move_notes", { moves: [{ from, to }] }]),
    fc
      .record({ at: path, mark: fc.boolean() })
      .map(({ at, mark }): [string, string, object] => [
        "native",
        "delete_note",
        { path: at, mark_links: mark },
      ]),
  );

  it("whatever they call, accepted it leaves the notes that writing at once leaves", async () => {
    await open();
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 5 }), async (calls) => {
        const notes = { ...NOTES, "Eve.md": "Eve: [[Ada]], [[Bea|B]].\n" };
        const [proposes, writes] = [
          await openSide("propose", { folder: false, notes }),
          await openSide("write", { folder: false, notes }),
        ];
        try {
          for (const [at, one] of calls.entries()) {
            for (const { vault } of [proposes, writes]) vault.setClock(new Date(Date.UTC(2026, 0, 16, at)));
            const [mine, theirs] = [await proposes.call(...one), await writes.call(...one)];
            expect([mine.isError ?? false, ...one]).toEqual([theirs.isError ?? false, ...one]);
          }
          expect(await proposes.vault.state()).toEqual(new Map(Object.entries(notes)));
          const { proposals: theirs } = proposes.vault.notebook;
          // What is accepted later is worked out on what is there then, so the order counts: one that grew while another was made has none.
          const began = (await theirs.list()).toSorted((a, b) => a.first.getTime() - b.first.getTime());
          if (began.some(({ first }, at) => at > 0 && began[at - 1]!.last > first)) return;
          for (const { id } of began) await theirs.accept(id);
          expect(await proposes.vault.state()).toEqual(await writes.vault.state());
        } finally {
          await proposes.vault.close();
          await writes.vault.close();
        }
      }),
      runs(60),
    );
  });
});
