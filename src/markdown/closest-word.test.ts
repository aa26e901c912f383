import { expect, test } from "vitest";
import { closestWord } from "./closest-word.ts";

const known = ["read_note", "create_note", "delete_note", "search_notes", "AddNote"];

test.each([
  ["raed_note", "read_note"],
  ["readNote", "read_note"],
  ["searchnote", "search_notes"],
  ["add_note", "AddNote"],
  ["banana", null],
  ["", null],
  ["x".repeat(5000), null],
])("%j was meant as %j", (word, meant) => {
  expect(closestWord(word, known)).toBe(meant);
});
