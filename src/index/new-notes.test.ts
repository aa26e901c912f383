import { expect, test } from "vitest";
import { noteText } from "../../bench/vault.ts";
import { row } from "../notebook/suites/index-vault.ts";
import { openAnalyzer } from "../search/analyzer.ts";
import { prepareNotes } from "./new-notes.ts";
import { openSql } from "../sqlite/node.ts";
import { openIndex } from "./note-index.ts";

/** Three of them reach into a second block. */
const SLICE = 200;
const texts = Array.from({ length: 3 * SLICE }, (_, at): [path: string, text: string] => [
  `${at % 7}/Note ${at}.md`,
  at % 50 === 0
    ? `---\naliases: [A${at}, 東京${at}]\n---\n# Äpfel ${at}\n\n東京都 [[Note 1|getUserName]]`
    : noteText(at, 1000).slice(0, 900),
]);
const TABLES = ["notes", "aliases", "tags", "links", "texts", "postings", "pending_texts", "vocabulary"];

test("many notes that are put have the rows, to the byte, that they have where they are applied", async () => {
  const [added, applied] = [await openSql(":memory:"), await openSql(":memory:")];
  const [one, other] = [openIndex(added), openIndex(applied)];
  const under: Promise<string[]>[] = [];
  for (let at = 0; at < texts.length; at += SLICE) {
    const slice = texts.slice(at, at + SLICE);
    const rows = slice.map(([path, text]) => row(path, text));
    under.push(one.put(rows));
    other.apply(rows);
  }
  expect(await Promise.all(under)).toEqual(under.map(() => []));
  for (const table of TABLES) {
    const rows = added.all(`SELECT * FROM ${table} ORDER BY 1, 2`);
    expect(rows.length > 0 || table === "pending_texts", table).toBe(true);
    expect(rows, table).toEqual(applied.all(`SELECT * FROM ${table} ORDER BY 1, 2`));
  }
  one.close();
  other.close();
});

test("what cannot be prepared is told to whoever put it, and to nobody else", async () => {
  const index = openIndex(await openSql(":memory:"), {
    async prepare(slice) {
      if (slice.first > 1) throw new Error("closed");
      return prepareNotes(openAnalyzer(), slice);
    },
  });
  const said = await Promise.allSettled(
    ["a", "b", "c"].map((name) =>
      index.put(Array.from({ length: 50 }, (_, at) => row(`${name} ${at}.md`, name))),
    ),
  );
  expect(said.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(index.count()).toBe(50);
  index.close();
});
