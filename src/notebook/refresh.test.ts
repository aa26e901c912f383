import { describe, expect, test } from "vitest";
import { unindexed } from "../../test/vault.ts";
import { blobId } from "../disk/hash.ts";
import { atOnce } from "../markdown/steps.ts";
import { openSql } from "../sqlite/node.ts";
import type { SqlValue } from "../sqlite/sql.ts";
import { openIndex } from "../index/note-index.ts";
import { openMemory } from "../stores/memory.ts";
import { encodeText } from "./note.ts";
import type { OpenNotebook } from "./notebook.ts";
import type { NoteIndex, NoteStore } from "./parts.ts";
import { notePath } from "./paths.ts";

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

test("a note without a word is indexed where empty bytes are bound as NULL, as Node 22 does", async () => {
  const sql = await openSql(":memory:");
  const bound = (value: SqlValue): SqlValue =>
    value instanceof Uint8Array && value.length === 0 ? null : value;
  const run: typeof sql.run = (text, ...values) => sql.run(text, ...values.map(bound));
  const index = openIndex({ ...sql, run });
  const notebook = unindexed({ "-.md": "- -\n" }, index);
  expect(await notebook.refresh()).toBe(1);
  expect(atOnce(index.find({ words: "anything" }, { limit: 1, sort: "path" })).total).toBe(0);
  await notebook.close();
});

test("a canvas with more links than a call takes arguments keeps no note from being indexed", async () => {
  const index = openIndex(await openSql(":memory:"));
  const many = JSON.stringify({ nodes: [{ type: "text", text: "[[a]] ".repeat(150_000) }] });
  const notebook = unindexed({ "a.md": "apple\n", "b.md": "pear\n", "many.canvas": many }, index);
  expect(await notebook.refresh()).toBe(2);
  expect(index.complete()).toBe(true);
  expect(index.attachments.canvases("unread")).toEqual([]);
  await notebook.close();
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

describe("events of our own changes", () => {
  const HUB = notePath("Hub.md");
  const linkers = Array.from({ length: 60 }, (_, at) => notePath(`${at}/Linker.md`));
  /** A move of a note with links to it. `written` is called when the notes are on disk and not in the index yet. Gives what the index was asked to take besides. */
  const moved = async (written: (notebook: OpenNotebook, store: NoteStore) => void) => {
    const index = openIndex(await openSql(":memory:"));
    const store = openMemory(
      Object.fromEntries([[HUB, "hub\n"], ...linkers.map((path) => [path, "[[Hub]]\n"])]),
    );
    const put: string[] = [];
    let writes = 0;
    const counted: NoteIndex = {
      ...index,
      put(rows) {
        if (writes > 0) put.push(...rows.map(({ path }) => path));
        return index.put(rows);
      },
    };
    const notebook = unindexed({}, counted, {
      store: {
        ...store,
        async apply(puts) {
          const stats = await store.apply(puts);
          writes++;
          written(notebook, store);
          // The history takes its time before the index is told.
          await new Promise((resolve) => setTimeout(resolve, 20));
          return stats;
        },
      },
    });
    await notebook.refresh();
    await notebook.move([{ from: HUB, to: notePath("Renamed.md") }]);
    return { notebook, index, put };
  };

  test("that come before the index has them: nothing is read and indexed again", async () => {
    const looks: Promise<unknown>[] = [];
    const { notebook, put } = await moved((it) => {
      looks.push(it.refreshPaths([...linkers, HUB, notePath("Renamed.md")]), it.refreshFolders(["", "0"]));
    });
    await Promise.all(looks);
    expect(put).toEqual([]);
    await notebook.close();
  });

  test("an edit that another program makes at that moment is seen", async () => {
    const looks: Promise<unknown>[] = [];
    const { notebook, index, put } = await moved((it, store) => {
      const path = linkers[7]!;
      const bytes = encodeText("[[Renamed]] and theirs\n");
      looks.push(store.apply([{ path, bytes }]).then(() => it.refreshPaths(linkers)));
    });
    await Promise.all(looks);
    expect(put).toEqual([linkers[7]]);
    expect(index.version(linkers[7]!)).toBe(blobId(encodeText("[[Renamed]] and theirs\n")));
    await notebook.close();
  });
});
