/** A law of rules: what validate_note passes can be written back through every surface, and what it fails through none. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { setFields } from "../src/markdown/field-edits.ts";
import type { Value } from "../src/markdown/frontmatter.ts";
import { makeNote, encodeText, bodyOf } from "../src/notebook/note.ts";
import { notePath } from "../src/notebook/paths.ts";
import { openSurfaces, type AllSurfaces } from "./all-surfaces.ts";

// Few names and values, so that rules and notes meet. Not those that surfaces set themselves: created, modified, updated, title.
const NAMES = ["status", "year", "done", "seen", "tags", "__proto__", "constructor"];
const SECTIONS = ["Summary", "Notes", "toString"];
const WORDS = ["read", "reading", "pending", "2026-02-24", "2026-02-30", "x y", "ü漢😀"];

const scalar = fc.oneof(fc.constantFrom<Value>(...WORDS), fc.integer({ min: -5, max: 5 }), fc.boolean());
const value = fc.oneof(scalar, fc.array(fc.constantFrom<Value>("read", "x", 1), { maxLength: 2 }));
const fields = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), value), {
  selector: ([name]) => name,
  maxLength: 5,
});
const line = fc.oneof(
  fc.constantFrom(...SECTIONS.flatMap((name) => [`# ${name}`, `### ${name.toUpperCase()}`, `> # ${name}`])),
  fc.constantFrom("Some text.", "- item", "`# Summary`", "😀", "[[link]]"),
);
// Surfaces that trim a body leave this one as it is.
const body = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => `${lines.join("\n\n")}\n`);
const text = fc.record({ fields, body }).map(({ fields, body }) => {
  const given: Record<string, Value> = Object.create(null);
  for (const [name, value] of fields) given[name] = value;
  return setFields(given)("") + body;
});

const fieldRule = fc.record(
  {
    name: fc.constantFrom(...NAMES),
    type: fc.constantFrom("string", "number", "boolean", "date", "array"),
    pattern: fc.constantFrom("^r", "\\d", "^[a-z]+$", "."),
    allowed_values: fc.uniqueArray(fc.constantFrom("read", "reading", 1, true), { minLength: 1 }),
  },
  { requiredKeys: ["name", "type"] },
);
const rules = fc.record(
  {
    frontmatter: fc.record({
      required_fields: fc.uniqueArray(fieldRule, { selector: ({ name }) => name, maxLength: 2 }),
    }),
    filename: fc.record({ pattern: fc.constantFrom("^a", "b", "\\.md$", "^.{4}$") }),
    content: fc.record(
      {
        min_length: fc.integer({ min: 0, max: 20 }),
        max_length: fc.integer({ min: 20, max: 60 }),
        required_sections: fc.subarray(SECTIONS, { maxLength: 1 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const KB = { knowledge_base_name: "kb", note_path: "a.md" };
const PATH = notePath("kb/a.md");

/** The note as it is, given back to each surface in the way it takes one. */
const writesBack = (content: string, body: string, id: string): [string, string, object][] => [
  ["bridges", "update_note", { ...KB, note_content: content }],
  ["obsidian", "update_note", { name: "a", content: body }],
  ["wiki", "update_note", { path: "kb/a", content: body }],
  ["cairn", "cairn_write", { path: "kb/a", content }],
  ["notes", "UpdateNote", { id, content: body }],
];

const openBase = async (): Promise<AllSurfaces> => {
  const here = await openSurfaces({ folder: false });
  await here.done("bridges", "add_knowledge_base", {
    name: "kb",
    description: "",
    subfolder: "kb",
    organization_rules: "",
  });
  return here;
};

test("what validate_note passes is written back through every surface; what it fails, through none", async () => {
  const seen = { passed: 0, failed: 0 };
  const here = await openBase();
  await fc.assert(
    fc.asyncProperty(text, rules, async (text, rules) => {
      await here.vault.put(PATH, text);
      const added = { kb_name: "kb", subfolder: "kb", rules };
      const { failing_notes: failing } = await here.done(
        "bridges",
        "add_knowledge_base_folder_constraint",
        added,
      );
      const { machine_validation: verdict } = await here.done("bridges", "validate_note", KB);
      expect(failing?.total ?? 0).toBe(verdict.passed ? 0 : 1);
      const { id } = (await here.vault.notebook.find({ path: PATH }, { limit: 1, sort: "path" })).notes[0]!;
      const body = bodyOf(makeNote(PATH, encodeText(text), "", new Date(0)));
      for (const [surface, tool, input] of writesBack(text, body, id)) {
        await here.vault.put(PATH, text);
        if (verdict.passed) {
          await here.done(surface, tool, input);
          const after = await here.vault.notebook.read(PATH);
          expect(bodyOf(after)).toBe(body);
          // The others keep times in fields of their own.
          if (surface === "bridges" || surface === "obsidian") expect(after.text).toBe(text);
        } else await here.refused(surface, tool, input);
      }
      seen[verdict.passed ? "passed" : "failed"]++;
    }),
    { numRuns: 100 },
  );
  expect(Math.min(seen.passed, seen.failed)).toBeGreaterThan(5);
  await here.close();
});
