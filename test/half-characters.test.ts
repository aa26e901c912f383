/** Half a character (a lone surrogate) in any string of any call that writes: no file gets it, nor U+FFFD in its place, in its name or its text. */

import { expect, test } from "vitest";
import { openSurfaces } from "./all-surfaces.ts";
import { CALLS, EARLIER, LATEST, NOTES } from "./faults/tools.ts";
import { surfaces } from "./surfaces.ts";

/** More of what a call may give: fields, tags, aliases, folders, rules, titles, messages. */
const MORE: typeof CALLS = [
  ["obsidian", "set_frontmatter", { name: "Alpha", key: "list", value: '["x", {"y": "z"}]' }],
  ["obsidian", "rename_note", { old_name: "Beta", new_name: "deep/Omega" }],
  [
    "bridges",
    "add_knowledge_base_folder_constraint",
    {
      kb_name: "kb",
      subfolder: "kb/deep",
      rules: {
        frontmatter: {
          required_fields: [{ name: "kind", type: "string", pattern: "^a", allowed_values: ["a", "b"] }],
        },
        filename: { pattern: "^x" },
        content: { required_sections: ["Plan"] },
      },
    },
  ],
  ["bridges", "update_knowledge_base", { name: "kb", subfolder: "kb2", organization_rules: "new" }],
  ["wiki", "update_note", { path: "Alpha", title: "T", add_tags: ["new"], remove_tags: ["one"] }],
  ["cairn", "cairn_write", { path: "new", content: "x", tags: ["new"], aliases: ["other"] }],
  ["cairn", "cairn_patch", { path: "Alpha", op: "replace", find: "Monday", content: "Sunday" }],
  ["native", "move_notes", { moves: [{ from: "folder/", to: "elsewhere/" }] }],
  [
    "native",
    "edit_notes",
    {
      edits: [
        { note: "Alpha.md", do: "add_tags", tags: ["new"] },
        { note: "Alpha.md", do: "set_fields", fields: { key: "value", list: ["a"] } },
      ],
    },
  ],
  ["native", "manage_rules", { do: "update_base", base: "kb", guide: "g", description: "d", folder: "kb3" }],
  ["native", "manage_rules", { do: "set_rules", base: "kb", folder: "kb", rules: { content: {} } }],
];

/** The same value with half a character in one of its strings or keys, for each of them. */
function* withHalves(value: unknown): Generator<unknown> {
  if (typeof value === "string") yield `${value.slice(0, 1)}\ud800${value.slice(1)}`;
  else if (Array.isArray(value))
    for (const [at, item] of value.entries()) for (const odd of withHalves(item)) yield value.with(at, odd);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) {
      for (const odd of withHalves(item)) yield { ...value, [key]: odd };
      const { [key]: _, ...others } = value as Record<string, unknown>;
      yield { ...others, [`${key}\udc00`]: item };
    }
}

test.each(surfaces.map(({ name }) => name))("%s", async (surface) => {
  const all = await openSurfaces({ folder: true });
  for (const [path, text] of Object.entries(NOTES)) await all.vault.put(path, text);
  const files = async () => Object.fromEntries(await all.vault.state());
  const before = await files();
  let calls = 0;
  for (const [at, tool, input] of [...CALLS, ...MORE]) {
    if (at !== surface || JSON.stringify(input).includes(EARLIER) || JSON.stringify(input).includes(LATEST))
      continue;
    for (const odd of withHalves(input)) {
      await all.call(surface, tool, odd as object);
      expect(await files(), `${tool} ${JSON.stringify(odd)}`).toEqual(before);
      calls++;
    }
  }
  expect(calls).toBeGreaterThan(3);
  await all.close();
});
