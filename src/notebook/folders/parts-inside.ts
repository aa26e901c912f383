/** Parts, as far as a caller's folders reach: the store, the rules, the news, and how far a first indexing has come. */

import type { News } from "../listeners.ts";
import type { Listed, NoteStore } from "../parts.ts";
import { RULES } from "../paths.ts";
import type { Base, RuleBook } from "../rules.ts";
import type { PeriodSetting, VaultSettings } from "../settings/vault-settings.ts";
import type { FirstIndex } from "../waiting.ts";
import type { Inside } from "./inside.ts";

// Folders that may not be listed are shown to nobody: a caller's own may lie below one of them.
const listedInside = ({ notes, attachments, closed }: Listed, inside: Inside): Listed => ({
  notes: notes.filter(({ path }) => inside(path)),
  attachments: attachments.filter(({ path }) => inside(path)),
  ...(closed ? { closed } : {}),
});

/** Only asks; changes go to the whole store. */
export function storeInside(store: NoteStore, inside: Inside): NoteStore {
  return {
    ...store,
    async *list() {
      for await (const listed of store.list()) yield listedInside(listed, inside);
    },
    async folder(path) {
      const found = await store.folder(path);
      return (
        found && {
          ...listedInside(found, inside),
          folders: found.folders.filter((below) => inside(`${below}/`)),
        }
      );
    },
    stat: async (path) => (inside(path) ? store.stat(path) : null),
    read: async (path) => (inside(path) ? store.read(path) : null),
    bytes: async (path, most) => (inside(path) ? store.bytes(path, most) : null),
    tree: async (folder, most) => (inside(`${folder}/`) ? store.tree(folder, most) : null),
    rules: async () => [],
    settings: async () => null,
    health: {
      ...store.health,
      async *oddities() {
        for await (const oddities of store.health.oddities())
          yield oddities.filter(({ path }) => inside(path));
      },
      troubles: () => [],
    },
  };
}

/** Every rule binds that reaches inside. Those of a base that reaches further are not shown. */
export function rulesInside(book: RuleBook, inside: Inside): RuleBook {
  const isInside = ({ subfolder }: Pick<Base, "subfolder">): boolean => inside(`${subfolder}/`);
  const bases = book.bases.filter(isInside);
  const names = new Set(bases.map(({ name }) => name));
  return {
    ...book,
    bases,
    constraints: book.constraints.filter(({ base }) => names.has(base)),
    troubles: book.troubles.filter(({ base, subfolder }) =>
      subfolder === null ? names.has(base) : isInside({ subfolder }),
    ),
    files: book.files.filter(({ path }) => [...names].some((name) => path.startsWith(`${RULES}${name}/`))),
    bindingOn(path) {
      const binding = inside(path) ? book.bindingOn(path) : null;
      return binding && names.has(binding.base) ? binding : null;
    },
    check: (path, note) => (inside(path) ? book.check(path, note) : null),
  };
}

/** What lies outside is left out: a folder of notes, a template, a filter, a file that cannot be used. */
export function settingsInside(all: VaultSettings, inside: Inside): VaultSettings {
  const kept = (of: PeriodSetting[]): PeriodSetting[] => of.filter(({ folder }) => inside(`${folder}/`));
  const { day, week, month, quarter, year } = all.periods;
  return {
    ...all,
    periods: {
      day: kept(day),
      week: kept(week),
      month: kept(month),
      quarter: kept(quarter),
      year: kept(year),
    },
    templates: { ...all.templates, folder: inside(`${all.templates.folder}/`) ? all.templates.folder : "" },
    troubles: [],
  };
}

/** Null where there is nothing to tell. A revision may name notes outside, so none is told. */
export function newsInside({ notes, elsewhere }: News, inside: Inside): News | null {
  const some = notes.filter(({ path }) => inside(path));
  const list = some.some(({ listed }) => listed);
  return some.length === 0 ? null : { notes: some, list, revisions: [], elsewhere };
}

export const unnumbered = (first: FirstIndex): FirstIndex => ({
  ...first,
  soFar: () => first.soFar() && { done: 0, total: 0 },
  onProgress: () => () => undefined,
});
