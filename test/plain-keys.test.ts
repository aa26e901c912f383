/** Names that JavaScript gives a meaning of their own are plain names: as fields, tags, aliases, notes, folders, bases, sections and arguments. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSurfaces, type AllSurfaces } from "./all-surfaces.ts";

const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype", "valueOf"];

let here: AllSurfaces;
beforeEach(async () => void (here = await openSurfaces({ folder: false })));
afterEach(async () => {
  await here.close();
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
const fileAt = async (path: string): Promise<string | undefined> => (await here.vault.state()).get(path);
/** Parsed, since a literal with `__proto__` would not have that key. */
const json = (text: string): object => JSON.parse(text) as object;

describe.each(NAMES)("%s", (name) => {
  test("is a field like any other", async () => {
    const { done } = here;
    await done("obsidian", "create_note", { name: "a", content: "x", frontmatter: `{"${name}": "one"}` });
    expect(await fileAt("a.md")).toBe(`---\n${name}: one\n---\nx`);
    await done("obsidian", "set_frontmatter", { name: "a", key: name, value: '{"polluted": true}' });
    expect(await fileAt("a.md")).toContain(`\n${name}:\n  polluted: true\n`);
    const { frontmatter } = await done("obsidian", "get_note_metadata", { name: "a" });
    expect(Object.entries(frontmatter)).toEqual([[name, { polluted: true }]]);
    await done("wiki", "update_note", { path: "a", title: "A" });
    await done("cairn", "cairn_write", { path: "b", content: `---\n${name}: 1\n---\ny\n`, tags: ["t"] });
    for (const path of ["a.md", "b.md"]) expect(await fileAt(path)).toContain(`\n${name}:`);
    expect(await done("cairn", "cairn_read", { path: "b" })).toContain(`${name}: 1\n`);
  });

  test("is a field that rules can ask for", async () => {
    await here.done("bridges", "add_knowledge_base", {
      name,
      description: "",
      subfolder: name,
      organization_rules: "",
    });
    const rules = {
      frontmatter: { required_fields: [{ name, type: "string", allowed_values: [name] }] },
      content: { required_sections: [name] },
    };
    await here.done("bridges", "add_knowledge_base_folder_constraint", {
      kb_name: name,
      subfolder: name,
      rules,
    });
    expect(await here.refused("cairn", "cairn_write", { path: `${name}/n`, content: "x" })).toBe(
      `validation_error: ${name}/n does not satisfy the rules of the folder ${name}: frontmatter.${name} is missing; the section "${name}" is missing.`,
    );
    const content = `---\n${name}: ${name}\n---\n# ${name}\n`;
    await here.done("cairn", "cairn_write", { path: `${name}/n`, content });
    const asked = { knowledge_base_name: name, note_path: "n.md" };
    const { machine_validation: verdict, knowledge_base } = await here.done(
      "bridges",
      "validate_note",
      asked,
    );
    expect([verdict.passed, knowledge_base.name]).toEqual([true, name]);
    const { knowledge_bases } = await here.done("bridges", "list_knowledge_bases", {});
    expect(knowledge_bases.map((base: { name: string }) => base.name)).toEqual([name]);
  });

  test("is no rule", async () => {
    await here.done("bridges", "add_knowledge_base", {
      name: "kb",
      description: "",
      subfolder: "kb",
      organization_rules: "",
    });
    for (const rules of [`{"${name}": {"pattern": "x"}}`, `{"content": {"${name}": 1}}`])
      expect(
        await here.refused(
          "bridges",
          "add_knowledge_base_folder_constraint",
          json(`{"kb_name": "kb", "subfolder": "kb", "rules": ${rules}}`),
        ),
      ).toContain(`unknown key \\"${name}\\"`);
    expect(
      await here.refused("bridges", "read_note", { knowledge_base_name: name, note_path: "a.md" }),
    ).toContain("knowledge_base_not_found");
  });

  test("is a tag, an alias, a name, a folder, a section and a word", async () => {
    const { done } = here;
    const content = `# ${name}\n\nA section of ${name}.\n`;
    await done("cairn", "cairn_write", { path: `${name}/n`, content, tags: [name], aliases: [name] });
    await done("cairn", "cairn_write", { path: "other", content: `[[${name}]] is meant\n` });
    const found = async (input: object) =>
      (await done("cairn", "cairn_search", input)).results.map((it: { path: string }) => it.path);
    expect(await found({ tags: [name] })).toEqual([`${name}/n`]);
    expect(await found({ query: name, path_prefix: name })).toEqual([`${name}/n`]);
    expect(await found({ backlinks_to: `${name}/n` })).toEqual(["other"]);
    expect(await done("wiki", "list_tags", {})).toBe(`Tags in use:\n\n- ${name} (1 note)`);
    expect(await done("wiki", "search_notes", { query: `tag:${name}` })).toContain("Found 1 note ");
    expect(await done("wiki", "browse", {})).toContain(`- ${name}/    (1 note)`);
    expect(await done("obsidian", "read_section", { name: "n", section: name })).toBe(
      `A section of ${name}.`,
    );
    await done("obsidian", "create_note", { name, content: "mine" });
    expect((await done("obsidian", "get_links", { name })).incoming).toEqual(["other"]);
    expect(await done("obsidian", "read_note", { name })).toBe("mine");
    await done("obsidian", "rename_note", { old_name: name, new_name: `${name}2` });
    expect(await fileAt("other.md")).toContain(`[[${name}2]]`);
    const row = (await here.vault.notebook.find({ name: `${name}2` }, { limit: 1, sort: "path" })).notes[0]!;
    await done("notes", "UpdateNote", { id: row.id, title: name });
    expect(await done("notes", "GetNote", { id: row.id })).toContain(`Title: ${name}`);
  });

  test("is no argument: refused where something is written, passed over where it is read", async () => {
    await here.vault.put("a.md", "x");
    const extra = `"${name}": {"polluted": true}`;
    const write = json(`{"path": "a", "content": "y", ${extra}}`);
    // The protocol's own library drops this one key from the arguments of a call, so that no tool sees it.
    if (name === "__proto__") await here.done("cairn", "cairn_write", write);
    else expect(await here.refused("cairn", "cairn_write", write)).toContain(`no parameter "${name}"`);
    const text = await here.done("cairn", "cairn_read", json(`{"path": "a", ${extra}}`));
    expect(text).toContain(name === "__proto__" ? "y" : "x");
    expect(text).not.toContain("polluted");
    await expect(here.call("cairn", name, {})).rejects.toThrowError("Unknown tool");
  });
});
