/** Laws of every index: how it came to hold what it holds makes no difference, and a link means what the rule says. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { IndexRow } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { linkKey, lookupOf, resolveTarget } from "../resolve.ts";
import { row, type OpenedIndex, type OpenIndex, linksNow } from "./index-vault.ts";

const segment = fc.constantFrom("a", "A", "b", "c d", "é", "e\u0301", "東");
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join("/")}.md`);
const target = fc.oneof(
  path,
  path.map((to) => to.slice(0, -3)),
  fc.constantFrom("../a", "./b", "/a", "Title", "alias", "a/b/c", "none"),
);
const link = fc.tuple(target, fc.boolean()).map(([to, wiki]) => (wiki ? `[[${to}]]` : `[x](<${to}>)`));
const word = fc.constantFrom(
  "apple",
  "Äpfel",
  "pear",
  "#tag",
  "#Tag/x",
  "東京都",
  "กินข้าว",
  "\n\n# Title\n\n",
  "\n",
);
const fields = fc.constantFrom(
  "",
  "---\ntitle: Title\ntags: [tag, other]\n---\n",
  "---\naliases: [alias, b]\n---\n",
  "---\n: bad\n---\n",
);
const text = fc
  .tuple(fields, fc.array(fc.oneof(link, word), { maxLength: 12 }))
  .map(([front, words]) => front + words.join(" "));
const vault = fc.dictionary(path, text, { maxKeys: 10 });
/** Writes to one vault: null takes a note out. */
const writes = fc.array(fc.tuple(path, fc.option(text, { freq: 3 })), { maxLength: 30 });

export function laws(open: OpenIndex): void {
  const rebuilt = async (notes: Iterable<[string, string]>): Promise<OpenedIndex> => {
    const opened = await open();
    opened.index.apply([...notes].map(([at, written]) => row(at, written)));
    return opened;
  };

  describe("laws", () => {
    test("whatever order and slices notes are written, changed and taken out in, the index is as if made anew", async () => {
      await fc.assert(
        fc.asyncProperty(writes, fc.integer({ min: 1, max: 9 }), async (list, slice) => {
          const { index, dump, check } = await open();
          const now = new Map<string, string>();
          for (let at = 0; at < list.length; at += slice) {
            const held = new Set(now.keys());
            const rows: IndexRow[] = [];
            for (const [to, written] of list.slice(at, at + slice)) {
              rows.push(row(to, written, { seen: held.has(to) ? "1" : null }));
              if (written === null) held.delete(to);
              else held.add(to);
              if (written === null) now.delete(to);
              else now.set(to, written);
            }
            expect(index.apply(rows)).toEqual([]);
          }
          check();
          const fresh = await rebuilt(now);
          expect(dump()).toEqual(fresh.dump());
          index.close();
          fresh.index.close();
        }),
        { numRuns: 60 },
      );
    });

    test("notes that are put, few one slice after another or many with several under way, are in it as if they were applied", async () => {
      await fc.assert(
        fc.asyncProperty(vault, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (notes, slice, many) => {
          const { index, dump, check } = await open();
          const all = Object.entries(notes);
          const others: [string, string][] = [];
          const put: Promise<string[]>[] = [];
          for (let at = 0; at < all.length; at += slice) {
            // So many more that the index takes them as many.
            const more = Array.from({ length: many ? 50 : 0 }, (_, which): [string, string] => [
              `more ${at} ${which}.md`,
              "more",
            ]);
            others.push(...more);
            put.push(index.put([...all.slice(at, at + slice), ...more].map(([to, text]) => row(to, text))));
            if (!many) await put.at(-1);
          }
          expect((await Promise.all(put)).flat()).toEqual([]);
          check();
          const fresh = await rebuilt([...all, ...others]);
          expect(dump()).toEqual(fresh.dump());
          index.close();
          fresh.index.close();
        }),
        { numRuns: 60 },
      );
    });

    test("when all notes are taken out, nothing is left", async () => {
      const empty = await open();
      await fc.assert(
        fc.asyncProperty(vault, async (notes) => {
          const { index, dump, check } = await rebuilt(Object.entries(notes));
          index.apply(Object.keys(notes).map((at) => row(at, null, { seen: "1" })));
          check();
          expect(dump()).toEqual(empty.dump());
          expect(index.count()).toBe(0);
          index.close();
        }),
        { numRuns: 40 },
      );
    });

    test("a link means what the rule says, over a plain list of notes", async () => {
      await fc.assert(
        fc.asyncProperty(vault, async (texts) => {
          const { index } = await rebuilt(Object.entries(texts));
          const notes = Object.entries(texts).map(([at, written]) => row(at, written).note!);
          const lookup = lookupOf(notes);
          const links = notes.flatMap((note) =>
            note.links.map((mark) => ({
              source: note.path,
              target: mark.target,
              path: resolveTarget(mark.target, mark.form, note.path, lookup),
            })),
          );
          const slim = (found: typeof links) =>
            found.map(({ source, target, path: meant }) => `${source}\n${target}\n${meant}`).toSorted();
          for (const { path: from } of notes) {
            expect(slim(linksNow(index, { from }))).toEqual(
              slim(links.filter(({ source }) => source === from)),
            );
            expect(slim(linksNow(index, { to: from }))).toEqual(
              slim(links.filter((each) => each.path === from)),
            );
            expect(index.lookup.byName(linkKey(from))).toEqual(lookup.byName(linkKey(from)).toSorted());
          }
          expect(slim(linksNow(index, { broken: true }))).toEqual(
            slim(links.filter((each) => each.path === null)),
          );
          for (const { path: around } of notes) {
            const reached = linksNow(index, { around, depth: 10, direction: "out" }).flatMap(
              (each) => each.path ?? [],
            );
            expect(new Set(reached)).toEqual(reachable(around, links));
            expect(new Set(reached).size).toBe(reached.length);
          }
          index.close();
        }),
        { numRuns: 60 },
      );
    });
  });
}

function reachable(
  from: NotePath,
  links: readonly { source: NotePath; path: NotePath | null }[],
): Set<NotePath> {
  const found = new Set<NotePath>();
  let edge: NotePath[] = [from];
  while (edge.length > 0) {
    const next = links.flatMap(({ source, path: to }) =>
      edge.includes(source) && to !== null && to !== from ? [to] : [],
    );
    edge = [...new Set(next)].filter((to) => !found.has(to));
    for (const to of edge) found.add(to);
  }
  return found;
}
