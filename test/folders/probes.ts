/** Questions and changes for the folder law: every tool of every surface, asked of what lies inside, outside, and nowhere. */

import type { Made } from "./vaults.ts";

export type Probe = { surface: string; tool: string; input: Record<string, unknown> };

/** Tools that list notes by time: those of one change are put in order by the clock of the disk, which may differ. */
const BY_TIME = new Set([
  "native list_notes",
  "wiki browse",
  "wiki recent_notes",
  "cairn cairn_list",
  "cairn cairn_search",
  "notes ListNotes",
  "notes SearchNotes",
]);
export const isByTime = ({ surface, tool }: Probe): boolean => BY_TIME.has(`${surface} ${tool}`);

const bare = (path: string): string => path.slice(0, -3);
const nameOf = (path: string): string => bare(path).slice(bare(path).lastIndexOf("/") + 1);

/** Questions about some paths, which may be there or not. */
export function questionsAbout(paths: readonly string[], { folder }: Made): Probe[] {
  const about = paths.flatMap((path): Probe[] => [
    { surface: "native", tool: "read_notes", input: { notes: [path] } },
    { surface: "native", tool: "read_notes", input: { notes: [path], show: "info" } },
    { surface: "native", tool: "read_notes", input: { notes: [nameOf(path)], show: "outline" } },
    { surface: "native", tool: "get_links", input: { note: path, depth: 3 } },
    { surface: "native", tool: "get_links", input: { note: nameOf(path), direction: "in" } },
    { surface: "native", tool: "get_history", input: { note: path, diff: true } },
    { surface: "native", tool: "get_history", input: { note: path } },
    {
      surface: "native",
      tool: "search_notes",
      input: { query: `link:${nameOf(path)}`, limit: 50 },
    },
    { surface: "obsidian", tool: "read_note", input: { name: nameOf(path) } },
    { surface: "obsidian", tool: "get_links", input: { name: nameOf(path) } },
    { surface: "obsidian", tool: "get_note_metadata", input: { name: nameOf(path) } },
    { surface: "obsidian", tool: "read_section", input: { name: nameOf(path), section: "Part" } },
    { surface: "obsidian", tool: "get_headings", input: { name: nameOf(path) } },
    { surface: "obsidian", tool: "search_notes", input: { query: nameOf(path) } },
    { surface: "wiki", tool: "get_note", input: { path: bare(path) } },
    { surface: "wiki", tool: "get_backlinks", input: { path: bare(path) } },
    { surface: "wiki", tool: "get_note_history", input: { path: bare(path) } },
    { surface: "cairn", tool: "cairn_read", input: { path: bare(path) } },
    { surface: "cairn", tool: "cairn_links", input: { path: bare(path), depth: 2 } },
    { surface: "cairn", tool: "cairn_search", input: { backlinks_to: bare(path) } },
    { surface: "notes", tool: "SearchNotes", input: { query: nameOf(path) } },
    { surface: "bridges", tool: "read_note", input: { knowledge_base_name: "team", note_path: path } },
    { surface: "bridges", tool: "validate_note", input: { knowledge_base_name: "team", note_path: path } },
  ]);
  return [
    ...about,
    ...(paths.length > 1
      ? [{ surface: "native", tool: "get_links", input: { note: paths[0]!, to: paths[1]! } }]
      : []),
    { surface: "native", tool: "list_notes", input: { folder } },
  ];
}

/** Questions about files that are no notes. */
export function questionsAboutFiles(paths: readonly string[], { folder }: Made): Probe[] {
  const native = (tool: string, input: Record<string, unknown>): Probe => ({
    surface: "native",
    tool,
    input,
  });
  return [
    ...["files", "unused"].flatMap((what) => [
      native("list_notes", { what }),
      native("list_notes", { what, limit: 1 }),
      ...[folder, "G"].map((of) => native("list_notes", { what, folder: of })),
    ]),
    ...paths.flatMap((path) => [
      native("read_notes", { notes: [path] }),
      native("read_notes", { notes: [path.slice(path.lastIndexOf("/") + 1)], show: "info" }),
      native("get_links", { note: path }),
      native("get_links", { note: path.slice(path.lastIndexOf("/") + 1), direction: "in" }),
    ]),
  ];
}

/** Questions about everything there is. */
export function questions({ folder }: Made): Probe[] {
  const searches = [
    "gardan",
    "orchar",
    "zephyr",
    "marble window",
    "widow",
    "tag:tree",
    "tag:spy",
    "is:orphan",
    "is:broken",
    "is:hidden",
    "is:daily",
    "clearance:open",
    "status:open",
    "rivet OR river",
    "-garden",
    '"copper marble"',
    "there",
    "title:Alder",
    `folder:${folder}`,
    "path:G",
    "Raven",
  ];
  const days: Record<string, unknown>[] = [
    {},
    { period: "week" },
    { template: "Raven", date: "2026-01-02" },
    { period: "year" },
  ];
  return [
    ...days.map((input): Probe => ({ surface: "native", tool: "daily_note", input })),
    { surface: "native", tool: "write_note", input: { path: `${folder}/From.md`, template: "Raven" } },
    ...searches.flatMap((query): Probe[] => [
      { surface: "native", tool: "search_notes", input: { query, limit: 50 } },
      { surface: "wiki", tool: "search_notes", input: { query, limit: 50 } },
    ]),
    ...["folder", "notes", "recent", "created", "tags", "orphans"].map((what): Probe => ({
      surface: "native",
      tool: "list_notes",
      input: { what },
    })),
    { surface: "native", tool: "list_notes", input: { what: "notes", limit: 1 } },
    { surface: "native", tool: "get_links", input: {} },
    { surface: "native", tool: "get_history", input: {} },
    { surface: "native", tool: "get_history", input: { diff: true, from: "2026-01-01" } },
    { surface: "native", tool: "get_history", input: { find: "marble" } },
    { surface: "native", tool: "get_history", input: { find: "zephyr" } },
    { surface: "native", tool: "check_vault", input: {} },
    { surface: "native", tool: "manage_rules", input: { do: "list" } },
    { surface: "obsidian", tool: "list_notes", input: {} },
    { surface: "obsidian", tool: "find_broken_links", input: {} },
    { surface: "obsidian", tool: "search_notes", input: { query: "tree, spy", mode: "tag" } },
    { surface: "obsidian", tool: "search_notes", input: { query: "rive", mode: "content" } },
    { surface: "wiki", tool: "browse", input: {} },
    { surface: "wiki", tool: "browse", input: { path: folder } },
    { surface: "wiki", tool: "list_tags", input: {} },
    { surface: "wiki", tool: "recent_notes", input: {} },
    { surface: "cairn", tool: "cairn_list", input: { recursive: true } },
    { surface: "cairn", tool: "cairn_list", input: {} },
    {
      surface: "cairn",
      tool: "cairn_list",
      input: { path_prefix: folder, recursive: true, sort: "alpha", limit: 1 },
    },
    { surface: "cairn", tool: "cairn_search", input: { query: "mar" } },
    { surface: "cairn", tool: "cairn_search", input: { tags: ["tree"] } },
    { surface: "notes", tool: "ListNotes", input: {} },
    { surface: "notes", tool: "SearchNotes", input: { query: "r" } },
    { surface: "bridges", tool: "list_knowledge_bases", input: {} },
    { surface: "bridges", tool: "list_notes", input: { knowledge_base_name: "team" } },
    { surface: "bridges", tool: "list_notes", input: { knowledge_base_name: "others" } },
    { surface: "obsidian", tool: "get_help", input: {} },
  ];
}

/** Changes of a note inside, in the order in which they can follow each other. */
export function changesOf(path: string, other: string, { folder }: Made): Probe[] {
  const name = nameOf(path);
  const moved = `${folder}/Sub/Ivy.md`;
  return [
    {
      surface: "native",
      tool: "write_note",
      input: { path: `${folder}/Juniper.md`, text: `New [[${name}]] [[Raven]] marble.\n` },
    },
    {
      surface: "native",
      tool: "edit_notes",
      input: { edits: [{ note: path, do: "append", text: "More river." }] },
    },
    { surface: "obsidian", tool: "append_note", input: { name, text: "Appended [[Juniper]]." } },
    { surface: "obsidian", tool: "add_tag", input: { name, tag: "spy" } },
    { surface: "obsidian", tool: "add_tag", input: { name, tag: "tree" } },
    { surface: "obsidian", tool: "set_frontmatter", input: { name, key: "status", value: "done" } },
    { surface: "obsidian", tool: "replace_text", input: { name, old_text: "river", new_text: "stream" } },
    { surface: "obsidian", tool: "create_note", input: { name: `${folder}/Kelp`, content: "By [[Ivy]]" } },
    { surface: "cairn", tool: "cairn_patch", input: { path: bare(path), op: "append", content: "patched" } },
    {
      surface: "cairn",
      tool: "cairn_write",
      input: { path: `${folder}/Larch`, content: "See [[Kelp]]", aliases: ["Raven alias"] },
    },
    { surface: "wiki", tool: "update_note", input: { path: bare(path), add_tags: ["todo"] } },
    { surface: "native", tool: "move_notes", input: { moves: [{ from: path, to: moved }], dry_run: true } },
    { surface: "native", tool: "move_notes", input: { moves: [{ from: path, to: moved }] } },
    { surface: "obsidian", tool: "rename_note", input: { old_name: "Ivy", new_name: "Lime" } },
    {
      surface: "bridges",
      tool: "append_note",
      input: { knowledge_base_name: "team", note_path: `${folder}/Sub/Lime.md`, note_content: "by bridges" },
    },
    {
      surface: "wiki",
      tool: "create_note",
      input: { path: `${folder}/Moss`, title: "Moss", content: "[[Lime]]" },
    },
    { surface: "native", tool: "delete_note", input: { path: other, mark_links: true } },
    { surface: "native", tool: "undo_changes", input: { last: 1 } },
    { surface: "wiki", tool: "delete_note", input: { path: `${folder}/Moss` } },
    { surface: "native", tool: "undo_changes", input: { last: 2, dry_run: true } },
    {
      surface: "native",
      tool: "move_notes",
      input: { moves: [{ from: `${folder}/Sub/`, to: `${folder}/Down/` }] },
    },
    { surface: "native", tool: "undo_changes", input: { last: 1 } },
  ];
}

/** Changes that reach outside. */
export function refusedOf(inside: string, outside: string, crossing: string): Probe[] {
  const place = bare(outside);
  return [
    { surface: "native", tool: "write_note", input: { path: "New.md", text: "x" } },
    { surface: "native", tool: "write_note", input: { path: outside, text: "x" } },
    { surface: "native", tool: "edit_notes", input: { edits: [{ note: outside, do: "append", text: "x" }] } },
    { surface: "native", tool: "move_notes", input: { moves: [{ from: inside, to: "Out.md" }] } },
    {
      surface: "native",
      tool: "move_notes",
      input: { moves: [{ from: outside, to: `${inside.slice(0, -3)} too.md` }] },
    },
    {
      surface: "native",
      tool: "move_notes",
      input: { moves: [{ from: inside, to: "Out.md" }], dry_run: true },
    },
    { surface: "native", tool: "delete_note", input: { path: outside } },
    { surface: "native", tool: "undo_changes", input: { revisions: [crossing] } },
    { surface: "native", tool: "daily_note", input: { date: "2026-01-15", text: "x" } },
    { surface: "obsidian", tool: "append_note", input: { name: nameOf(outside), text: "x" } },
    { surface: "obsidian", tool: "delete_note", input: { name: nameOf(outside) } },
    { surface: "obsidian", tool: "create_note", input: { name: "New" } },
    { surface: "wiki", tool: "create_note", input: { path: "New", title: "New", content: "x" } },
    { surface: "wiki", tool: "update_note", input: { path: bare(inside), new_path: "Out" } },
    { surface: "wiki", tool: "delete_note", input: { path: place } },
    { surface: "cairn", tool: "cairn_write", input: { path: place, content: "x" } },
    { surface: "cairn", tool: "cairn_delete", input: { path: place } },
    { surface: "cairn", tool: "cairn_daily", input: { op: "append", content: "x" } },
    { surface: "notes", tool: "AddNote", input: { title: "New", content: "x" } },
    {
      surface: "bridges",
      tool: "create_note",
      input: { knowledge_base_name: "others", note_path: "x.md", note_content: "x" },
    },
  ];
}
