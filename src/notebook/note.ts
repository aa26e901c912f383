/** Note: what the text says (ParsedNote), and where, when and which version it is. */

import type { Fields } from "../markdown/frontmatter.ts";
import { parseNote, readNote, type ParsedNote } from "../markdown/note.ts";
import { NoteError } from "../markdown/errors.ts";
import { nameOf, type NotePath } from "./paths.ts";
import type { Version } from "./parts.ts";
import { inTurns } from "./turns.ts";

export type Note = ParsedNote & {
  path: NotePath;
  /** File name without `.md`. */
  name: string;
  /** The field `title`, else a heading of level 1 that begins the body, else the name. */
  title: string;
  bytes: Uint8Array;
  /** Null where the bytes are not UTF-8: such a note can be moved, removed and restored, not edited. A BOM is kept as U+FEFF. */
  text: string | null;
  version: Version;
  /** The field `created` where it is a date, else null: the index then knows a time from history or the file. */
  created: Date | null;
  /** The file's time. */
  modified: Date;
  /** When it was modified by the one rule (modified.ts), where it was read to be shown; else the file's time. */
  lastModified: Date;
  /** Eight hex digits: the field `id` where it is such, else made from the path. */
  id: string;
  /** A change of several notes was under way as this was read: the note may be as it was before it, others as they are after. */
  pendingOperation?: true;
};

type Given = [
  path: NotePath,
  bytes: Uint8Array,
  version: Version,
  modified: Date,
  /** What the index adds: when the note was created, where its own fields do not say, and when it was modified. */
  times?: { created(): Date | null; modified(note: Note): Date },
];

/** The text is parsed when it is first asked what it holds: many only want to read it. */
export function makeNote(...given: Given): Note {
  const text = decodeText(given[1]);
  return noteOf(text, () => parseNote(text ?? ""), ...given);
}

/** Whatever is longer may take so long to parse that others must have a turn meanwhile. */
export const LONG = 512 * 1024;
/** From here on a second parsing counts, in time and in memory. */
const LARGE = 256 * 1024;

/** Makes a note for whoever can wait: a long text has been parsed already, in turns. */
export type OpenNote = (...given: Given) => Promise<Note>;

/** One call may read a large note several times: it is parsed once, for as long as somebody holds what was found in it. */
export function noteOpener(): OpenNote {
  let last: { version: Version; parsed: WeakRef<ParsedNote> } | null = null;
  let parsing: Promise<unknown> = Promise.resolve();
  const remembered = (version: Version): ParsedNote | null =>
    (last?.version === version ? last.parsed.deref() : null) ?? null;
  const remember = (version: Version, parsed: ParsedNote): ParsedNote => {
    last = { version, parsed: new WeakRef(parsed) };
    return parsed;
  };
  /** One at a time: two would take twice the memory, and who asks for the same note finds it parsed. */
  const parsedInTurns = (text: string, version: Version): Promise<ParsedNote> => {
    const parsed = parsing.then(
      async () => remembered(version) ?? remember(version, await inTurns(readNote(text))),
    );
    // Not the note itself, which would be kept until the next one comes.
    parsing = parsed.then(
      () => undefined,
      () => undefined,
    );
    return parsed;
  };
  return async (...given) => {
    const [, bytes, version] = given;
    if (bytes.length < LARGE) return makeNote(...given);
    const text = decodeText(bytes);
    if (text === null || text.length < LONG)
      return noteOf(text, () => remembered(version) ?? remember(version, parseNote(text ?? "")), ...given);
    const parsed = await parsedInTurns(text, version);
    return noteOf(text, () => parsed, ...given);
  };
}

function noteOf(text: string | null, parse: () => ParsedNote, ...given: Given): Note {
  const [path, bytes, version, modified, times] = given;
  const name = nameOf(path);
  let found: ParsedNote | null = null;
  const parsed = (): ParsedNote => (found ??= parse());
  return {
    path,
    name,
    bytes,
    text,
    version,
    modified,
    get front() {
      return parsed().front;
    },
    get fields() {
      return parsed().fields;
    },
    get title() {
      return parsed().title ?? name;
    },
    get tags() {
      return parsed().tags;
    },
    get aliases() {
      return parsed().aliases;
    },
    get headings() {
      return parsed().headings;
    },
    sectionCount: () => parsed().sectionCount(),
    firstSections: (count) => parsed().firstSections(count),
    get links() {
      return parsed().links;
    },
    get fileLinks() {
      return parsed().fileLinks;
    },
    get ownLinks() {
      return parsed().ownLinks;
    },
    get blocks() {
      return parsed().blocks;
    },
    get created() {
      return dateOf(parsed().fields["created"]) ?? times?.created() ?? null;
    },
    get lastModified() {
      return times?.modified(this) ?? modified;
    },
    get id() {
      return idOf(path, parsed().fields);
    },
  };
}

/** The text of a note that is to be read or edited as text. */
export function textOf(note: Note): string {
  if (note.text === null)
    throw new NoteError(
      "not_utf8",
      `The note "${note.path}" is not UTF-8 text, so it cannot be read or edited as text.`,
      {
        path: note.path,
      },
    );
  return note.text;
}

export const bodyOf = (note: Note): string => textOf(note).slice(note.front.bodyStart);

// Fatal, so that bytes which are not UTF-8 are never replaced by U+FFFD; ignoreBOM keeps the BOM in the text.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function decodeText(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

export const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A date or a date with a time, as people write it in fields; a time without a zone is taken as UTC. */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== "string") return null;
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
      value.trim(),
    );
  if (!match) return null;
  const date = new Date(`${match[1]}T${match[2] ?? "00:00"}${zoneOf(match[3])}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

const zoneOf = (zone: string | undefined): string =>
  zone === undefined ? "Z" : zone.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");

function idOf(path: NotePath, fields: Fields): string {
  const id = fields["id"];
  const text = typeof id === "number" ? String(id) : id;
  return typeof text === "string" && /^[0-9a-f]{8}$/.test(text) ? text : shortHash(path);
}

/** FNV-1a over UTF-16 units, as eight hex digits: a handle, not a protection. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
