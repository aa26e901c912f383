/** Notebook: the verbs every surface is written in, and how they are put together from the parts. */

import { NoteError } from "../markdown/errors.ts";
import type { Attachment, AttachmentQuery, FirstBytes } from "./attachments.ts";
import { openBases, type Bases } from "./bases.ts";
import { openBehind } from "./behind.ts";
import { changeVerbs } from "./change-verbs.ts";
import type { Changeset, How, Who } from "./change.ts";
import type { Survey } from "./check.ts";
import type { Engine } from "./commit.ts";
import type { Brought, HeldPage } from "./copies.ts";
import type { PageRange, PdfText } from "./files/pdf.ts";
import type { Filter, Found, Page } from "./filter.ts";
import { localeNamed, type Locale } from "./calendar/locales.ts";
import { LINES, openViews, type Lines } from "./folders/view.ts";
import { mergeLate } from "./merge-late.ts";
import type { BrokenLinks, BrokenPage, Link, LinkQuery } from "./link-graph.ts";
import { listening, type Listener } from "./listeners.ts";
import { noteOpener, type Note } from "./note.ts";
import { openOutside, type OutsideEdits } from "./outside.ts";
import type { Count, GivenParts, LogHow, LogQuery, NoteStore, Parts, Revision } from "./parts.ts";
import type { When } from "./past.ts";
import { isNote, type AttachmentPath, type LinkedPath, type NotePath } from "./paths.ts";
import type { EditOf, FolderMove, Move } from "./plan.ts";
import { memoryShelf } from "./proposals/shelf.ts";
import { openProposals, type Proposals } from "./proposals/proposals.ts";
import { fileVerbs } from "./file-verbs.ts";
import { linkWalks, questionVerbs } from "./question-verbs.ts";
import { settingsKeeper } from "./settings/settings-keeper.ts";
import type { VaultSettings } from "./settings/vault-settings.ts";
import { refresh, refreshFolders, refreshPaths, type Progress } from "./refresh.ts";
import { ruleKeeper } from "./rulebook.ts";
import type { Verdict } from "./rules.ts";
import { looksAfter, underWay } from "./under-way.ts";
import { firstIndexing, waitingOf, type SoFar } from "./waiting.ts";

export type Notebook = {
  as(who: Who): Notebook;
  /** On whose behalf it acts. */
  who: Who;
  /** Never stale. Throws `note_missing` with `similar`, and `movedTo` where history knows. */
  read(path: NotePath, at?: When): Promise<Note>;
  find(filter: Filter, page: Page): Promise<Found>;
  links(query: LinkQuery): Promise<Link[]>;
  /** Every link that leads nowhere, or to a heading or block that is not there, a page at a time. */
  broken(page: BrokenPage): Promise<BrokenLinks>;
  /** The one note a name (or `folder/name`) means; `name_ambiguous` with `candidates`, `note_missing` with `similar`. */
  locate(name: string): Promise<NotePath>;
  /** Attachments below a folder, by path; and how many there are in all. */
  files(query: AttachmentQuery): Promise<{ attachments: Attachment[]; total: number }>;
  /** The one attachment that a path or name means, null where there is none; `name_ambiguous` with `candidates`. */
  fileNamed(name: string): Promise<AttachmentPath | null>;
  /** The first bytes of an attachment, `most` at most, as they are now. Throws `note_missing`. */
  file(path: AttachmentPath, most: number): Promise<FirstBytes>;
  /** The text of pages of a PDF, as many as there is room for. */
  pdf(path: AttachmentPath, range: PageRange): Promise<PdfText>;
  tags(from: "fields" | "all"): Promise<Count[]>;
  folders(under: string): Promise<Count[]>;
  /** Notes after a path with their versions, so that another copy of the vault can be compared; refused with `indexing` while not all are known. */
  held(after: string, limit: number): Promise<HeldPage>;
  log(query: LogQuery, how?: LogHow): Promise<Revision[]>;
  revision(id: string): Promise<Revision>;
  /** What the note breaks of the rule that binds it; null where none does. */
  check(path: NotePath): Promise<Verdict | null>;
  /** What in the vault is broken, odd or left over; reads every note. `first`: how many findings of each kind are given, all where it is left out. */
  survey(how?: { first?: number }): Promise<Survey>;
  write(path: NotePath, text: string, how?: How): Promise<Changeset>;
  /** All together or not at all. `orCreate`: the text to begin with where there is no such note. */
  edit(edits: readonly EditOf[], how?: How): Promise<Changeset>;
  /** Notes, attachments and whole folders, all together or not at all. */
  move(
    moves: readonly (Move | FolderMove)[],
    how?: How & { backlinks?: "rewrite" | "leave" },
  ): Promise<Changeset>;
  /** A note, an attachment (which always goes to the trash), or a folder with all that it holds. */
  remove(
    what: LinkedPath | { folder: string },
    how?: How & { trash?: boolean; backlinks?: "mark" | "leave" },
  ): Promise<Changeset>;
  /** Notes as another copy of the vault has them, all together or not at all; what is removed goes to the trash, and broken rules are reported. */
  put(brought: readonly Brought[], how?: Pick<How, "dryRun" | "message">): Promise<Changeset>;
  /** One note as it was at a revision, also where it is gone now. Always makes a revision. */
  restore(path: NotePath, revision: string, how?: How): Promise<Changeset>;
  /** Takes revisions (newest first) back, as one change; what others wrote since is kept, or the whole is refused. */
  undo(revisions: Revision[], how?: How & { skip?: NotePath[] }): Promise<Changeset>;
  bases: Bases;
  /** What others propose, for the owner. */
  proposals: Proposals;
  /** What Obsidian's settings of the vault say, as far as we heed them. */
  settings(): Promise<VaultSettings>;
  /** Waits for a first indexing, before what would do harm on half an index; refused with `indexing` where that takes too long. */
  ready(): Promise<void>;
  /** Waits as a question does: for a first indexing and for `also`, to the deadline of an answer. */
  patiently(also: Promise<unknown>): Promise<void>;
  /** How far a first indexing has come: until it has ended lists lack what has not been read yet. Null where there is none. */
  soFar(): SoFar | null;
  /** How many notes could not be read when they were last looked at, because the store failed: they are read again, and lists may lack what is in them. */
  unread(): number;
  /** Calls the listener with notes that changed, here or elsewhere, until the function that it gives is called. */
  onChange(listener: Listener): () => void;
  now(): Date;
  timeZone: string;
  /** The whole paths of the vault's folder on this machine, to know a note by; never told. */
  places: readonly string[];
  /** The language in which notes are named by their dates. */
  locale: Locale;
  random(): string;
};

/** The verbs, and what only the process that opened the notebook may do. */
export type OpenNotebook = Notebook & {
  /** Compares the whole vault with the index; gives the number of notes that had changed. */
  refresh(progress?: Progress): Promise<number>;
  /** Compares single folders; gives the folders directly below them. */
  refreshFolders(folders: readonly string[]): Promise<string[]>;
  /** Compares single notes and attachments. `soFar`: how far a first indexing that is made of such calls has come. */
  refreshPaths(paths: readonly LinkedPath[], soFar?: SoFar): Promise<void>;
  /** Records whatever the store holds and the history does not: a first recording, and what is pending. What is due is recorded by itself from then on. */
  record(store: NoteStore, signal: AbortSignal): Promise<void>;
  /** When the last call came, by `performance.now`. */
  asked(): number;
  close(): Promise<void>;
};

/** The process itself: a command of the terminal waits to the end. */
const NOBODY: Who = {
  client: "notewright",
  surface: "cli",
  tool: "",
  connection: "",
  patience: "endless",
};

export function openNotebook(given: GivenParts, lines: Lines = LINES): OpenNotebook {
  const listeners = listening(given.index, given.store);
  const { store: counted, idle } = counting(given.store);
  const parts: Parts = {
    ...given,
    index: listeners.index,
    store: counted,
    openNote: noteOpener(),
    proposals: given.proposals ?? memoryShelf(),
  };
  const { store, index, history } = parts;
  const behind = openBehind(parts);
  const writing = underWay();
  const engine: Engine = { parts, ruleBook: ruleKeeper(parts), behind, writing };
  const outside = openOutside(engine, listeners.recordedElsewhere);
  const looks = looksAfter(writing);
  let refreshing: Promise<number> | undefined;
  // One at a time, shared by whoever asks meanwhile: a first indexing may take longer than it is to the next sweep.
  const refreshAll = (progress?: Progress): Promise<number> =>
    (refreshing ??= refreshed(parts, outside, (done, total) => {
      first.progress(done, total);
      progress?.(done, total);
    })
      .then((changed) => {
        first.ended();
        return changed;
      })
      .finally(() => (refreshing = undefined)));
  const first = firstIndexing(index, refreshAll);
  const another = anotherFolder(store, async () => {
    // One that is under way may have looked at the folder that was there before.
    await refreshing?.catch(() => undefined);
    await refreshAll();
  });

  const vault = { another, behind: behind.catchUp };
  let asked = Number.NEGATIVE_INFINITY;
  const walk = linkWalks();
  const settings = settingsKeeper(parts);
  const viewOf = openViews({ engine, settings, first, onChange: listeners.onChange }, lines);
  const surroundings = surroundingsOf(parts);
  /** One call: its deadlines begin here. */
  const verbs = (who: Who): Notebook => {
    asked = performance.now();
    const view = viewOf(who);
    const wait = waitingOf(who, view.first, parts.background, parts.deadlines, vault);
    return {
      as: verbs,
      who,
      ready: wait.toBeIndexed,
      patiently: wait.toAnswer,
      soFar: view.first.soFar,
      unread: view.parts.index.unread,
      onChange: view.onChange,
      ...surroundings,
      settings: view.settings,
      bases: openBases(view, who, wait.toChange),
      proposals: openProposals(engine, who, wait.toChange),
      ...questionVerbs({ ...view, outside, walk, ...surroundings }, who, wait),
      ...fileVerbs(view, who, wait),
      ...changeVerbs(view, who, wait),
    };
  };

  store.onLateEdit((late) => mergeLate(engine, late, NOBODY));
  return {
    ...verbs(NOBODY),
    refresh: refreshAll,
    refreshFolders: (folders) => looks.begin(() => refreshFolders(parts, outside, folders), []),
    async refreshPaths(paths, soFar) {
      if (soFar) first.progress(soFar.done, soFar.total);
      await looks.begin(() => refreshPaths(parts, outside, paths), undefined);
      if (await listeners.known(paths.filter(isNote))) outside.seenElsewhere();
    },
    async record(from, signal) {
      await history.catchUp(from, parts.now(), signal);
      await outside.begin();
    },
    asked: () => asked,
    async close() {
      await Promise.all([looks.close(), idle()]);
      await outside.close();
      await history.close();
      index.close();
      await store.close();
    },
  };
}

/** What is so for every caller: the clock, the language, the place, chance. */
const surroundingsOf = ({ now, timeZone, locale, places = [], random }: Parts) => ({
  now,
  timeZone,
  locale: locale ?? localeNamed("en")!,
  places,
  random,
});

/** Gives a promise where the notes are in another folder than they were, until all of that one is compared; refuses where they are in none. */
function anotherFolder(store: NoteStore, compare: () => Promise<void>): () => Promise<void> | null {
  let known: string | null = null;
  let comparing: Promise<void> | null = null;
  return () => {
    const now = store.present();
    known ??= now;
    if (now === known) return null;
    return (comparing ??= compare()
      .then(() => void (known = now))
      .finally(() => (comparing = null)));
  };
}

/** How often an index that was begun anew meanwhile, or moved to another place, is filled again. */
const REFRESHES = 3;
async function refreshed(parts: Parts, outside: OutsideEdits, progress: Progress): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return await refresh(parts, outside, progress);
    } catch (error) {
      if (!(error instanceof NoteError) || error.code !== "indexing" || tries === REFRESHES) throw error;
    }
  }
}

/** The store, and a way to wait until the changes under way are through: index and history are not closed under them. */
function counting(store: NoteStore): { store: NoteStore; idle(): Promise<void> } {
  const { counted, ended } = underWay();
  const alone: NoteStore["alone"] = (work) => counted(store.alone(work));
  const background: NoteStore["background"] = (work) => counted(store.background(work));
  return { store: { ...store, alone, background }, idle: ended };
}
