/** Long notes, put into an index over several turns: whatever happens between two of them, it ends up as if they had been put in at once. */

import { beforeEach, describe, expect, test } from "vitest";
import type { NotePath } from "../paths.ts";
import { turnOfOthers } from "../turns.ts";
import { findPaths, row, type OpenedIndex, type OpenIndex } from "./index-vault.ts";

export const PATH = "long.md" as NotePath;
const longText = (word: string): string =>
  `---\naliases: [${word} alias]\ntags: [${word}]\n---\n# ${word} title\n\n${Array.from({ length: 3000 }, (_, at) => `${word}${at} [[to ${word} ${at}]]`).join("\n")}\n`;

export const OLD = longText("old");
export const NEW = longText("new");

/** What an index holds that was given this text at once. */
export const expectedDump = async (open: OpenIndex, text: string, stamp: string): Promise<unknown> => {
  const { index, dump } = await open();
  index.apply([row("other.md", "other words"), row(PATH, text, { stamp })]);
  return dump();
};
/** An index that holds the old text. */
export const putOld = ({ index }: Pick<OpenedIndex, "index">): void => {
  index.apply([row("other.md", "other words"), row(PATH, OLD, { stamp: "s1" })]);
};

export function longCases(open: OpenIndex): void {
  let opened: OpenedIndex;
  beforeEach(async () => {
    opened = await open();
  });

  const begun = { seen: "s1", stamp: "s2" };
  const expected = (text: string, stamp: string) => expectedDump(open, text, stamp);

  describe("a long note", () => {
    test("ends up as if it had been put in at once: new, changed, and the same again", async () => {
      const { index, dump, check } = opened;
      index.apply([row("other.md", "other words")]);
      expect(await index.put([row(PATH, OLD, { stamp: "s1" })])).toEqual([]);
      expect(dump()).toEqual(await expected(OLD, "s1"));
      expect(await index.put([row(PATH, NEW, begun)])).toEqual([]);
      expect(dump()).toEqual(await expected(NEW, "s2"));
      expect(await index.put([row(PATH, NEW, { seen: "s2", stamp: "s3" })])).toEqual([]);
      expect(dump()).toEqual(await expected(NEW, "s3"));
      check();
    });

    test("gives way to whoever changed the note", async () => {
      const { index, dump, check } = opened;
      putOld(opened);
      const work = index.put([row(PATH, NEW, begun)]);
      expect(index.apply([row(PATH, "another", { seen: "s1", stamp: "s9" })])).toEqual([]);
      expect(await work).toEqual([PATH]);
      expect(dump()).toEqual(await expected("another", "s9"));
      check();
    });

    test("put twice at a time it is there once, and questions asked meanwhile are answered", async () => {
      const { index, dump, check } = opened;
      putOld(opened);
      const state = { working: true };
      const work = Promise.all([index.put([row(PATH, NEW, begun)]), index.put([row(PATH, NEW, begun)])]);
      const asking = (async () => {
        while (state.working) {
          expect(findPaths(index, { words: "other" })).toContain("other.md");
          findPaths(index, { ask: "new17" }, { sort: "rank" });
          await turnOfOthers();
        }
      })();
      const stale = (await work.finally(() => (state.working = false))).flat();
      await asking;
      // Whoever came second has found another stamp than it had seen.
      expect([[], [PATH]]).toContainEqual(stale);
      expect(dump()).toEqual(await expected(NEW, "s2"));
      expect(findPaths(index, { ask: "new17" }, { sort: "rank" })).toEqual([PATH]);
      check();
    });
  });
}
