import { expect, test } from "vitest";
import { blobId } from "../disk/hash.ts";
import { encodeText, noteOpener, shortHash } from "./note.ts";
import { notePath } from "./paths.ts";

const openNote = noteOpener();
const noteOf = (path: string, text: string, open = openNote) => {
  const bytes = encodeText(text);
  return open(notePath(path), bytes, blobId(bytes), new Date(0));
};
const large = (word: string, times = 15_000) =>
  `---\ntitle: ${word}\n---\n${`# ${word}\n\n[[${word}]] #${word}\n`.repeat(times)}`;

test.each([15_000, 40_000])(
  "a large note that is read twice is parsed once; another version anew",
  async (times) => {
    const first = await noteOf("a.md", large("one", times));
    const again = await noteOf("a.md", large("one", times));
    expect(again.headings === first.headings).toBe(true);
    expect(again.links === first.links).toBe(true);
    expect([again.title, again.tags, again.fields]).toEqual([first.title, first.tags, first.fields]);
    const other = await noteOf("a.md", large("two", times));
    expect(other.headings[0]!.text).toBe("two");
    expect(other.title).toBe("two");
  },
);

test("two notebooks remember nothing of each other", async () => {
  const mine = await noteOf("a.md", large("one"));
  const theirs = await noteOf("a.md", large("one"), noteOpener());
  expect(theirs.headings === mine.headings).toBe(false);
});

test("what was remembered of one path says nothing of another", async () => {
  const first = await noteOf("a.md", large("one"));
  const copy = await noteOf("b/c.md", large("one"));
  expect([copy.path, copy.name, copy.title]).toEqual(["b/c.md", "c", "one"]);
  expect(copy.id).not.toBe(first.id);
  expect(Object.keys(copy).toSorted()).toEqual(Object.keys(await noteOf("d.md", "small")).toSorted());
});

test.each([
  ["", "811c9dc5"],
  ["a", "e40c292c"],
  ["foobar", "bf9cf968"],
])("the short hash of %j is FNV-1a", (text, hash) => {
  expect(shortHash(text)).toBe(hash);
});

const unitByUnit = (text: string): string => {
  let hash = 0x811c9dc5;
  for (const unit of text.split("")) hash = Math.imul(hash ^ unit.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
};

test.each(["x", "x\n é", "日本 x", "\u{1f600}", "\ud800"])(
  "long texts of %j are hashed unit by unit",
  (piece) => {
    for (const length of [199, 201, 5000, 65_535, 65_536, 65_537]) {
      const text = piece.repeat(length).slice(0, length);
      expect(shortHash(text)).toBe(unitByUnit(text));
      expect(shortHash(`${"y".repeat(length)}${piece}`)).toBe(unitByUnit(`${"y".repeat(length)}${piece}`));
    }
  },
);
