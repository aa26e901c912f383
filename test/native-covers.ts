/** Which native call stands for which tool of the other surfaces. docs/TOOLS.md shows it, and a test runs every one of them on the vault below. */

export type Cover = {
  surface: string;
  tool: string;
  /** What of the tool it stands for, where one call does not stand for all of it. */
  part?: string;
  call: string;
  input: Record<string, unknown>;
  /** What the answer holds; for a call that writes, what the vault holds after it. */
  gives: RegExp;
};

/** As it is at the beginning; then one edit is recorded, whose revision and the one before it are `{now}` and `{before}`. */
export const VAULT: Record<string, string> = {
  "Work/Roadmap.md":
    "---\ntitle: The roadmap\ntags: [plan]\ncreated: 2026-01-02\n---\n# Roadmap\n\nWe ship in May.\n\n## Next\n\n- tests\n\n## Risks\n\nNone known.\n",
  "Work/Team.md": "# Team\n\nSee [[Roadmap]] and [[Nobody]]. #people\n",
  "Papers/Attention.md": "---\nyear: 2017\n---\nAll you need.\n",
  "daily/2026-01-14.md": "# 2026-01-14\n\n## Log\n\n- rain\n",
  ".llm_bridges/knowledge_base/papers/meta.md":
    "---\ncreate_time: 2026-01-01T00:00:00Z\ndescription: What I read\nsubfolder: Papers\n---\nOne note a paper.\n",
  ".llm_bridges/knowledge_base/papers/folder_constraints/Papers.md":
    "---\nsubfolder: Papers\n---\n\n## Rules\n\n```yaml\nfrontmatter:\n  required_fields:\n    - {name: year, type: number}\n```\n",
};

const road = "Work/Roadmap.md";
const edit = (one: object) => ({ edits: [{ note: road, ...one }] });

const rows: [string, string, string, Record<string, unknown>, RegExp, string?][] = [
  ["obsidian", "read_note", "read_notes", { notes: ["Roadmap"] }, /We ship in May/],
  [
    "obsidian",
    "create_note",
    "write_note",
    { path: "Work/New.md", text: "---\ntags: [plan]\n---\nBody\n" },
    /tags: \[plan\]\n---\nBody/,
  ],
  ["obsidian", "append_note", "edit_notes", edit({ do: "append", text: "Added." }), /Added\./],
  [
    "obsidian",
    "update_note",
    "edit_notes",
    { edits: [{ note: "{version}", do: "replace", text: "All new." }] },
    /title: The roadmap[\s\S]*---\nAll new\./,
  ],
  ["obsidian", "delete_note", "delete_note", { path: road, mark_links: true }, /\[\[Roadmap \(deleted\)\]\]/],
  [
    "obsidian",
    "rename_note",
    "move_notes",
    { moves: [{ from: road, to: "Work/Map.md" }] },
    /See \[\[Map\]\]/,
  ],
  ["obsidian", "search_notes", "search_notes", { query: "ship May" }, /Roadmap\.md/, "content"],
  ["obsidian", "search_notes", "search_notes", { query: "tag:plan OR tag:people" }, /2 notes/, "tag"],
  ["obsidian", "search_notes", "search_notes", { query: "roadmap" }, /Roadmap\.md/, "name"],
  ["obsidian", "get_links", "get_links", { note: road }, /← Work\/Team\.md/],
  ["obsidian", "get_note_metadata", "read_notes", { notes: [road], show: "info" }, /"title":"The roadmap"/],
  [
    "obsidian",
    "set_frontmatter",
    "edit_notes",
    edit({ do: "set_fields", fields: { status: "open" } }),
    /status: open/,
  ],
  [
    "obsidian",
    "add_tag",
    "edit_notes",
    edit({ do: "add_tags", items: ["people"] }),
    /tags: \[plan, people\]/,
  ],
  ["obsidian", "remove_tag", "edit_notes", edit({ do: "remove_tags", items: ["plan"] }), /tags: \[\]/],
  ["obsidian", "list_notes", "list_notes", { what: "notes", limit: 2 }, /4 notes, 1-2 shown/],
  [
    "obsidian",
    "replace_text",
    "edit_notes",
    edit({ do: "replace_text", find: "May", text: "June", all: true }),
    /ship in June/,
  ],
  [
    "obsidian",
    "insert_text",
    "edit_notes",
    edit({ do: "insert_after", find: "- tests", text: "- docs" }),
    /- tests\n- docs/,
  ],
  ["obsidian", "read_section", "read_notes", { notes: [`${road}#Risks`] }, /None known/],
  [
    "obsidian",
    "append_section",
    "edit_notes",
    { edits: [{ note: `${road}#Next`, do: "append", text: "- docs" }] },
    /- tests\n- docs/,
  ],
  ["obsidian", "get_headings", "read_notes", { notes: [road], show: "outline" }, /## #Risks@/],
  [
    "obsidian",
    "update_section",
    "edit_notes",
    { edits: [{ note: `${road}#Risks`, do: "replace", text: "Rain." }] },
    /## Risks\n\nRain\.\n/,
  ],
  [
    "obsidian",
    "delete_section",
    "edit_notes",
    { edits: [{ note: `${road}#Risks`, do: "delete" }] },
    /- tests\n$/m,
  ],
  ["obsidian", "find_broken_links", "get_links", {}, /Nobody \(no such note\)/],
  [
    "obsidian",
    "get_help",
    "read_notes",
    { notes: ["Roadmap"] },
    /Roadmap/,
    "tools/list says it all; no call is needed",
  ],
  ["bridges", "list_knowledge_bases", "manage_rules", { do: "list" }, /papers: Papers\/ \(What I read\)/],
  [
    "bridges",
    "add_knowledge_base",
    "manage_rules",
    { do: "add_base", base: "work", folder: "Work", description: "Work", guide: "Be brief." },
    /description: Work/,
  ],
  [
    "bridges",
    "update_knowledge_base",
    "manage_rules",
    { do: "update_base", base: "papers", guide: "With its year." },
    /With its year\./,
  ],
  [
    "bridges",
    "add_knowledge_base_folder_constraint",
    "manage_rules",
    { do: "set_rules", base: "papers", folder: "Papers", rules: { filename: { pattern: "^[A-Z]" } } },
    /pattern/,
  ],
  [
    "bridges",
    "create_note",
    "write_note",
    { path: "Papers/Bert.md", text: "---\nyear: 2018\n---\nDeep.\n" },
    /year: 2018/,
  ],
  [
    "bridges",
    "update_note",
    "write_note",
    { path: "Papers/Attention.md", text: "---\nyear: 2017\n---\nNew.\n", if_match: "{papers}" },
    /year: 2017\n---\nNew\./,
  ],
  [
    "bridges",
    "append_note",
    "edit_notes",
    { edits: [{ note: "Papers/Attention.md", do: "append", text: "More." }] },
    /More\./,
  ],
  [
    "bridges",
    "move_note",
    "move_notes",
    { moves: [{ from: "Papers/Attention.md", to: "Papers/2017 Attention.md" }] },
    /All you need/,
  ],
  ["bridges", "delete_note", "delete_note", { path: "Papers/Attention.md" }, /Roadmap/],
  ["bridges", "read_note", "read_notes", { notes: [road], lines: "6-8" }, /lines 6-8 of/],
  ["bridges", "list_notes", "list_notes", { what: "notes", folder: "Papers" }, /Papers\/Attention\.md/],
  [
    "bridges",
    "validate_note",
    "read_notes",
    { notes: ["Papers/Attention.md"], show: "info" },
    /rule of "Papers": kept/,
  ],
  [
    "wiki",
    "create_note",
    "write_note",
    { path: "ideas/new.md", text: "---\ntitle: New\n---\nx\n" },
    /title: New/,
  ],
  ["wiki", "get_note", "read_notes", { notes: [road] }, /We ship in May/],
  [
    "wiki",
    "update_note",
    "edit_notes",
    {
      edits: [
        { note: road, do: "set_fields", fields: { title: "Map", tags: ["a"] } },
        { note: road, do: "replace_text", find: "May", text: "June" },
      ],
    },
    /title: Map[\s\S]*ship in June/,
    "title, tags, content",
  ],
  [
    "wiki",
    "update_note",
    "move_notes",
    { moves: [{ from: road, to: "Work/Map.md" }], leave_links: true },
    /See \[\[Roadmap\]\]/,
    "new_path",
  ],
  ["wiki", "delete_note", "delete_note", { path: road }, /See \[\[Roadmap\]\]/],
  [
    "wiki",
    "search_notes",
    "search_notes",
    { query: 'title:roadmap tag:plan folder:Work "ship in"' },
    /1 note/,
  ],
  ["wiki", "browse", "list_notes", { folder: "Work" }, /Work\/Team\.md/],
  ["wiki", "list_tags", "list_notes", { what: "tags" }, /plan 1/],
  ["wiki", "get_backlinks", "get_links", { note: "Nobody", direction: "in" }, /Work\/Team\.md → Nobody/],
  ["wiki", "recent_notes", "list_notes", { what: "recent" }, /Work\/Roadmap\.md/],
  ["wiki", "recent_notes", "get_history", { from: "2026-01-15", limit: 5 }, /Work\/Roadmap\.md/, "since"],
  ["wiki", "get_note_history", "get_history", { note: road }, /2 revisions/],
  ["wiki", "get_note_version", "read_notes", { notes: [road], at: "{before}" }, /We ship in May/],
  [
    "wiki",
    "diff_note_versions",
    "get_history",
    { note: road, from: "{before}", to: "{now}", diff: true },
    /\+We ship in May, at last/,
  ],
  ["wiki", "restore_note_version", "undo_changes", { note: road, to: "{before}" }, /We ship in May\.\n/],
  ["cairn", "cairn_read", "read_notes", { notes: [road] }, /We ship in May/],
  [
    "cairn",
    "cairn_read",
    "read_notes",
    { notes: [road], show: "info" },
    /linked from 1 note: Work\/Team\.md/,
    "metadata_only, backlinks",
  ],
  [
    "cairn",
    "cairn_write",
    "write_note",
    { path: "people/jamie.md", text: "---\naliases: [J]\ntags: [person]\n---\nHi\n" },
    /aliases: \[J\]/,
  ],
  [
    "cairn",
    "cairn_patch",
    "edit_notes",
    {
      edits: [
        { note: `${road}#Next`, do: "prepend", text: "- plan" },
        { note: road, do: "prepend", text: "Top." },
      ],
    },
    /- plan\n- tests/,
  ],
  ["cairn", "cairn_delete", "delete_note", { path: road }, /See \[\[Roadmap\]\]/],
  [
    "cairn",
    "cairn_search",
    "search_notes",
    { query: "ship tag:plan folder:Work modified:>2025-01-01" },
    /1 note/,
    "query, tags, path_prefix, modified_since",
  ],
  ["cairn", "cairn_search", "search_notes", { query: "link:Roadmap" }, /Work\/Team\.md/, "backlinks_to"],
  ["cairn", "cairn_links", "get_links", { note: road, depth: 2, direction: "in" }, /Work\/Team\.md/],
  ["cairn", "cairn_daily", "daily_note", { date: "2026-01-14" }, /- rain/, "read"],
  [
    "cairn",
    "cairn_daily",
    "daily_note",
    { date: "2026-01-14", section: "Log", text: "- sun" },
    /- rain\n- sun/,
    "append_section",
  ],
  ["cairn", "cairn_list", "list_notes", { what: "created", folder: "Work" }, /2 notes/],
  ["notes", "AddNote", "write_note", { path: "Note.md", text: "Content\n" }, /Content/],
  ["notes", "GetNote", "read_notes", { notes: [road] }, /We ship in May/],
  ["notes", "ListNotes", "list_notes", { what: "recent" }, /4 notes/],
  ["notes", "SearchNotes", "search_notes", { query: '"ship in May"' }, /1 note/],
  [
    "notes",
    "UpdateNote",
    "edit_notes",
    { edits: [{ note: "{version}", do: "replace", text: "New." }] },
    /---\nNew\./,
  ],
  ["notes", "DeleteNote", "delete_note", { path: road }, /See \[\[Roadmap\]\]/],
];

export const covers: Cover[] = rows.map(([surface, tool, call, input, gives, part]) => ({
  surface,
  tool,
  call,
  input,
  gives,
  ...(part === undefined ? {} : { part }),
}));
