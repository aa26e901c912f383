/** A vault of a store under test, in the few words its tests are written in. */

import { NoteError } from "../../markdown/errors.ts";
import type { NoteStore, Put, Stat } from "../parts.ts";
import type { FilePath, NotePath } from "../paths.ts";

export type StoreVault = {
  store(): NoteStore;
  apply(...puts: Put[]): Promise<(Stat | null)[]>;
  text(path: string): Promise<string | null>;
  version(path: string): Promise<string>;
  shown(folder: string): Promise<{ notes: string[]; folders: string[] }>;
  listed(): Promise<string[]>;
};

export function storeVault(store: () => NoteStore): StoreVault {
  return {
    store,
    apply: (...puts) => store().alone(() => store().apply(puts)),
    async text(path) {
      const note = await store().read(path as FilePath);
      return note && new TextDecoder().decode(note.bytes);
    },
    version: async (path) => (await store().read(path as FilePath))!.version,
    async shown(folder) {
      const there = (await store().folder(folder))!;
      return { notes: there.notes.map((note) => note.path).toSorted(), folders: there.folders.toSorted() };
    },
    async listed() {
      const paths: string[] = [];
      for await (const { notes } of store().list()) paths.push(...notes.map((stat) => stat.path));
      return paths.toSorted();
    },
  };
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
export const put = (path: string, text: string, more: Partial<Put> = {}): Put => ({
  path: path as NotePath,
  bytes: utf8(text),
  ...more,
});

/** The code of a refusal. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "no refusal";
  } catch (error) {
    return error instanceof NoteError ? error.code : `a defect: ${String(error)}`;
  }
}
