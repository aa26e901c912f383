/** Parts as they would be if some notes were already as somebody proposes: notes are read and changes planned on them; searches, lists and links see the vault (decision 24). */

import { marksOf } from "../backlinks.ts";
import { makeNote, type Note } from "../note.ts";
import type { Lookup } from "../link-graph.ts";
import { insideOf } from "../folders/inside.ts";
import type { NoteIndex, NoteStore, Parts, Stat } from "../parts.ts";
import {
  isAttachment,
  isNote,
  nameOf,
  type AttachmentPath,
  type LinkedPath,
  type NotePath,
} from "../paths.ts";
import { isCanvas, pointsTo } from "../pointer.ts";
import { foldKey, linkKey, locateAmong, lookupOf } from "../resolve.ts";
import { fileSize, type ProposedNote } from "./proposal.ts";

/** What would stand at a path, and where it stands in the vault: null for nowhere. */
type Open = { bytes: Uint8Array; origin: NotePath | null };
/** Notes and other files by the path at which they would stand; null where one would no longer. */
export type OpenTexts = ReadonlyMap<string, Open | null>;

export function openTexts(notes: readonly ProposedNote[]): OpenTexts {
  const texts = new Map<string, Open | null>();
  for (const { path, origin } of notes) for (const place of [origin ?? path, path]) texts.set(place, null);
  for (const { path, origin, after } of notes) if (after) texts.set(path, { bytes: after, origin });
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
        for (const open of now().values()) if (open && versionOf(open.bytes) === version) return open.bytes;
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
    size: fileSize(path, bytes) ?? bytes.length,
  });
  return {
    ...store,
    async stat(path) {
      const open = now().get(path);
      return open === undefined ? store.stat(path) : open && statOf(path, open.bytes);
    },
    async read(path) {
      const open = now().get(path);
      if (open === undefined) return store.read(path);
      return (
        open && { ...statOf(path as NotePath, open.bytes), bytes: open.bytes, version: versionOf(open.bytes) }
      );
    },
    async bytes(path, most) {
      const open = now().get(path);
      if (open === undefined) return store.bytes(path, most);
      if (open === null) return null;
      if (!pointsTo(path, open.bytes))
        return { ...statOf(path, open.bytes), bytes: open.bytes.subarray(0, most) };
      const found =
        open.origin === null ? null : await store.bytes(open.origin as string as AttachmentPath, most);
      return found && { ...found, path };
    },
    async tree(folder, most) {
      const tree = await store.tree(folder, most);
      const here = [...now()].filter(([path]) => path.startsWith(`${folder}/`));
      if (here.length === 0) return tree;
      const leaves = new Set(here.flatMap(([path, open]) => (open ? [] : [path])));
      const whole = tree ?? { notes: [], attachments: [], folders: [folder], obstacles: [] };
      const { notes, attachments } = whole;
      const there = new Set<string>([...notes, ...attachments]);
      const came = here.flatMap(([path, open]) => (open && !there.has(path) ? [path as LinkedPath] : []));
      if (tree === null && came.length === 0) return null;
      return {
        ...whole,
        notes: [...notes.filter((path) => !leaves.has(path)), ...came.filter(isNote)],
        attachments: [...attachments.filter((path) => !leaves.has(path)), ...came.filter(isAttachment)],
      };
    },
  };
}

type Linking = (key: string) => Iterable<NotePath>;

/** Which of the notes have a link under a key: their links are read once, when that is first asked. */
function linkingIn(notes: readonly Note[]): Linking {
  let sources: Map<string, Set<NotePath>> | null = null;
  const read = (): Map<string, Set<NotePath>> => {
    const found = new Map<string, Set<NotePath>>();
    for (const note of notes)
      for (const { target } of marksOf(note)) {
        const key = linkKey(target);
        const there = found.get(key);
        if (there) there.add(note.path);
        else found.set(key, new Set([note.path]));
      }
    return found;
  };
  return (key) => (sources ??= read()).get(key) ?? [];
}

/** Names and links find what would stand elsewhere than in the vault; of other notes the index knows what they hold now. */
function indexWith(parts: Parts, index: NoteIndex, now: () => OpenTexts): NoteIndex {
  type Opened = { texts: OpenTexts; linking: Linking; came: Lookup; files: AttachmentPath[] };
  let known: Opened | null = null;
  const open = () => {
    const texts = now();
    if (known?.texts === texts) return known;
    const notes = [...texts].flatMap(([path, open]) =>
      open && isNote(path) ? [makeNote(path, open.bytes, parts.versionOf(open.bytes), parts.now())] : [],
    );
    const came = lookupOf(notes.filter(({ path }) => index.stamp(path) === null));
    const files = [...texts].flatMap(([path, open]) => (open && isAttachment(path) ? [path] : []));
    return (known = { texts, linking: linkingIn(notes), came, files });
  };
  const found = (ask: (lookup: Lookup) => NotePath[]): NotePath[] => {
    const { texts, came } = open();
    const there = ask(index.lookup).filter((path) => texts.get(path) !== null);
    return texts.size === 0 ? there : [...there, ...ask(came)];
  };
  const stays = (path: string): boolean => open().texts.get(path) !== null;
  const cameFiles = (key: string, ask: (path: AttachmentPath) => string): AttachmentPath[] =>
    open().files.filter((path) => index.attachments.stamp(path) === null && ask(path) === key);
  const { attachments } = index.lookup;
  const lookup: Lookup = {
    ...index.lookup,
    ...(attachments && {
      attachments: {
        byPath: (key) => [...attachments.byPath(key).filter(stays), ...cameFiles(key, foldKey)],
        byName: (key) => [
          ...attachments.byName(key).filter(stays),
          ...cameFiles(key, (path) => foldKey(nameOf(path))),
        ],
      },
    }),
    byPath: (key) => found((it) => it.byPath(key)),
    byName: (key) => found((it) => it.byName(key)),
    byAlias: (key) => found((it) => it.byAlias(key)),
    byTitle: (key) => found((it) => it.byTitle(key)),
  };
  return {
    ...index,
    lookup,
    attachments: {
      ...index.attachments,
      locate: (name) => [
        ...index.attachments.locate(name).filter(stays),
        ...cameFiles(foldKey(name), (path) => foldKey(name.includes("/") ? path : nameOf(path))),
      ],
      canvasesUnder: (keys) => [
        ...new Set([
          ...index.attachments.canvasesUnder(keys).filter(stays),
          ...open().files.filter(isCanvas),
        ]),
      ],
    },
    linkSources: (key) => [...new Set([...index.linkSources(key), ...open().linking(key)])],
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
