/** The survey of a vault: what in it is broken, odd or left over, found by reading every note once. It changes nothing. */

import { NoteError } from "../markdown/errors.ts";
import type { Locale } from "./calendar/locales.ts";
import type { Who } from "./change.ts";
import { LACKING, LINK_LIMIT, type Lookup } from "./link-graph.ts";
import { readWithin } from "./memory.ts";
import type { Note } from "./note.ts";
import { NOTE_LIMIT, type Oddity, type Parts, type Stat } from "./parts.ts";
import { isNote, liesIn, nameTrouble, type NotePath } from "./paths.ts";
import { remembering } from "./linking-notes.ts";
import { meaningOf } from "./resolve.ts";
import { sayIssue, type RuleBook } from "./rules.ts";
import { settingsTroubles } from "./settings/settings-troubles.ts";
import type { VaultSettings } from "./settings/vault-settings.ts";
import { inTurns, turnOfOthers } from "./turns.ts";

/** `path` is "" where it is about the vault as a whole. */
export type Finding = { path: string; detail: string };
export type Group = {
  name: GroupName;
  /** What these are, as a heading. */
  what: string;
  /** What a person may do about them, in one phrase. */
  next: string;
  needsPerson: boolean;
  count: number;
  /** The first ones, as many as were asked for. */
  findings: Finding[];
};
/** Every group, also those without a finding. */
export type Survey = { notes: number; needsPerson: boolean; groups: Group[] };

const GROUPS = {
  broken_links: ["Broken links", "write what is missing, or mend the link"],
  rule_violations: ["Notes that break a rule of their folder", "mend the note, or change the rule"],
  damaged_rules: ["Rule files that cannot be used", "mend the file; until then its folder takes no writes"],
  bad_fields: ["Notes whose frontmatter cannot be read", "mend the YAML between the two --- lines"],
  not_utf8: ["Notes that are not UTF-8 text", "save them as UTF-8"],
  too_large: ["Notes too large to be read", "split them into several notes"],
  unreadable: ["Notes that could not be read", "check their permissions, and the disk"],
  odd_names: ["Names that some system does not allow", "rename them"],
  twins: ["Names that differ only by case or Unicode form", "rename one of each pair"],
  links: ["Symbolic links (they are not followed)", "put the notes themselves there, or take the link away"],
  special_files: ["Special files (they are passed over)", "take them away"],
  odd_settings: ["Obsidian's settings that cannot be used", "mend them; until then they are left out"],
  odd_canvases: ["Canvases whose links are not followed", "mend the JSON, or make them smaller than 8 MiB"],
  conflict_copies: ["Conflict copies", "take over what is missing from the note, then delete the copy"],
  reported: ["Things left over or out of reach", "read what is said of each"],
  history: ["Troubles of the history", "read what is said of each"],
  index_drift: ["Notes the index has wrong", "delete the index in your cache folder; it is made anew"],
  orphans: ["Orphans (notes without a link to or from another)", "link them, or leave them"],
} as const;
export type GroupName = keyof typeof GROUPS;

const KINDS: Record<Oddity["kind"], GroupName> = {
  link: "links",
  special: "special_files",
  twin: "twins",
  unreadable_name: "odd_names",
  set_aside: "reported",
};

/** Ours (see disk/journal.ts), Syncthing's, and what Dropbox and others write. */
const CONFLICT_COPY = /\(conflict [0-9a-f]{7,40}\)$|\.sync-conflict-\d{8}-\d{6}|conflicted copy/i;

/** Others get their turn after this many bytes of notes, or this many links: some milliseconds' work. */
const BREATH = 256 * 1024;
const LINK_BREATH = 1000;
/** Notes that are read at once, and bytes of them, unless one alone is longer: each may be a call to a bucket. */
const READ_AT_ONCE = 6;
const READ_BYTES = 256 * 1024;
const DETAIL_LENGTH = 200;

type Asking = Pick<Who, "signal" | "progress" | "memory">;
type Findings = Record<GroupName, { count: number; findings: Finding[] }>;
type Report = (group: GroupName, path: string, detail: string) => void;

type Surveyed = {
  parts: Parts;
  ruleBook(): Promise<RuleBook>;
  settings(): Promise<VaultSettings>;
  locale: Locale;
};

/** `first`: how many findings of each group are kept; all of them where it is left out. */
export async function surveyVault(
  { parts, ruleBook, settings, locale }: Surveyed,
  who: Asking,
  { first = Number.POSITIVE_INFINITY }: { first?: number } = {},
): Promise<Survey> {
  const found = Object.fromEntries(
    Object.keys(GROUPS).map((name) => [name, { count: 0, findings: [] }]),
  ) as unknown as Findings;
  const report: Report = (group, path, detail) => {
    if (found[group].count++ < first) found[group].findings.push({ path, detail: shortened(detail) });
  };
  const book = await ruleBook();
  for (const { file, reason } of book.troubles) report("damaged_rules", file, reason);
  const paths = await surveyNotes(parts, book, who, report);
  for (const { file, what } of settingsTroubles(await settings(), { paths, locale, now: parts.now() }))
    report("odd_settings", file, what);
  await checkBroken(parts, first, found, report);
  for await (const oddities of parts.store.health.oddities()) {
    who.signal?.throwIfAborted();
    for (const { kind, path, detail } of oddities) report(KINDS[kind], path, detail);
  }
  for (const path of parts.index.attachments.canvases("unreadable")) report("odd_canvases", path, "");
  for (const sentence of parts.store.health.troubles()) report("reported", "", sentence);
  for (const sentence of await historyTroubles(parts)) report("history", "", sentence);
  const groups = Object.entries(GROUPS).map(([name, [what, next]]): Group => {
    const group = name as GroupName;
    return { name: group, what, next, needsPerson: group !== "orphans", ...found[group] };
  });
  return {
    notes: paths.length,
    needsPerson: groups.some((group) => group.needsPerson && group.count > 0),
    groups,
  };
}

/** Put together anew, letter by letter: a piece of a note's text would keep the whole text in memory. */
const shortened = (detail: string): string => {
  const letters = Array.from(detail.slice(0, DETAIL_LENGTH + 1));
  return letters.length > DETAIL_LENGTH ? `${letters.slice(0, DETAIL_LENGTH).join("")}…` : letters.join("");
};

/** Gives the paths of all notes. */
async function surveyNotes(parts: Parts, book: RuleBook, who: Asking, report: Report): Promise<NotePath[]> {
  const stats: Stat[] = [];
  const closed = new Set<string>();
  for await (const listed of parts.store.list()) {
    for (const stat of listed.notes) stats.push(stat);
    for (const folder of listed.closed ?? []) closed.add(folder);
  }
  stats.sort((a, b) => (a.path < b.path ? -1 : 1));
  const lookup = remembering(parts.index.lookup);
  const connected = new Set<NotePath>();
  const doubted: NotePath[] = [];
  const oddParts = new Set<string>();
  let [sinceBreath, done] = [0, 0];
  for (const lot of lotsOf(stats)) {
    who.memory?.drop();
    const notes = await Promise.all(lot.map((stat) => readNote(parts, who, stat)));
    for (const [at, stat] of lot.entries()) {
      checkNames(stat.path, oddParts, report);
      const note = notes[at]!;
      if (note instanceof NoteError) reportUnread(stat, note, report);
      else if (note) {
        checkNote(note, book, report);
        await findConnected(note, lookup, connected);
        if (parts.index.version(note.path) !== note.version) doubted.push(note.path);
      }
      sinceBreath += 4096 + Math.min(stat.size, NOTE_LIMIT);
    }
    done += lot.length;
    if (sinceBreath < BREATH) continue;
    sinceBreath = 0;
    who.progress?.(done, stats.length, "reading the notes");
    await turnOfOthers();
    who.signal?.throwIfAborted();
  }
  for (const { path } of await inTurns(parts.index.links({ inCanvases: null })))
    if (path) connected.add(path);
  for (const { path } of stats) if (!connected.has(path)) report("orphans", path, "");
  await checkIndex(parts, { stats, closed }, doubted, report);
  return stats.map(({ path }) => path);
}

function* lotsOf(stats: readonly Stat[]): Generator<Stat[]> {
  let [lot, size]: [Stat[], number] = [[], 0];
  for (const stat of stats) {
    if (lot.length > 0 && (lot.length === READ_AT_ONCE || size + stat.size > READ_BYTES)) {
      yield lot;
      [lot, size] = [[], 0];
    }
    lot.push(stat);
    size += stat.size;
  }
  if (lot.length > 0) yield lot;
}

function reportUnread({ path, size }: Stat, { code, message }: NoteError, report: Report): void {
  if (code === "too_large") report("too_large", path, `${size} bytes`);
  else report("unreadable", path, message);
}

async function readNote(parts: Parts, who: Asking, stat: Stat): Promise<Note | NoteError | null> {
  try {
    const file = await readWithin(
      who.memory,
      () => parts.store.read(stat.path),
      ({ bytes }) => bytes,
      async () => stat.size,
    );
    return file && (await parts.openNote(stat.path, file.bytes, file.version, file.modified));
  } catch (error) {
    if (error instanceof NoteError) return error;
    throw error;
  }
}

/** A folder's odd name is reported once, not for each note in it. */
function checkNames(path: NotePath, reported: Set<string>, report: Report): void {
  const segments = path.split("/");
  segments.forEach((segment, at) => {
    const trouble = nameTrouble(segment);
    if (trouble === null) return;
    const whole = segments.slice(0, at + 1).join("/");
    if (reported.has(whole)) return;
    reported.add(whole);
    report("odd_names", whole, trouble);
  });
  const name = segments.at(-1)!.slice(0, -3);
  if (CONFLICT_COPY.test(name)) report("conflict_copies", path, "");
}

function checkNote(note: Note, book: RuleBook, report: Report): void {
  if (note.text === null) report("not_utf8", note.path, "");
  if (note.front.trouble !== null) report("bad_fields", note.path, note.front.trouble);
  const issues = book.check(note.path, note)?.issues ?? [];
  // A damaged rule file is a finding of its own, not one for every note it would bind.
  const own = issues.filter((issue) => issue.error !== "constraint_malformed");
  if (own.length > 0) report("rule_violations", note.path, own.map(sayIssue).join("; "));
}

async function findConnected(note: Note, lookup: Lookup, connected: Set<NotePath>): Promise<void> {
  for (const [at, { target, form }] of note.links.slice(0, LINK_LIMIT).entries()) {
    if (at % LINK_BREATH === LINK_BREATH - 1) await turnOfOthers();
    const path = meaningOf({ target, form }, note.path, lookup);
    if (path !== null && isNote(path) && path !== note.path) connected.add(path).add(note.path);
  }
}

/** As the index knows them, all kinds at once; only so many as are told are looked at closer. */
async function checkBroken({ index }: Parts, first: number, found: Findings, report: Report): Promise<void> {
  const { links, counts, left } = await inTurns(index.broken({ limit: first }));
  for (const { source, target, anchor, line, lacks } of links)
    report("broken_links", source, `line ${line}: ${target}${anchor} (a missing ${lacks})`);
  found.broken_links.count = LACKING.reduce((sum, kind) => sum + counts[kind], 0);
  if (left > 0)
    report("reported", "", `${left} links to headings and blocks were not looked at: there are too many.`);
}

/** What differs may only have been saved just now; so it is looked at again, once the index has had its turn. */
async function checkIndex(
  parts: Parts,
  { stats, closed }: { stats: readonly Stat[]; closed: ReadonlySet<string> },
  doubted: readonly NotePath[],
  report: Report,
): Promise<void> {
  await parts.background.flush();
  const there = new Set(stats.map((stat) => stat.path));
  for (const path of doubted) {
    const file = await parts.store.read(path);
    const held = parts.index.version(path);
    if (file && held === null) report("index_drift", path, "is not in it");
    else if (file && held !== file.version) report("index_drift", path, "is in it with another text");
  }
  for (const path of parts.index.stamps().keys())
    if (!there.has(path) && !liesIn(path, closed) && (await parts.store.stat(path)) === null)
      report("index_drift", path, "is gone");
}

async function historyTroubles({ history }: Parts): Promise<string[]> {
  try {
    await history.log({ limit: 1 });
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return [...history.troubles(), error.message];
  }
  return history.troubles();
}
