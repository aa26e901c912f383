/** What a notebook is made of: a store, an index, a history, a clock, randomness and a hash. The engine touches nothing else. */

import type { Steps } from "../markdown/steps.ts";
import type { AttachmentRow, Attachments, FirstBytes } from "./attachments.ts";
import type { Locale } from "./calendar/locales.ts";
import type { Change, Who } from "./change.ts";
import type { PdfReader } from "./files/pdf.ts";
import type { Filter, Found, Page } from "./filter.ts";
import type { Folders, FolderTree } from "./folder-tree.ts";
import type { LateEdit } from "./late-edit.ts";
import type { BrokenLinks, BrokenPage, Link, LinkQuery, Lookup } from "./link-graph.ts";
import type { Note, OpenNote } from "./note.ts";
import type { AttachmentPath, FilePath, LinkedPath, NotePath, RulePath, TrashPath } from "./paths.ts";
import type { PendingEdits } from "./pending-table.ts";
import type { Timings } from "./pending-edits.ts";
import type { ProposalShelf } from "./proposals/shelf.ts";
import type { RuleReader } from "./rules.ts";
import type { SettingsPath, SettingsStat } from "./settings/settings-files.ts";
import type { FileStamp, Stamp } from "./stamp.ts";
import type { SemanticSearch } from "./vectors.ts";
import type { Deadlines } from "./waiting.ts";

/** The content of one note, by its git blob id: the same everywhere. */
export type Version = string;

/** `changed` is when the file last changed in any way: later than `modified` where a program has set that back. */
export type Stat<Path = NotePath> = {
  path: Path;
  stamp: FileStamp;
  modified: Date;
  changed: Date;
  size: number;
};
/** What lies in some folder, or part of it: notes, and every other visible file. `closed`: folders that may not be listed, so nobody knows what is in them. */
export type Listed = { notes: Stat[]; attachments: Stat<AttachmentPath>[]; closed?: string[] };

/** What lies in a vault and is not served as a note, or not as people may think. `detail` is a phrase about it. */
export type Oddity = {
  path: string;
  kind: "link" | "special" | "twin" | "unreadable_name" | "set_aside";
  detail: string;
};

/**
 * One change to the store. `bytes: null` removes; `from` moves (file mode and case-only renames survive), also out of the trash; `trash` keeps
 * what is removed, at that place. An attachment is moved or removed; its bytes are its pointer.
 */
export type Put = {
  path: FilePath;
  bytes: Uint8Array | null;
  from?: NotePath | TrashPath;
  trash?: TrashPath;
  /** What must be there for this to be right. For a move it speaks of `from`; `path` must then be absent. */
  expect?: Version | "absent";
};

/** Where the notes live; also the rule files of knowledge bases. Absence is null, not an error. */
export type NoteStore = {
  /** Every note and attachment, in batches of a folder or so. Hidden folders, links and special files are passed over; no file is read. */
  list(): AsyncIterable<Listed>;
  /** One folder's own notes, attachments and subfolders (by their whole path), for the watcher; null where there is no such folder. */
  folder(path: string): Promise<(Listed & { folders: string[] }) | null>;
  stat<Path extends LinkedPath>(path: Path): Promise<Stat<Path> | null>;
  /** Refuses with `too_large` above NOTE_LIMIT, from the size alone. Of an attachment it gives the pointer (pointer.ts). */
  read(path: FilePath | SettingsPath): Promise<(Stat & { bytes: Uint8Array; version: Version }) | null>;
  /** The first bytes of an attachment, `most` at most; `size` is that of the whole file. */
  bytes(path: AttachmentPath, most: number): Promise<FirstBytes | null>;
  /**
   * Rule files below `.llm_bridges/knowledge_base`, sorted; and files and folders that stand there and cannot be read: `unread` says why, in
   * words that follow the name, and `foreign` that it is a link or special file, which holds no rules.
   */
  rules(): Promise<{ path: RulePath; stamp: FileStamp; unread?: string; foreign?: true }[]>;
  /** Obsidian's settings files as far as they are there, to be read and never written; null in a vault without `.obsidian`. */
  settings(): Promise<SettingsStat[] | null>;
  /** All of them or none, also across a crash; one stale `expect` refuses the whole list with `version_conflict` (details `by: "store"`). Only inside `alone`. */
  apply(puts: readonly Put[], folders?: Folders): Promise<(Stat | null)[]>;
  hasFolder(path: string): Promise<boolean>;
  /** All that a folder holds; null where there is none. A folder with more than `most` files may be given in part. */
  tree(folder: string, most: number): Promise<FolderTree | null>;
  /** Runs `work` while no other writer, in this process or another, is on the vault. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs work that nobody asked for just now: null, and nothing done, where the vault or our own folder in it is not the one that was
   * last written to. Who deletes a vault, or puts another in its place, is not to meet us there.
   */
  background<T>(work: () => Promise<T>): Promise<T | null>;
  /** Which folder the notes are in, so that another in its place is noticed. Refuses with `disk_failed` where there is none. */
  present(): string;
  /** The first free place in the trash for each file or folder, another for each: `name.md`, `name (2).md` … */
  trashPlaces(paths: readonly string[]): Promise<TrashPath[]>;
  /** Where files that had these paths and versions lie in the trash; each place is given once. */
  trashed(files: readonly { path: NotePath; version: Version }[]): Promise<(TrashPath | null)[]>;
  /** Hands each late edit, inside `alone`, to `merge`, which puts it together with what is there. Until that has worked it is kept and tried again. */
  onLateEdit(merge: (edit: LateEdit) => Promise<"merged" | "copied">): void;
  health: StoreHealth;
  close(): Promise<void>;
};

/** How the store itself is. */
export type StoreHealth = {
  /** Whether a change of several notes is under way, or was cut short: what is read now may be of before it or of after it. */
  pending(): boolean;
  /** What `list` passes over and a person should know of. */
  oddities(): AsyncIterable<Oddity[]>;
  /** What was found on opening and since that a person should know, in plain sentences. */
  troubles(): string[];
};
/** The health of a store that no other program reaches, and whose changes are never cut short. */
export const HEALTHY: StoreHealth = {
  pending: () => false,
  async *oddities() {},
  troubles: () => [],
};

/**
 * One note's place in the index. `seen` is the stamp the index held when this was planned; `note: null` takes the note out. Under the stamp UNREAD
 * the note has no text, because nobody could read it: where the index holds it already, what it holds stays.
 */
export type IndexRow = { path: NotePath; seen: Stamp | null; stamp: Stamp; note: Note | null };
export type Count = { name: string; count: number };
/** Some of the notes of an index. */
export type Within = { paths: readonly NotePath[] } | { folder: string; depth: "direct" | "deep" };

/** What can be asked without reading notes. It is synchronous, because SQLite is so on both runtimes; what may take long comes in steps. */
export type NoteIndex = {
  /** The stamps of all notes, or of these as far as it holds them, or of the notes directly in a folder or, `deep`, at any depth below it. */
  stamps(which?: Within): Map<NotePath, Stamp>;
  stamp(path: NotePath): Stamp | null;
  /** The content it holds; "" for a note listed by name only. */
  version(path: NotePath): Version | null;
  /**
   * The rows of one change and the revisions that made it, at once, in one transaction. A row is taken only if the index still holds `seen`; the
   * paths of the others are given back, to be read again. Revisions are taken only if the ledger holds their parent; else it follows the history later.
   */
  apply(rows: readonly IndexRow[], made?: Made | null, attachments?: readonly AttachmentRow[]): NotePath[];
  /**
   * Puts in what was read from the store, a little at a time; gives back paths like `apply`. The index decides how: many new notes are
   * prepared in another thread where there is one, a long note goes in over several transactions and counts as not read until the last.
   * More may be put meanwhile: many new notes go in in the order they were given.
   */
  put(rows: readonly IndexRow[]): Promise<NotePath[]>;
  /** When the note came to be: its own field, else its first revision; null where neither is known. */
  created(path: NotePath): Date | null;
  /** When it was modified (modified.ts), for a note as it was read: the index may not have it so yet. */
  modified(note: Pick<Note, "path" | "version" | "fields" | "modified">): Date;
  complete(): boolean;
  /** Called once, at the end of a first indexing. */
  completed(): void;
  count(): number;
  /** How many notes are there that could not be read when they were last looked at, because the store failed: they are read again. */
  unread(): number;
  /** What is changed between two steps may be seen or not. */
  find(filter: Filter, page: Page): Steps<Found>;
  links(query: LinkQuery): Steps<Link[]>;
  /** Every link that leads nowhere, or to a heading or block that is not there. */
  broken(page: BrokenPage): Steps<BrokenLinks>;
  lookup: Lookup;
  attachments: Attachments;
  /** The notes that hold a query of Dataview or Bases. */
  queryNotes(): NotePath[];
  /** The notes that hold a link whose last segment folds to this key, wherever it leads. */
  linkSources(key: string): NotePath[];
  /** Notes that a name or path could mean: exact path, else file name (or path ending), else nothing. Exact spelling wins over folded. */
  locate(name: string): NotePath[];
  /** The notes whose names are most like this one, best first. */
  similarNames(name: string, limit: number): NotePath[];
  tags(from: "fields" | "all"): Count[];
  /** Folders directly below, by their whole path, each with the number of notes at any depth in it. */
  folders(under: string): Count[];
  /** Answers as if it held the notes of these folders only; links mean what they do in the whole vault, or nothing. */
  within(folders: readonly string[]): NoteIndex;
  /** The notes that may be seen, by the numbers it gives them, where not all may. */
  numbers?(): ReadonlySet<number>;
  close(): void;
};

/** As much of a note as a history looks at. `recorded`: it holds these bytes already, and they may be left out. */
export type Content = Pick<Note, "version" | "bytes" | "modified"> & { recorded?: true };

/** One commit. `date` is in whole seconds, and only shown and filtered by: the order is that of the commits. */
export type Revision = {
  id: string;
  author: string;
  date: Date;
  message: string;
  /** `outside` where another program made the change. */
  surface?: string;
  tool?: string;
  connection?: string;
  /** Who accepted it, where it was proposed. */
  acceptedBy?: string;
  /** Sorted by path. In the log of one note only that note's own; `revision` gives them all. */
  changes: {
    path: NotePath;
    from?: NotePath;
    version: Version | null;
    before: Version | null;
    /** When another program saved it, where that was not at the revision's own date. */
    saved?: Date;
  }[];
  /** How many files it changed in all. */
  touched: number;
  /** What it did to folders that hold nothing. */
  folders?: Folders;
};
/** Revisions that count, oldest first, and the one they stand on. Where history and index share a database, `alongside` makes them count, inside the transaction of the index. */
export type Made = { revisions: readonly Revision[]; parent: string | null; alongside?: () => void };
/** What a revision tells beside its changes. */
export type RevisionInfo = { message: string; who: Who; date: Date; folders?: Folders };
/** A revision that does not count yet. Its objects are on their way to the disk while the notes are written. */
export type Draft = {
  /** Makes it count, once its notes are in place. Null where it cannot be written now: that is reported, and it is made up later. */
  seal(): Promise<Made | null>;
  /** Its notes could not be written. */
  drop(): void;
};
/** `skip`: so many of the newest are passed over. */
export type LogQuery = { path?: NotePath; author?: string; since?: Date; skip?: number; limit: number };
/** `pending: "leave"`: edits by other programs that are not recorded yet stay so, and are not in the log. */
export type LogHow = { pending?: "record" | "leave" };

/** What the notes were, and who changed them. It never holds back a write: what cannot be recorded is reported, and made up later. */
export type History = {
  /**
   * Begins one revision; what was changed outside since the last one is recorded before it. Null where there is nothing to record.
   * Only inside `alone`, until it is sealed or dropped.
   */
  prepare(changes: readonly Change[], info: RevisionInfo): Promise<Draft | null>;
  /**
   * Begins a revision of notes as other programs left them (`after: null` for gone), under their author's name. What the history holds already is
   * passed over; null where nothing is left. `lastSeen`: the versions with which notes that are gone were seen since they were recorded.
   * Only inside `alone`, until it is sealed.
   */
  prepareOutside(
    seen: readonly { path: FilePath; after: Content | null }[],
    how: { date: Date; lastSeen?: ReadonlyMap<string, Version> },
  ): Promise<Draft | null>;
  /** The version of a note that the newest revision holds. Only inside `alone`. */
  version(path: FilePath): Promise<Version | null>;
  /** Whatever the store holds and history does not, as one revision: the first recording. Takes the lock itself, for its last step only. */
  catchUp(store: NoteStore, date: Date, signal?: AbortSignal): Promise<Revision | null>;
  /** Newest first. With a path: the note now called so, under all its names; where there is none now, what it was. */
  log(query: LogQuery): Promise<Revision[]>;
  /** Finds a revision by its id or the first of its hex digits, four at least; `revision_missing` otherwise. */
  revision(id: string): Promise<Revision>;
  /** The note now called `path`, under the name it had at that revision. */
  read(path: NotePath, revision: string): Promise<Uint8Array | null>;
  nameAt(path: NotePath, revision: string): Promise<NotePath | null>;
  /** Where the note is that was called so and was moved; null where a note of that name exists or never did. */
  movedTo(path: NotePath): Promise<NotePath | null>;
  blob(version: Version): Promise<Uint8Array | null>;
  /** The past as if there were these folders only: a note's begins when it came inside; a text is given if it has been one of a note inside. */
  within(folders: readonly string[]): Past;
  /** What is wrong with the history, in sentences for a person; empty where all is well. */
  troubles(): string[];
  close(): Promise<void>;
};

/** What is asked of a history. */
export type Past = Pick<History, "log" | "revision" | "read" | "nameAt" | "movedTo" | "blob">;

/** Which revisions touched a path: made from the commits, and made anew where it is missing. Synchronous, like the index it lives beside. */
export type Ledger = {
  /** The newest revision it holds. */
  head(): string | null;
  /** Oldest first, on top of `parent`; false, and nothing added, where that is not its head. */
  add(revisions: readonly Revision[], parent: string | null): boolean;
  clear(): void;
  log(query: LogQuery): Revision[];
  /** Up to two ids that begin so. */
  find(prefix: string): string[];
  /** One that it holds. */
  revision(id: string): Revision;
  /** Ids, newest first. */
  recent(limit: number): string[];
  nameAt(path: NotePath, revision: string): NotePath | null;
  versionAt(path: NotePath, revision: string): Version | null;
  movedTo(path: NotePath): NotePath | null;
  /** Every path named by a revision later than this one (by any, for null). */
  touchedSince(revision: string | null): Set<string>;
  /** Whether a note has, or had, this content. */
  holds(version: Version): boolean;
  /** Answers as if there were these folders only. */
  within(folders: readonly string[]): Ledger;
  /** Whether every note has been recorded once, since which edits made outside are recorded as they are seen. */
  whole(): boolean;
  setWhole(whole: boolean): void;
};

/** What goes on behind the index in the process that opened the vault. Each gives null where there is nothing to wait for. */
export type Background = {
  /** Resolves when the whole vault has been compared with the index once, or that has failed. */
  compared(): Promise<unknown> | null;
  /** Resolves when every note has been recorded once, or that has failed. */
  recorded(): Promise<unknown> | null;
  /** Brings into the index what other programs are known to have changed by now. */
  flush(): Promise<unknown> | null;
};
/** The background of a vault that no other program changes. */
export const NO_BACKGROUND: Background = { compared: () => null, recorded: () => null, flush: () => null };

export type Parts = {
  store: NoteStore;
  index: NoteIndex;
  history: History;
  rules: RuleReader;
  now(): Date;
  /** The person's time zone, by its IANA name: what day it is for them. */
  timeZone: string;
  /** The whole paths of the vault's folder on this machine, which callers may give notes by. No answer tells them. */
  places?: readonly string[];
  /** The language that dates are written in, and where its weeks begin; English where it is left out. */
  locale?: Locale;
  /** Eight lower-case hex digits. */
  random(): string;
  versionOf(bytes: Uint8Array): Version;
  /** Null unless the user turned it on. */
  semantic: SemanticSearch | null;
  /** Where what other programs save is pending until a note is quiet; null where it is recorded as it is seen. */
  pendingEdits: { edits: PendingEdits; timings: Timings } | null;
  /** Nothing may be written: then edits made outside are not recorded either. */
  readOnly: boolean;
  background: Background;
  /** How long calls wait. */
  deadlines: Deadlines;
  /** Takes what went wrong behind an answer that was right: a note is saved although the index could not be. */
  report(what: string, error: unknown): void;
  /** Reads the text of PDFs; left out where nothing does. */
  pdf?: PdfReader;
  /** Where proposals are kept. */
  proposals: ProposalShelf;
  /** Makes notes, and remembers the last long one that it parsed. */
  openNote: OpenNote;
};
/** The parts that a notebook is opened over; it makes the others itself. Proposals are kept in memory where no shelf is given. */
export type GivenParts = Omit<Parts, "openNote" | "proposals"> & { proposals?: ProposalShelf };

/** The largest note that is read whole, edited or given in an answer. */
export const NOTE_LIMIT = 8 * 1024 * 1024;
