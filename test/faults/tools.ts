/** A small vault, and a call of every writing tool of every surface on it. */

export const ONLY_NOTES: Record<string, string> = {
  "Alpha.md": `---\r\ntags: [one, two] # kept\r\nstatus: open\r\n---\r\n# Alpha\r\n\r\nSee [[Beta]] and [[folder/Gamma|gamma]].\r\n\r\n## Meetings\r\n\r\nMonday.\r\n\r\n## Rest\r\n\r\nText.\r\n`,
  "Beta.md": "---\ntitle: Beta\nid: a3f7b2c1\ntags: [one]\n---\nThe note that others link to.\n",
  "folder/Gamma.md": "# Gamma\n\nBack to [[Beta]], [Alpha](../Alpha.md) and [[Beta|again]].\n",
  "folder/Delta.md": "Only [[Beta]], without a newline at the end",
  "kb/one.md": "---\ntitle: One\n---\nOne, with [[kb/two]].\n",
  "kb/two.md": "---\ntitle: Two\n---\nTwo.\n",
  ".llm_bridges/knowledge_base/kb/meta.md":
    "---\ncreate_time: 2025-12-10T14:30:00Z\ndescription: notes of one kind\nsubfolder: kb\n---\n\nOne thought a note.\n",
};

/** What stands where a call wants a revision of `folder/Gamma.md`: the first, or the last there is. */
export const EARLIER = "the first revision";
export const LATEST = "the last revision";

type Arguments = Record<string, unknown>;
type Call = [surface: string, tool: string, input: Arguments];
/** One call at least of every writing tool. */
export const NOTE_CALLS: Call[] = [
  ["obsidian", "create_note", { name: "new/New", content: "text", frontmatter: '{"tags":["one"]}' }],
  ["obsidian", "append_note", { name: "Alpha", text: "appended" }],
  ["obsidian", "update_note", { name: "Beta", content: "replaced" }],
  ["obsidian", "delete_note", { name: "Beta" }],
  ["obsidian", "rename_note", { old_name: "Beta", new_name: "Omega" }],
  ["obsidian", "set_frontmatter", { name: "Alpha", key: "status", value: "done" }],
  ["obsidian", "add_tag", { name: "Beta", tag: "two" }],
  ["obsidian", "remove_tag", { name: "Alpha", tag: "two" }],
  ["obsidian", "replace_text", { name: "Alpha", old_text: "Monday", new_text: "Tuesday" }],
  ["obsidian", "insert_text", { name: "Alpha", text: "inserted", after: "Monday." }],
  ["obsidian", "append_section", { name: "Alpha", section: "Meetings", text: "Friday." }],
  ["obsidian", "update_section", { name: "Alpha", section: "Meetings", content: "None." }],
  ["obsidian", "delete_section", { name: "Alpha", section: "Meetings" }],
  [
    "bridges",
    "add_knowledge_base",
    { name: "second", description: "another", subfolder: "second", organization_rules: "none" },
  ],
  ["bridges", "update_knowledge_base", { name: "kb", description: "changed" }],
  [
    "bridges",
    "add_knowledge_base_folder_constraint",
    { kb_name: "kb", subfolder: "kb", rules: { content: { min_length: 1 } } },
  ],
  [
    "bridges",
    "create_note",
    { knowledge_base_name: "kb", note_path: "deep/three.md", note_content: "Three" },
  ],
  ["bridges", "update_note", { knowledge_base_name: "kb", note_path: "one.md", note_content: "Changed" }],
  ["bridges", "append_note", { knowledge_base_name: "kb", note_path: "one.md", note_content: "more" }],
  [
    "bridges",
    "move_note",
    { knowledge_base_name: "kb", origin_note_path: "two.md", new_note_path: "deep/two.md" },
  ],
  ["bridges", "delete_note", { knowledge_base_name: "kb", note_path: "two.md" }],
  ["wiki", "create_note", { path: "wiki/new", title: "New", content: "text", tags: ["one"] }],
  [
    "wiki",
    "update_note",
    { path: "Beta", new_path: "moved/Beta", content: "moved and changed", update_backlinks: true },
  ],
  ["wiki", "delete_note", { path: "folder/Delta" }],
  ["wiki", "restore_note_version", { path: "folder/Gamma", version: EARLIER }],
  ["cairn", "cairn_write", { path: "Beta", content: "written", tags: ["one"] }],
  ["cairn", "cairn_patch", { path: "Alpha", op: "append_section", section: "Meetings", content: "Sunday." }],
  ["cairn", "cairn_delete", { path: "folder/Delta" }],
  ["cairn", "cairn_daily", { date: "2026-02-24", op: "append", content: "a line of the day" }],
  ["notes", "AddNote", { title: "Added", content: "text" }],
  ["notes", "UpdateNote", { id: "a3f7b2c1", title: "Beta, renamed", content: "changed" }],
  ["notes", "DeleteNote", { id: "a3f7b2c1" }],
  ["native", "write_note", { path: "new/native.md", text: "text" }],
  [
    "native",
    "edit_notes",
    {
      edits: [
        { note: "Alpha.md", do: "append", text: "a" },
        { note: "folder/Gamma.md", do: "append", text: "g" },
      ],
    },
  ],
  ["native", "daily_note", { date: "2026-02-24", text: "a line of the day" }],
  [
    "native",
    "move_notes",
    {
      moves: [
        { from: "Beta.md", to: "moved/Beta.md" },
        { from: "Alpha.md", to: "moved/Alpha.md" },
      ],
    },
  ],
  ["native", "delete_note", { path: "Beta.md", mark_links: true }],
  [
    "native",
    "manage_rules",
    { do: "add_base", base: "third", folder: "third", description: "d", guide: "none" },
  ],
  ["native", "undo_changes", { revisions: [LATEST] }],
];

/** A vault that holds other files too, and calls that take these along. */
export const NOTES = {
  "folder/deep/pic.png": "\u0089PNG bytes of no note",
  "board.canvas": '{"nodes":[{"file":"folder/deep/pic.png"}]}',
  ...ONLY_NOTES,
};
export const FILE_CALLS: Call[] = [
  ["native", "move_notes", { moves: [{ from: "folder/", to: "moved/folder/" }] }],
  ["native", "delete_note", { path: "folder/" }],
];
export const CALLS: Call[] = [...NOTE_CALLS, ...FILE_CALLS];
