/** Parts as they would be if some notes were already as somebody proposes: notes are read and changes planned on them; searches, lists and links see the vault (decision 24). */

import { makeNote, type Note } from "../note.ts";
import type { Lookup } from "../link-graph.ts";
import { insideOf } from "../folders/inside.ts";
import type { NoteIndex, NoteStore, Parts, Stat } from "../parts.ts";
import type { LinkedPath, NotePath } from "../paths.ts";
import { linkKey, locateAmong, lookupOf } from "../resolve.ts";
import type { ProposedNote } from "./proposal.ts";

/** Notes by the path at which they would stand; null where one would no longer. */
export type OpenTexts = ReadonlyMap<string, Uint8Array | null>;

export function openTexts(notes: readonly ProposedNote[]): OpenTexts {
  const texts = new Map<string, Uint8Array | null>();
  for (const { path, origin } of notes) for (const place of [origin ?? path, path]) texts.set(place, null);
  for (const { path, after } of notes) if (after) texts.set(path, after);
  return texts;
}

/** `now` gives the texts as they are at that moment. */
export function overlaid(parts: Parts, now: () => OpenTexts): Parts {
  const { history, versionOf } = parts;
  return {
    ...parts,
    store: storeWith(parts, now),
    index: indexWith(parts, parts.index, now),
    history: {
      ...history,
      async blob(version) {
        for (const bytes of now().values()) if (bytes && versionOf(bytes) === version) return bytes;
        return history.blob(version);
      },
    },
  };
}

function storeWith({ store, now: clock, versionOf }: Parts, now: () => OpenTexts): NoteStore {
  const statOf = <Path extends LinkedPath>(path: Path, bytes: Uint8Array): Stat<Path> => ({
    path,
    stamp: "",
    modified: clock(),
    changed: clock(),
    size: bytes.length,
  });
  return {
    ...store,
    async stat(path) {
      const bytes = now().get(path);
      return bytes === undefined ? store.stat(path) : bytes && statOf(path, bytes);
    },
    async read(path) {
      const bytes = now().get(path);
      if (bytes === undefined) return store.read(path);
      return bytes && { ...statOf(path as NotePath, bytes), bytes, version: versionOf(bytes) };
    },
  };
}

/** Names and links find what would stand elsewhere than in the vault; of other notes the index knows what they hold now. */
function indexWith(parts: Parts, index: NoteIndex, now: () => OpenTexts): NoteIndex {
  let known: { texts: OpenTexts; notes: Note[]; came: Lookup } | null = null;
  const open = () => {
    const texts = now();
    if (known?.texts === texts) return known;
    const notes = [...texts].flatMap(([path, bytes]) =>
      bytes ? [makeNote(path as NotePath, bytes, parts.versionOf(bytes), parts.now())] : [],
    );
    const came = lookupOf(notes.filter(({ path }) => index.stamp(path) === null));
    return (known = { texts, notes, came });
  };
  const found = (ask: (lookup: Lookup) => NotePath[]): NotePath[] => {
    const { texts, came } = open();
    const there = ask(index.lookup).filter((path) => texts.get(path) !== null);
    return texts.size === 0 ? there : [...there, ...ask(came)];
  };
  const lookup: Lookup = {
    ...index.lookup,
    byPath: (key) => found((it) => it.byPath(key)),
    byName: (key) => found((it) => it.byName(key)),
    byAlias: (key) => found((it) => it.byAlias(key)),
    byTitle: (key) => found((it) => it.byTitle(key)),
  };
  return {
    ...index,
    lookup,
    linkSources(key) {
      const linking = open().notes.filter(({ links }) => links.some(({ target }) => linkKey(target) === key));
      return [...new Set([...index.linkSources(key), ...linking.map(({ path }) => path)])];
    },
    locate(name) {
      if (now().size === 0) return index.locate(name);
      return locateAmong((key) => lookup.byName(key).filter((path) => !lookup.hides?.(path)), name);
    },
    within(folders) {
      const inside = insideOf(folders);
      let seen: { texts: OpenTexts; some: OpenTexts } | null = null;
      const some = (): OpenTexts => {
        const texts = now();
        if (seen?.texts !== texts)
          seen = { texts, some: new Map([...texts].filter(([path]) => inside(path))) };
        return seen.some;
      };
      return indexWith(parts, index.within(folders), some);
    },
  };
}
