/** Five servers, each a process of its own with another surface, on one vault with one index: what one writes the others see at their next call. */

import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, makeHome } from "./process.ts";

const SURFACES = ["obsidian", "bridges", "wiki", "cairn", "notes"];
const LONGEST = 120_000;
const home = makeHome();
const clients = new Map<string, Client>();
type Answered = { isError?: boolean; content: { text: string }[] };

const ask = async (surface: string, name: string, input: object): Promise<Answered> =>
  (await clients
    .get(surface)!
    .callTool({ name, arguments: input as Record<string, unknown> })) as unknown as Answered;
const said = async (surface: string, name: string, input: object): Promise<string> => {
  const { isError, content } = await ask(surface, name, input);
  expect(isError, content[0]!.text).toBeFalsy();
  return content[0]!.text;
};
const refused = async (surface: string, name: string, input: object): Promise<string> => {
  const { isError, content } = await ask(surface, name, input);
  expect(isError, content[0]!.text).toBe(true);
  return content[0]!.text;
};
const fileAt = (path: string): string => readFileSync(join(home.vault, path), "utf8");

beforeAll(async () => {
  mkdirSync(join(home.vault, "kb"));
  writeFileSync(join(home.vault, "kb/shared.md"), "---\nid: 0000aaaa\ntitle: Shared\n---\nBegun by hand.\n");
  writeFileSync(join(home.vault, "kb/linker.md"), "See [[shared]].\n");
  const start = async (surface: string) => {
    const client = new Client({ name: `${surface} client`, version: "1" });
    const args = [command("notewright"), "serve", home.vault, "--tools", surface];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: home.environment, stderr: "ignore" }),
    );
    clients.set(surface, client);
  };
  await Promise.all(SURFACES.map(start));
  // The first answer on obsidian carries its opening block, and waits for the index.
  await said("obsidian", "get_help", {});
  await said("bridges", "add_knowledge_base", {
    name: "kb",
    description: "",
    subfolder: "kb",
    organization_rules: "",
  });
}, LONGEST);
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  home.remove();
}, LONGEST);

const KB = { knowledge_base_name: "kb" };
const WRITES: [string, string, (name: string, text: string) => object][] = [
  ["obsidian", "create_note", (name, content) => ({ name: `kb/${name}`, content })],
  ["bridges", "create_note", (name, note_content) => ({ ...KB, note_path: `${name}.md`, note_content })],
  ["wiki", "create_note", (name, content) => ({ path: `kb/${name}`, title: name, content })],
  ["cairn", "cairn_write", (name, content) => ({ path: `kb/${name}`, content })],
];
/** Each surface's ways to see a note: by its name or place, and by a word in it. */
const SIGHTS: [string, string, (name: string, word: string) => object, (name: string) => string][] = [
  ["obsidian", "read_note", (name) => ({ name }), () => "a word: "],
  ["obsidian", "search_notes", (_, query) => ({ query, mode: "content" }), (name) => `"name":"${name}"`],
  ["bridges", "read_note", (name) => ({ ...KB, note_path: `${name}.md` }), () => "a word: "],
  ["bridges", "list_notes", () => KB, (name) => `{"path":"kb/${name}.md"}`],
  ["wiki", "get_note", (name) => ({ path: `kb/${name}` }), (name) => `**Path:** kb/${name}\n`],
  ["wiki", "search_notes", (_, query) => ({ query }), (name) => `** (kb/${name})`],
  ["cairn", "cairn_read", (name) => ({ path: `kb/${name}` }), () => "a word: "],
  ["cairn", "cairn_search", (_, query) => ({ query }), (name) => `"path":"kb/${name}"`],
  ["notes", "SearchNotes", (_, query) => ({ query }), () => "Found 1 note(s)"],
];

test.each(WRITES)(
  "what %s writes the others see",
  async (surface, tool, input) => {
    const name = `from-${surface}`;
    const word = `wordof${surface}`;
    await said(surface, tool, input(name, `a word: ${word}\n`));
    for (const [other, sight, asked, shown] of SIGHTS)
      expect(await said(other, sight, asked(name, word)), `${other} ${sight}`).toContain(shown(name));
  },
  LONGEST,
);

test(
  "what notes writes the others see",
  async () => {
    const added = await said("notes", "AddNote", { title: "From notes", content: "a word: wordofnotes" });
    const id = / with ID ([0-9a-f]{8}) /.exec(added)![1]!;
    expect(await said("obsidian", "read_note", { name: "From notes" })).toMatch(
      // An id of digits alone stands in quotes.
      new RegExp(`^id: "?${id}"?$`, "m"),
    );
    expect(await said("wiki", "get_note", { path: "From notes" })).toContain("a word: wordofnotes");
    expect(await said("cairn", "cairn_search", { query: "wordofnotes" })).toContain('"path":"From notes"');
    await said("notes", "UpdateNote", { id: "0000aaaa", content: "Begun with a word: wordofupdate" });
    expect(await said("bridges", "read_note", { ...KB, note_path: "shared.md" })).toContain("wordofupdate");
  },
  LONGEST,
);

test(
  "of what all five add to one note at the same time, nothing is lost",
  async () => {
    const rounds = Array.from({ length: 12 }, (_, at) => at);
    const adding: [string, string, (at: number) => object][] = [
      ["obsidian", "append_note", (at) => ({ name: "shared", text: `line obsidian ${at}.` })],
      [
        "bridges",
        "append_note",
        (at) => ({ ...KB, note_path: "shared.md", note_content: `line bridges ${at}.` }),
      ],
      ["cairn", "cairn_patch", (at) => ({ path: "kb/shared", op: "append", content: `line cairn ${at}.` })],
      ["wiki", "update_note", (at) => ({ path: "kb/shared", add_tags: [`wiki-${at}`] })],
      ["notes", "UpdateNote", (at) => ({ id: "0000aaaa", title: `Title ${at}` })],
    ];
    await Promise.all(
      adding.flatMap(([surface, tool, input]) => rounds.map((at) => said(surface, tool, input(at)))),
    );
    const text = fileAt("kb/shared.md");
    const lines = text.split("\n").filter((line) => line.startsWith("line "));
    const wanted = ["obsidian", "bridges", "cairn"].flatMap((who) =>
      rounds.map((at) => `line ${who} ${at}.`),
    );
    expect(lines.toSorted()).toEqual(wanted.toSorted());
    for (const at of rounds) expect(text).toContain(`  - wiki-${at}\n`);
    // One connection's calls are done in their order.
    expect(text).toContain("title: Title 11\n");
    expect(text).toContain("Begun with a word: wordofupdate");
    const history = await said("wiki", "get_note_history", { path: "kb/shared", limit: 100 });
    const authored = (name: string) => history.split(` by ${name}\n`).length - 1;
    const counts = SURFACES.map((name) => [name, authored(`${name} client`)]);
    expect(Object.fromEntries(counts)).toEqual({ obsidian: 12, bridges: 12, wiki: 12, cairn: 12, notes: 13 });
    // What a server writes is nobody else's: only the note as it was found is of another program.
    expect(history.match(/^- [0-9a-f]{7} /gm)!.length).toBe(61 + 1);
  },
  LONGEST,
);

describe("what one changes", () => {
  test(
    "a rename through obsidian is followed everywhere",
    async () => {
      await said("obsidian", "rename_note", { old_name: "shared", new_name: "renamed" });
      expect(await said("wiki", "get_backlinks", { path: "kb/renamed" })).toBe(
        "Backlinks to kb/renamed:\n\n- **linker** (kb/linker)\n  1 link - line 1",
      );
      expect(await said("wiki", "get_backlinks", { path: "kb/shared" })).toBe(
        "Note kb/shared does not exist.\n\nNo notes link to this path.",
      );
      expect(await said("cairn", "cairn_links", { path: "kb/linker" })).toContain('"path":"kb/renamed"');
      expect(await said("bridges", "read_note", { ...KB, note_path: "linker.md" })).toContain("[[renamed]]");
      expect(await said("notes", "GetNote", { id: "0000aaaa" })).toContain("Title: Title 11");
      expect(await refused("cairn", "cairn_read", { path: "kb/shared" })).toBe(
        "not_found: kb/shared was moved to kb/renamed",
      );
    },
    LONGEST,
  );

  test(
    "a rule set through bridges binds the next write of every other",
    async () => {
      await said("bridges", "add_knowledge_base_folder_constraint", {
        kb_name: "kb",
        subfolder: "kb",
        rules: { content: { max_length: 3 } },
      });
      const words = "the text has 5 characters, at most 3 are allowed";
      const content = "12345";
      expect(await refused("obsidian", "create_note", { name: "kb/x", content })).toContain(words);
      expect(await refused("wiki", "create_note", { path: "kb/x", title: "x", content })).toContain(words);
      expect(await refused("cairn", "cairn_write", { path: "kb/x", content })).toContain(words);
      expect(await refused("notes", "UpdateNote", { id: "0000aaaa", title: "x" })).toContain("at most 3");
      await said("bridges", "add_knowledge_base_folder_constraint", {
        kb_name: "kb",
        subfolder: "kb",
        rules: {},
      });
      await said("cairn", "cairn_write", { path: "kb/x", content });
    },
    LONGEST,
  );

  test(
    "a note deleted through cairn is gone for all",
    async () => {
      await said("cairn", "cairn_delete", { path: "kb/renamed" });
      expect(await refused("obsidian", "read_note", { name: "renamed" })).toContain(
        "Note 'renamed' not found",
      );
      expect(await refused("bridges", "read_note", { ...KB, note_path: "renamed.md" })).toContain(
        "note_not_found",
      );
      expect(await refused("wiki", "get_note", { path: "kb/renamed" })).toContain("Note not found");
      expect(await refused("notes", "GetNote", { id: "0000aaaa" })).toContain("not found");
      expect(await said("wiki", "get_backlinks", { path: "kb/renamed" })).toBe(
        "Note kb/renamed does not exist.\n\nHowever, 1 note has links to this path:\n- kb/linker (1 link)",
      );
    },
    LONGEST,
  );
});
