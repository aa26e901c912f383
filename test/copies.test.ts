/** Copies of a vault, carried to and fro: what both changed is put together, nothing is lost or doubled, wherever it is cut short. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { carried, notesOf, openCopies, type Copies } from "./copies.ts";

const remove = async (vault: Copies["here"], path: string): Promise<void> => {
  rmSync(join(vault.root!, path));
  await vault.notebook.refresh();
};
const during = async (work: (copies: Copies) => Promise<void>): Promise<void> => {
  const copies = await openCopies();
  try {
    await work(copies);
  } finally {
    await copies.close();
  }
};
const whats = (done: { do: string; path: string }[]): string[] => done.map((it) => `${it.do} ${it.path}`);

/** Both have agreed on three notes; then everything that can happen to a note happened. */
const divided = async (copies: Copies): Promise<void> => {
  const { here, there } = copies;
  const BASE = "first\n\nsecond\n\nthird\n";
  for (const name of ["apart", "overlap", "gone here", "gone there", "kept", "moved", "same"])
    await here.put(`${name}.md`, `${name}\n${BASE}`);
  await carried(copies, "push");
  await here.put("apart.md", `apart\n${BASE.replace("first", "FIRST")}`);
  await there.put("apart.md", `apart\n${BASE.replace("third", "THIRD")}`);
  await here.put("overlap.md", `overlap\n${BASE.replace("second", "here")}`);
  await there.put("overlap.md", `overlap\n${BASE.replace("second", "there")}`);
  await remove(here, "gone here.md");
  await remove(there, "gone there.md");
  await remove(here, "kept.md");
  await there.put("kept.md", "changed there\n");
  await here.put("folder/moved.md", `moved\n${BASE}`);
  await remove(here, "moved.md");
  await here.put("new here.md", "new here\n");
  await there.put("new there.md", "new there\n");
  await here.put("both.md", "of here\n");
  await there.put("both.md", "of there\n");
  await here.put("alike.md", "alike\n");
  await there.put("alike.md", "alike\n");
};

test("everything that can happen to a note, pushed and then pulled", () =>
  during(async (copies) => {
    const { here, there } = copies;
    await divided(copies);
    const before = await notesOf(here);
    const pushed = await carried(copies, "push");
    expect(whats(pushed).toSorted()).toEqual([
      "copy both.md",
      "copy overlap.md",
      "create new here.md",
      "merge apart.md",
      "move folder/moved.md",
      "remove gone here.md",
    ]);
    // A push changes nothing here.
    expect(await notesOf(here)).toEqual(before);
    await carried(copies, "pull");
    const both = await notesOf(here);
    expect(both).toEqual(await notesOf(there));
    expect(both["apart.md"]).toBe("apart\nFIRST\n\nsecond\n\nTHIRD\n");
    expect(both["kept.md"]).toBe("changed there\n");
    expect(both["gone there.md"]).toBeUndefined();
    expect(both["both.md"]).toBe("of there\n");
    const copy = Object.keys(both).filter((path) => path.includes("(conflict "));
    expect(copy.map((path) => both[path]).toSorted()).toEqual([
      "of here\n",
      "overlap\nfirst\n\nhere\n\nthird\n",
    ]);
    expect(Object.keys(both)).toHaveLength(11);
    for (const verb of ["push", "pull"] as const) expect(await carried(copies, verb)).toEqual([]);
    // Both histories know it; a note that was moved keeps its past.
    expect((await there.notebook.log({ path: "folder/moved.md" as never, limit: 9 })).length).toBe(2);
    const [last] = await here.notebook.log({ path: "apart.md" as never, limit: 1 });
    expect(last).toMatchObject({ author: "tester", message: expect.stringMatching(/^Pull /) });
  }));

/** Each third step here, all of them in `npm run test:edge`. */
const STRIDE = process.env.NOTEWRIGHT_EDGE === "all" ? 1 : 3;

describe("cut short at any step, and run again", () => {
  test.each(["push", "pull"] as const)("%s: nothing is lost or doubled", async (verb) => {
    const other = verb === "push" ? "pull" : "push";
    let whole: Record<string, string> = {};
    let steps = 0;
    await during(async (copies) => {
      await divided(copies);
      await carried(copies, verb, () => void steps++);
      await carried(copies, other);
      whole = await notesOf(copies.here);
    });
    expect(steps).toBeGreaterThan(12);
    for (let at = 1; at <= steps; at += STRIDE)
      await during(async (copies) => {
        await divided(copies);
        let left = at;
        const killed = carried(copies, verb, () => {
          if (--left === 0) throw new Error("killed");
        });
        await expect(killed).rejects.toThrow("killed");
        // The last line may have been cut short, too.
        if (at % 3 === 0) copies.text = copies.text.slice(0, -5);
        const turned = at % 2 === 0;
        await carried(copies, turned ? other : verb);
        await carried(copies, turned ? verb : other);
        const state = await notesOf(copies.here);
        expect(await notesOf(copies.there)).toEqual(state);
        // The other way round, another of two texts may be the copy.
        if (!turned) expect(state).toEqual(whole);
        expect(Object.values(state).toSorted()).toEqual(Object.values(whole).toSorted());
      });
  });
});

test("what was refused for the sake of one note is done for the others", () =>
  during(async (copies) => {
    const { here, there } = copies;
    await there.put("Folder/twin.md", "twin\n");
    await carried(copies, "pull");
    await here.put("folder/other.md", "x\n");
    await here.put("fine.md", "fine\n");
    const done = await carried(copies, "push");
    expect(done).toContainEqual(
      expect.objectContaining({
        do: "refuse",
        path: "folder/other.md",
        reason: expect.stringMatching(/Folder/),
      }),
    );
    expect(await notesOf(there)).toMatchObject({ "fine.md": "fine\n" });
  }));

/** What people do: a line at the top or at the end of some note, a new note, one that goes. `mark` is found again. */
type Act = { side: "here" | "there"; note: number; what: "top" | "end" | "write" | "remove" };
const ACTS = fc.array(
  fc.record({
    side: fc.constantFrom<Act["side"]>("here", "there"),
    note: fc.nat(3),
    what: fc.constantFrom<Act["what"]>("top", "end", "write", "remove"),
  }),
  { minLength: 1, maxLength: 6 },
);

test("a law: both are the same after a push and a pull, and no line that was written is lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ACTS, { minLength: 1, maxLength: 3 }), fc.boolean(), (rounds, pullFirst) =>
      during(async (copies) => {
        let count = 0;
        const live = new Set<string>();
        const marksIn = (text: string): string[] => text.match(/mark \d+\n/g) ?? [];
        for (const acts of rounds) {
          for (const { side, note, what } of acts) {
            const [vault, path] = [copies[side], `${note}.md`];
            const text = (await vault.state()).get(path);
            const mark = `mark ${++count}\n`;
            if (what === "remove") {
              if (text === undefined) continue;
              for (const gone of marksIn(text)) live.delete(gone);
              await remove(vault, path);
              continue;
            }
            if (what === "write") for (const gone of marksIn(text ?? "")) live.delete(gone);
            const body = text ?? "common\n\nlines\n";
            live.add(mark);
            await vault.put(path, what === "top" ? mark + body : what === "end" ? body + mark : mark);
          }
          for (const verb of pullFirst ? (["pull", "push"] as const) : (["push", "pull"] as const))
            await carried(copies, verb);
          const here = await notesOf(copies.here);
          expect(await notesOf(copies.there)).toEqual(here);
          const there = Object.values(here).join("\n");
          for (const mark of live) expect(there).toContain(mark);
        }
        expect(await carried(copies, "push")).toEqual([]);
      }),
    ),
    { numRuns: 12 },
  );
});
