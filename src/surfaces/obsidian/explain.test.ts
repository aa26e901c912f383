import { expect, test } from "vitest";
import { NoteError } from "../../markdown/errors.ts";
import { explain } from "./explain.ts";

test.each([
  ["note_missing", { name: "x", similar: [] }, "Note 'x' not found"],
  ["note_missing", { name: "x", similar: ["a/y.md"] }, "Note 'x' not found. Did you mean 'a/y'?"],
  ["note_missing", { path: "a/x.md" }, "Note 'x' not found"],
  ["note_exists", { name: "x", path: "x.md" }, "Note 'x' already exists"],
  ["note_exists", { name: "x", path: "a/x.md" }, "Note 'x' already exists, as 'a/x'"],
  ["section_missing", { name: "x", section: "S" }, "Section 'S' not found in note 'x'"],
  ["text_missing", { name: "x", text: "t" }, "Text 't' not found in note 'x'"],
  ["text_missing", { name: "x", text: "t", pattern: true }, "Pattern 't' not found in note 'x'"],
  ["busy", {}, "the message itself"],
] as const)("%s with %j", (code, details, sentence) => {
  expect(explain(new NoteError(code, "the message itself", { ...details }))).toBe(sentence);
});
