/** What every index must know of broken links: each by what it lacks, in order, a page at a time. */

import { beforeEach, expect, test } from "vitest";
import { atOnce } from "../../markdown/steps.ts";
import type { BrokenLink, BrokenPage } from "../link-graph.ts";
import type { NoteIndex } from "../parts.ts";
import type { AttachmentPath } from "../paths.ts";
import { fill, NOON, row, type OpenIndex } from "./index-vault.ts";

const VAULT = {
  "a.md":
    "[[b]] [[none]] [[b#Part]] [[b#PART one]]\n![[p.png]] ![[no.png]]\n[[b#Nope]] [x](sub/c.md#second-part) [y](sub/c.md#third)\n",
  "b.md":
    '---\nup: "[[none#Part]]"\n---\n---\n# Part\n\n## Part: one\n\n[[#part ONE]] [[#No|x]] [y](#part-one) [z](#no) [[#^id]] ![[#^no]] text ^id\n',
  "sub/c.md":
    "[[b#^id]] [[b#^no]] [doc](../d.pdf#page=9) [[b#Part#Part one]] [[b#Part one#Part]]\n\nSecond part\n---\n",
};
const brief = ({ source, target, anchor, line, lacks }: BrokenLink): string =>
  `${source}:${line} ${target}${anchor} ${lacks}`;
const ALL = [
  "a.md:1 none note",
  "a.md:2 no.png attachment",
  "a.md:3 b#Nope heading",
  "a.md:3 sub/c.md#third heading",
  "b.md:2 none#Part note",
  "b.md:9 #No heading",
  "b.md:9 #no heading",
  "b.md:9 #^no block",
  "sub/c.md:1 b#^no block",
  "sub/c.md:1 b#Part one#Part heading",
];

export function brokenCases(open: OpenIndex): void {
  let index: NoteIndex;
  beforeEach(async () => {
    ({ index } = await open());
    fill(index, VAULT);
    index.attachments.put(
      ["p.png", "d.pdf"].map((path) => ({
        path: path as AttachmentPath,
        stat: { stamp: "s", modified: NOON, changed: NOON, size: 1 },
      })),
    );
  });
  const broken = (page: Partial<BrokenPage> = {}) => atOnce(index.broken({ limit: 100, ...page }));

  test("come with what each lacks, in order, and are counted", () => {
    const { links, counts, next, left } = broken();
    expect(links.map(brief)).toEqual(ALL);
    expect(counts).toEqual({ note: 2, heading: 5, block: 2, attachment: 1 });
    expect([next, left]).toEqual([null, 0]);
  });

  test("come a page at a time, also where a note changes between two pages", () => {
    const seen: string[] = [];
    for (let after: string | null = null, first = true; first || after !== null; first = false) {
      const { links, next, counts } = broken({ limit: 2, after });
      expect(counts.heading).toBe(5);
      seen.push(...links.map(brief));
      after = next;
    }
    expect(seen).toEqual(ALL);
    const { next } = broken({ limit: 4 });
    index.apply([row("a.md", "[[none]] [[nobody]]\n", { seen: "1", stamp: "2" })]);
    expect(broken({ after: next }).links.map(brief)).toEqual(ALL.slice(4));
  });

  test.each(["", "x", "W10", "!"])("refuse a cursor that is none: %j", (after) => {
    expect(() => broken({ after })).toThrow(/cursor/);
  });

  test("see a heading as soon as it is written, and when it is gone", () => {
    index.apply([row("b.md", "# Nope\n", { seen: "1", stamp: "2" })]);
    expect(broken().links.map(brief)).toEqual([
      "a.md:1 none note",
      "a.md:1 b#Part heading",
      "a.md:1 b#PART one heading",
      "a.md:2 no.png attachment",
      "a.md:3 sub/c.md#third heading",
      "sub/c.md:1 b#^id block",
      "sub/c.md:1 b#^no block",
      "sub/c.md:1 b#Part#Part one heading",
      "sub/c.md:1 b#Part one#Part heading",
    ]);
  });

  test("are those of some folders, where only those may be seen", () => {
    const some = atOnce(index.within(["sub"]).broken({ limit: 10 }));
    expect(some.links.map(brief)).toEqual([
      "sub/c.md:1 ../d.pdf#page=9 attachment",
      "sub/c.md:1 b#^id note",
      "sub/c.md:1 b#^no note",
      "sub/c.md:1 b#Part#Part one note",
      "sub/c.md:1 b#Part one#Part note",
    ]);
  });
}
