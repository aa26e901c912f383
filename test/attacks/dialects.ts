/** One deed in the words of each surface: how it reads, writes, moves and lists by a path that somebody chose. */

/** A tool and its arguments. */
export type Call = [tool: string, input: object];
export type Dialect = {
  surface: string;
  /** Paths are given with `.md`. */
  read(path: string): Call;
  write(path: string, text: string): Call;
  append(path: string, text: string): Call;
  remove(path: string): Call;
  move?(from: string, to: string): Call;
  list?(folder: string): Call;
};

const bare = (path: string): string => path.replace(/\.md$/, "");
/** A knowledge base over the folder `kb`; its paths begin there. */
export const BASE = "kb";
const base = { knowledge_base_name: BASE };

export const DIALECTS: Dialect[] = [
  {
    surface: "native",
    read: (path) => ["read_notes", { notes: [path] }],
    write: (path, text) => ["write_note", { path, text }],
    append: (path, text) => ["edit_notes", { edits: [{ note: path, do: "append", text }] }],
    remove: (path) => ["delete_note", { path }],
    move: (from, to) => ["move_notes", { moves: [{ from, to }] }],
    list: (folder) => ["list_notes", { what: "folder", folder }],
  },
  {
    surface: "obsidian",
    read: (path) => ["read_note", { name: bare(path) }],
    write: (path, content) => ["create_note", { name: bare(path), content }],
    append: (path, text) => ["append_note", { name: bare(path), text }],
    remove: (path) => ["delete_note", { name: bare(path) }],
    move: (from, to) => ["rename_note", { old_name: bare(from), new_name: bare(to) }],
  },
  {
    surface: "wiki",
    read: (path) => ["get_note", { path: bare(path) }],
    write: (path, content) => ["create_note", { path: bare(path), title: "T", content }],
    append: (path, content) => ["update_note", { path: bare(path), content }],
    remove: (path) => ["delete_note", { path: bare(path) }],
    move: (from, to) => ["update_note", { path: bare(from), new_path: bare(to) }],
    list: (path) => ["browse", { path }],
  },
  {
    surface: "cairn",
    read: (path) => ["cairn_read", { path: bare(path) }],
    write: (path, content) => ["cairn_write", { path: bare(path), content }],
    append: (path, content) => ["cairn_patch", { path: bare(path), op: "append", content }],
    remove: (path) => ["cairn_delete", { path: bare(path) }],
    list: (path_prefix) => ["cairn_list", { path_prefix }],
  },
  {
    surface: "bridges",
    read: (note_path) => ["read_note", { ...base, note_path }],
    write: (note_path, note_content) => ["create_note", { ...base, note_path, note_content }],
    append: (note_path, note_content) => ["append_note", { ...base, note_path, note_content }],
    remove: (note_path) => ["delete_note", { ...base, note_path }],
    move: (origin_note_path, new_note_path) => ["move_note", { ...base, origin_note_path, new_note_path }],
    list: (subfolder) => ["list_notes", { ...base, subfolder }],
  },
];
