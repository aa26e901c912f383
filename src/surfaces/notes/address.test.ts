import { expect, test } from "vitest";
import { oddSegments } from "../../notebook/paths.ts";
import { placesFor } from "./address.ts";

const ID = "a3f7b2c1";

test.each([
  ["Meeting Ideas", "Meeting Ideas"],
  ["Code Review: Auth/Session <v2>?", "Code Review Auth-Session v2"],
  ["../../etc/passwd", "etc-passwd"],
  ["..", "Untitled"],
  [".hidden", "hidden"],
  ["…and then", "and then"],
  ["\u200b.git", "git"],
  ["~", "Untitled"],
  ["-rf", "rf"],
  ["git~1", "git-1"],
  ["CON", "CON_"],
  ["com¹.txt", "com¹_ txt"],
  ["console", "console"],
  ["[[Link]] #tag ^block | pipe", "Link tag block pipe"],
  ["100% sure, 5%2f2", "100% sure, 5 2f2"],
  ["???", "Untitled"],
  ["ends with dots...", "ends with dots"],
  ["a\u202eb\u0007c", "a b c"],
  ["two\nlines", "two lines"],
  ["cafe\u0301", "café"],
  ["日本語", "日本語"],
  ["Plan.md", "Plan.md"],
  ["half \ud800 a character", "half a character"],
])("the title %j becomes the file name %j", (title, name) => {
  const places = placesFor(title, ID);
  expect(places).toEqual([`${name}.md`, `${name} (${ID}).md`]);
  for (const place of places) expect(oddSegments(place)).toEqual([]);
});

test.each(["x".repeat(500), "é".repeat(100), "😀".repeat(60), `${"x".repeat(116)}. . .tail`])(
  "a long title is cut at a whole character, to 120 bytes: %s",
  (title) => {
    for (const place of placesFor(title, ID)) {
      expect(oddSegments(place)).toEqual([]);
      expect(Buffer.byteLength(place)).toBeLessThanOrEqual(120);
      expect(Buffer.byteLength(place)).toBeGreaterThan(110);
      expect(title.startsWith(place.replace(/( \(a3f7b2c1\))?\.md$/, ""))).toBe(true);
    }
  },
);
