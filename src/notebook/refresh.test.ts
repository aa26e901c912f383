import { expect, test } from "vitest";
import { unindexed } from "../../test/vault.ts";
import { openSql } from "../sqlite/node.ts";
import { openIndex } from "../index/note-index.ts";

const MIB = 1024 * 1024;

/** What the index was given at a time in a first indexing. */
async function transactions(notes: Record<string, string>): Promise<{ notes: number; bytes: number }[]> {
  const index = openIndex(await openSql(":memory:"));
  const seen: { notes: number; bytes: number }[] = [];
  const see = (all: (Uint8Array | undefined)[]) =>
    seen.push({ notes: all.length, bytes: all.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0) });
  const notebook = unindexed(notes, {
    ...index,
    put(rows) {
      see(rows.map(({ note }) => note?.bytes));
      return index.put(rows);
    },
  });
  expect(await notebook.refresh()).toBe(Object.keys(notes).length);
  expect(index.count()).toBe(Object.keys(notes).length);
  await notebook.close();
  return seen;
}

const made = (count: number, size: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.md`, "x".repeat(size)]));

test("small notes are indexed many at a time, large ones few, long ones alone, so that memory stays flat", async () => {
  expect(await transactions(made(1100, 10))).toEqual([
    { notes: 96, bytes: 960 },
    { notes: 192, bytes: 1920 },
    { notes: 384, bytes: 3840 },
    { notes: 384, bytes: 3840 },
    { notes: 44, bytes: 440 },
  ]);
  const large = await transactions(made(40, MIB / 20));
  expect(large.map(({ notes }) => notes)).toEqual([20, 20]);
  const huge = await transactions({ ...made(3, MIB - 100), "huge.md": "x".repeat(5 * MIB) });
  expect(huge.map(({ notes }) => notes)).toEqual([1, 1, 1, 1]);
});

test("notes without text, and none at all", async () => {
  expect(await transactions({ "a.md": "" })).toEqual([{ notes: 1, bytes: 0 }]);
  expect(await transactions({})).toEqual([]);
});

test("a comparison that is asked for while one goes on is the same one", async () => {
  const index = openIndex(await openSql(":memory:"));
  let compared = 0;
  const notebook = unindexed(made(300, 10), {
    ...index,
    stamps(which) {
      // All of them are asked for once in a comparison.
      if (!which) compared++;
      return index.stamps(which);
    },
  });
  expect(await Promise.all([notebook.refresh(), notebook.refresh()])).toEqual([300, 300]);
  expect(compared).toBe(1);
  await notebook.refresh();
  expect(compared).toBe(2);
  await notebook.close();
});
