/** What is asked of a server in its own words, and what of its answer tells whether it is right. */

import type { Served } from "./client.ts";

export type Found = { paths: string[]; total: number };
/** Paths are those of files below the vault. A server lacks what it has no tool for. */
export type Dialect = {
  read?(path: string): Promise<string>;
  search?(words: readonly string[]): Promise<Found>;
  tag?(tag: string): Promise<Found>;
  list?(folder: string): Promise<Found>;
  backlinks?(path: string): Promise<Found>;
  create?(path: string, text: string): Promise<void>;
  append?(path: string, text: string): Promise<void>;
  rename?(from: string, to: string): Promise<void>;
};

/** `path.md#Heading@hash` names a section of the note. */
const noteOf = (handle: string): string => handle.replace(/\.md#[^]*$/, ".md");

/** Our own tools. */
export function native({ ask }: Served): Required<Dialect> {
  const search = async (query: string): Promise<Found> => {
    const { data } = await ask("search_notes", { query, limit: 10 });
    return { paths: data.hits.map((hit: { at: string }) => noteOf(hit.at)), total: data.total };
  };
  return {
    read: async (path) => (await ask("read_notes", { notes: [path] })).text,
    search: (words) => search(words.join(" ")),
    tag: (tag) => search(`tag:${tag}`),
    async list(folder) {
      const { data } = await ask("list_notes", { folder, limit: 50 });
      return { paths: data.notes.map((note: { path: string }) => note.path), total: data.total };
    },
    async backlinks(path) {
      const { data } = await ask("get_links", { note: path, direction: "in", limit: 200 });
      return { paths: data.links.map((link: { from: string }) => link.from), total: data.total };
    },
    create: async (path, text) => void (await ask("write_note", { path, text })),
    append: async (path, text) =>
      void (await ask("edit_notes", { edits: [{ note: path, do: "append", text }] })),
    rename: async (from, to) => void (await ask("move_notes", { moves: [{ from, to }] })),
  };
}

/** How many notes the index holds, and whether that is all of them. */
export async function indexed({ ask }: Served): Promise<{ total: number; whole: boolean }> {
  const { data } = await ask("list_notes", { what: "notes", limit: 1 });
  return { total: data.total, whole: data.partial !== true };
}
