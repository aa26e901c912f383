import { beforeEach, expect, test } from "vitest";
import { fill, row } from "../notebook/suites/index-vault.ts";
import type { NoteIndex } from "../notebook/parts.ts";
import type { Vectors } from "../notebook/vectors.ts";
import { notePath } from "../notebook/paths.ts";
import { openSql } from "../sqlite/node.ts";
import { openIndex } from "./note-index.ts";
import { openSearch } from "../search/search.ts";
import type { Sql } from "../sqlite/sql.ts";
import { openVectors } from "./vectors.ts";

const DAY = 86_400_000;
let [sql, index, vectors, clock]: [Sql, NoteIndex, Vectors, number] = [] as never;
const open = (model: string): Vectors => openVectors(openSearch(sql), model, () => new Date(clock));

beforeEach(async () => {
  clock = Date.parse("2026-02-24T12:00:00Z");
  sql = await openSql(":memory:");
  index = openIndex(sql);
  fill(index, {
    "Long.md": `# Long\n\nIntro.\n\n## One\n\n${"Words of one. ".repeat(60)}\n\n## Two\n\nWords of two.\n`,
    "Short.md": "Only this.\n",
    "Empty.md": "",
  });
  vectors = open("a");
});
const put = (which: Vectors, notes: ReturnType<Vectors["missing"]>): void =>
  which.put(
    notes.map(({ note, version, texts }) => ({
      note,
      version,
      chunks: texts.length,
      data: Uint8Array.from({ length: 2 * texts.length }, (_, at) => at + 1),
    })),
  );

test("what is missing, as texts: each chunk under its title and heading", () => {
  const [long, short, empty] = vectors.missing({ after: 0 }, 10);
  expect(long!.texts.length).toBeGreaterThan(3);
  expect(long!.texts[0]).toBe("Long\n# Long\n\nIntro.");
  expect(long!.texts.at(-1)).toBe("Long\nTwo\n## Two\n\nWords of two.");
  for (const text of long!.texts.slice(1, -1)) expect(text).toMatch(/^Long\nOne\n/);
  expect([short!.texts, empty!.texts]).toEqual([["Short\nOnly this."], ["Empty\n"]]);
  expect(vectors.missing({ after: long!.note }, 1).map(({ note }) => note)).toEqual([short!.note]);
  expect(vectors.missing({ paths: [notePath("Short.md")] }, 10)).toEqual([short]);
});

test("what was put is there, once and in order, until the note changes", () => {
  const all = vectors.missing({ after: 0 }, 10);
  put(vectors, all.slice(0, 2));
  expect(vectors.count()).toEqual({ made: 2, total: 3 });
  expect(vectors.missing({ after: 0 }, 10)).toEqual(all.slice(2));
  const [first, second] = vectors.since(0, 10);
  expect([first!.note, second!.note]).toEqual([all[0]!.note, all[1]!.note]);
  expect([...second!.data]).toEqual([1, 2]);
  expect(vectors.since(first!.number, 10)).toEqual([second]);
  put(vectors, all.slice(0, 1));
  expect(vectors.since(second!.number, 10).map(({ note }) => note)).toEqual([all[0]!.note]);
  index.apply([row("Short.md", "Another.", { seen: "1", stamp: "2" })]);
  expect(vectors.missing({ paths: [notePath("Short.md")] }, 10).map(({ texts }) => texts)).toEqual([
    ["Short\nAnother."],
  ]);
});

test("two models know nothing of each other; one that nobody used for long is forgotten, and so are notes that are gone", () => {
  const other = open("b");
  put(other, other.missing({ after: 0 }, 10));
  put(vectors, vectors.missing({ after: 0 }, 10));
  put(other, [{ note: 99, version: "x", texts: ["gone"] }]);
  put(vectors, vectors.missing({ after: 0 }, 10).concat({ note: 98, version: "x", texts: ["last"] }));
  expect([vectors.since(0, 10).length, other.since(0, 10).length]).toEqual([4, 4]);
  open("a");
  expect(other.since(0, 10).length).toBe(3);
  clock += 31 * DAY;
  open("a");
  expect([vectors.since(0, 10).length, other.since(0, 10).length]).toEqual([4, 0]);
});

test("an index that was made anew is read from its beginning", () => {
  put(vectors, vectors.missing({ after: 0 }, 1));
  expect(vectors.since(1000, 10).length).toBe(1);
});

test("one at a time makes vectors; whoever is silent for too long has lost it", () => {
  expect([vectors.lease("one", 1000), vectors.lease("two", 1000), vectors.lease("one", 1000)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(open("b").lease("two", 1000)).toBe(true);
  clock += 1001;
  expect([vectors.lease("two", 1000), vectors.lease("one", 1000)]).toEqual([true, false]);
  // A clock that was set back.
  clock -= 10 * DAY;
  expect(vectors.lease("one", 1000)).toBe(true);
});
