import { expect, test } from "vitest";
import { isPlain } from "./plain.ts";

const KiB = 1024;

test("a note of 8 MiB is shown and edited as plain text, also in short paragraphs", () => {
  expect(isPlain("Words.\n\n".repeat(KiB * KiB))).toBe(true);
  expect(isPlain("Words.\n\n".repeat(100 * KiB))).toBe(false);
});

test("so is a paragraph of more than 64 kB, wherever it stands", () => {
  const line = "[[A link]] and words\n";
  const long = line.repeat(Math.ceil((64 * KiB + 1) / line.length));
  expect(isPlain(`# Links\n\n${long}\n\nThe end.\n`)).toBe(true);
  expect(isPlain(`# Links\n\n${long.slice(0, 60 * KiB)}\n \nThe end.\n${"x".repeat(60 * KiB)}`)).toBe(false);
  expect(isPlain(long.replaceAll("\n", "\r\n"))).toBe(true);
  expect(isPlain("A line.\r\n\r\n".repeat(20 * KiB))).toBe(false);
  expect(isPlain("")).toBe(false);
});
