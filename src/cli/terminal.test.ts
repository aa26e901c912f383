import { expect, test } from "vitest";
import { bytesText } from "../markdown/bytes-text.ts";
import { pathLine } from "./note-lines.ts";
import { shellWord } from "./shell-word.ts";
import { painter, printable } from "./terminal.ts";

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [99_949, "99.9 kB"],
  [99_950, "100 kB"],
  [999_500, "1.0 MB"],
  [5_100_000, "5.1 MB"],
  [12_300_000_000, "12.3 GB"],
  [4_000_000_000_000, "4000 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test("what a note holds does not command a terminal", () => {
  expect(printable("a\tb\r\n\u001b[2Jc\u202ed\n")).toBe("a\tb\n\\u001b[2Jc\\u202ed\n");
});

test("a path is escaped for a terminal alone, and ends in a NUL where that is asked for", () => {
  const path = "a\u001b[2J\nb.md";
  expect(pathLine(path, {}, { isTTY: true })).toBe("a\\u001b[2J\\nb.md\n");
  expect(pathLine(path, {}, {})).toBe(`${path}\n`);
  expect(pathLine(path, { null: "on" }, { isTTY: true })).toBe(`${path}\0`);
});

test.each([
  ["Garden/Plan.md", "Garden/Plan.md"],
  ["a b", "'a b'"],
  ["it's", "'it'\\''s'"],
  ["$HOME", "'$HOME'"],
  ["", "''"],
])("%j is pasted as %s", (word, pasted) => {
  expect(shellWord(word)).toBe(pasted);
});

test("colours are for terminals, unless NO_COLOR is set", () => {
  expect(painter({ isTTY: true }, {})(1, "x")).toBe("\u001b[1mx\u001b[0m");
  expect(painter({ isTTY: true }, { NO_COLOR: "1" })(1, "x")).toBe("x");
  expect(painter({}, {})(1, "x")).toBe("x");
});
