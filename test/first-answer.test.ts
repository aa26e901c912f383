/** What a new user meets: the first call of every reading tool, sent with `initialize` to a vault that was never opened before, is answered in full. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { noteText } from "../bench/vault.ts";
import { command, makeHome, runToEnd, type Home } from "./process.ts";
import { surfaces } from "./surfaces.ts";
import { call, line } from "./wire.ts";

/** Enough for a second thread, several slices, and an index that takes longer than the first calls do to arrive. */
const NOTES = 400;
const base = { knowledge_base_name: "folder" };

/** Each reading tool of each surface; what needs the id of a version cannot be a first call. */
const ASKED: Record<string, [tool: string, input: object][]> = {
  native: [
    ["search_notes", { query: "unique399x" }],
    ["list_notes", {}],
    ["list_notes", { what: "notes" }],
    ["list_notes", { what: "tags" }],
    ["list_notes", { what: "orphans" }],
    ["read_notes", { notes: ["Note 399"] }],
    ["read_notes", { notes: ["folder/Note 399.md"], show: "info" }],
    ["get_links", { note: "Note 7" }],
    ["get_links", {}],
    ["get_history", {}],
    ["check_vault", {}],
  ],
  bridges: [
    ["list_knowledge_bases", {}],
    ["read_note", { ...base, note_path: "Note 399.md" }],
    ["list_notes", base],
    ["validate_note", { ...base, note_path: "Note 399.md" }],
  ],
  cairn: [
    ["cairn_search", { query: "unique399x" }],
    ["cairn_links", { path: "folder/Note 7" }],
    ["cairn_list", {}],
    ["cairn_read", { path: "folder/Note 7" }],
  ],
  notes: [
    ["GetNote", { id: "no such id" }],
    ["ListNotes", {}],
    ["SearchNotes", { query: "unique399x" }],
  ],
  obsidian: [
    ["read_note", { name: "Note 399" }],
    ["search_notes", { query: "Note 39" }],
    ["get_links", { name: "Note 7" }],
    ["get_note_metadata", { name: "Note 399" }],
    ["list_notes", { limit: 1000 }],
    ["find_broken_links", {}],
    ["get_help", {}],
    ["read_section", { name: "Note 399", heading: "Note 399" }],
    ["get_headings", { name: "Note 399" }],
  ],
  wiki: [
    ["search_notes", { query: "unique399x" }],
    ["browse", { path: "folder" }],
    ["list_tags", {}],
    ["get_backlinks", { path: "folder/Note 7" }],
    ["recent_notes", { limit: 1000 }],
    ["get_note", { path: "folder/Note 399" }],
    ["get_note_history", { path: "folder/Note 399" }],
  ],
};

let home: Home | undefined;
afterEach(() => home?.remove());

const vaultOf = ({ vault }: Home): string => {
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  };
  for (let number = 0; number < NOTES; number++)
    put(`folder/Note ${number}.md`, `${noteText(number, NOTES)}${number % 9 ? "" : "[[nowhere]]\n"}`);
  put(".llm_bridges/knowledge_base/folder/meta.md", "---\ndescription: d\nsubfolder: folder\n---\nRules.\n");
  return vault;
};

/** All of the calls in one write with `initialize`; what each is answered, by its id. */
const asked = async (vault: string, surface: string, environment: Record<string, string>) => {
  const clientInfo = { name: "test", version: "0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const calls = ASKED[surface]!.map(([tool, input], at) => call(at + 1, tool, input));
  const input = `${line({ id: 0, method: "initialize", params })}${line({ method: "notifications/initialized" })}${calls.join("")}`;
  const { stdout } = await runToEnd([command("notewright"), "serve", vault, "--tools", surface], {
    environment,
    input,
    answers: calls.length + 1,
  });
  const answers = new Map<number, unknown>();
  for (const one of stdout.split("\n").filter(Boolean)) {
    const { id, result } = JSON.parse(one) as { id?: number; result: unknown };
    if (id === undefined) continue;
    // The opening block goes to whichever call is first to be answered.
    answers.set(
      id,
      JSON.parse(JSON.stringify(result).replace(/\\n\\n---\\n## Your personal notes.*?---(?=")/, "")),
    );
  }
  return ASKED[surface]!.map(([tool, given], at) => ({ tool, given, answer: answers.get(at + 1) }));
};

test("every reading tool is asked, but for those that take a version", () => {
  for (const { name, tools } of surfaces) {
    const reading = tools.filter((tool) => tool.annotations.readOnlyHint).map((tool) => tool.name);
    const versions = ["get_note_version", "diff_note_versions"];
    const rest = reading.filter((tool) => !ASKED[name]!.some(([one]) => one === tool));
    expect(rest.filter((tool) => !versions.includes(tool))).toEqual([]);
  }
});

test.each(Object.keys(ASKED))(
  "%s answers its first calls as it does later ones",
  { timeout: 120_000 },
  async (surface) => {
    home = makeHome();
    const vault = vaultOf(home);
    const first = await asked(vault, surface, home.environment);
    const later = await asked(vault, surface, home.environment);
    expect(first).toEqual(later);
    expect(JSON.stringify(first)).not.toContain("so far");
    expect(JSON.stringify(first)).toContain("Note 399");
  },
);
