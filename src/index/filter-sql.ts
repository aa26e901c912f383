/** A Filter as one condition over the table of notes, with the values it binds, the words it ranks by and what it shows. */

import { NoteError } from "../markdown/errors.ts";
import type { Filter } from "../notebook/filter.ts";
import type { NotePath } from "../notebook/paths.ts";
import { fold, foldKey } from "../notebook/resolve.ts";
import { fieldCondition } from "./field-sql.ts";
import { foldText } from "../search/fold.ts";
import { matchPhrase, matchWords, type Mark, type Match, type Sought } from "../search/match.ts";
import type { QuestionPart } from "../search/question.ts";
import type { SqlValue } from "../sqlite/sql.ts";
import { WAYS } from "./tag-rows.ts";

/** What SQL cannot answer: the note at a path, the notes whose body holds a piece of text, the notes with a link to another. */
export type Answers = {
  standing(path: NotePath): number[];
  holding(text: string): number[];
  /** The notes whose title holds a part; null where they are so many that each is better asked. */
  titled(part: string): number[] | null;
  /** The notes that hold a stretch of writing without spaces anywhere. */
  holdingStretch(stretch: string): number[];
  /** The notes with any word of a question, and what to show of it; null where there are none. */
  having(question: string): { ids: number[]; mark: Mark } | null;
  /** The notes that a part of the filter about links stands for. */
  linked(part: Filter): number[];
  /** Where a word that no note has is looked for as part of another. */
  partIn(): "title" | "either";
};

/** A condition over the table of tags, which a note meets with one row. */
export type Tag = { where: string; values: SqlValue[] };

export type Condition = {
  where: string;
  values: SqlValue[];
  /** Given where the filter is nothing but a tag. */
  tag: Tag | null;
  /** Full-text expressions that every match satisfies; where there are any, the table of words is read first. */
  required: string[];
  /** Words to rank by. Every match has a word of each part that is `needed`. */
  words: (QuestionPart & { needed: boolean })[];
  sought: Sought[];
  /** Whether every note meets the condition. */
  everything: boolean;
};

/** Nobody nests deeper by hand, and SQLite's parser takes more. */
const DEPTH = 100;

/** Where it is `ranked`, a question that every match must meet is left to the ranking, which finds the notes with any of its words. */
export function conditionOf(filter: Filter, answers: Answers, ranked: boolean): Condition {
  const found: Condition = {
    where: "",
    values: [],
    tag: onlyTag(filter),
    required: [],
    words: [],
    sought: [],
    everything: false,
  };
  found.where = partOf({ found, answers, ranked }, filter, { top: true, wanted: true }, 0);
  found.everything = found.where === EVERY && found.required.length === 0;
  return found;
}

/** A condition that is being put together. */
type Building = { found: Condition; answers: Answers; ranked: boolean };
/** A `top` part must hold for every match; a `wanted` one is not under a `not`. */
type Role = { top: boolean; wanted: boolean };

function partOf(building: Building, each: Filter, role: Role, depth: number): string {
  if (depth > DEPTH)
    throw new NoteError("query_malformed", "The query is nested too deeply. Ask with fewer parentheses.", {});
  const { found, answers } = building;
  if ("all" in each) return allOf(each.all.map((part) => partOf(building, part, role, depth + 1)));
  if ("any" in each) {
    const only = { ...role, top: role.top && each.any.length === 1 };
    return anyOf(each.any.map((part) => partOf(building, part, only, depth + 1)));
  }
  if ("not" in each)
    return `NOT (${partOf(building, each.not, { top: false, wanted: !role.wanted }, depth + 1)})`;
  if ("ask" in each) return asked(building, each.ask, role);
  if ("words" in each) {
    const match = matchWords(each.words, { prefix: each.prefix ?? false });
    return (each.in === "text" ? inText : anywhere)(building, match, each.words, role);
  }
  if ("phrase" in each) {
    const look = each.in === "title" ? inTitle : each.in === "text" ? inText : anywhere;
    return look(building, matchPhrase(each.phrase), each.phrase, role);
  }
  if ("holds" in each) return holding(building, each.holds, each.in, role);
  if ("title" in each) return inTitle(building, matchWords(each.title), each.title, role);
  if ("path" in each) return within(found, answers.standing(each.path));
  if ("linksTo" in each || "linksToName" in each) return within(found, answers.linked(each));
  const bind = (...values: SqlValue[]): void => void found.values.push(...values);
  if ("field" in each) return fieldCondition(each, bind);
  // Which notes are hidden is known to the vault's settings, and put in their place before (settings/settled.ts).
  if ("is" in each) return each.is === "daily" ? DAILY : within(found, answers.linked(each));
  return plainCondition(each, bind);
}

const within = ({ values }: Condition, ids: number[]): string => {
  values.push(JSON.stringify(ids));
  return "n.id IN (SELECT value FROM json_each(?))";
};

const show = ({ sought }: Condition, marks: readonly Mark[], place: Sought["in"]): void =>
  void sought.push(...marks.map((mark) => ({ mark, in: place })));

function wordsIn(
  { found, answers }: Building,
  match: Match,
  text: string,
  place: Sought["in"],
  { top, wanted }: Role,
): string {
  if (wanted) {
    show(found, match.marks, place);
    found.words.push({ text, forgiving: false, needed: false });
  }
  const ways = match.unspaced.map((stretch) => within(found, answers.holdingStretch(stretch)));
  if (match.expression !== null && top) found.required.push(match.expression);
  else if (match.expression !== null) {
    found.values.push(match.expression);
    ways.push("n.id IN (SELECT rowid FROM words WHERE words MATCH ?)");
  }
  return allOf(ways);
}

function holding({ found, answers }: Building, text: string, place: Sought["in"], { wanted }: Role): string {
  const part = folded(text);
  if (part === "") return EVERY;
  if (wanted) show(found, [{ part }], place);
  const ways: string[] = [];
  if (place !== "body") {
    const ids = answers.titled(fold(text));
    if (ids === null) found.values.push(fold(text));
    ways.push(ids === null ? "instr(n.title_key, ?) > 0" : within(found, ids));
  }
  if (place !== "title") ways.push(within(found, answers.holding(part)));
  return `(${ways.join(" OR ")})`;
}

function asked(building: Building, text: string, role: Role): string {
  const { found, answers } = building;
  if (!matchWords(text)) return anywhere(building, null, text, role);
  if (building.ranked && role.top) {
    found.words.push({ text, forgiving: true, needed: true });
    return EVERY;
  }
  const having = answers.having(text);
  // Where no note has any word of it, it may be part of a word.
  if (!having) return holding(building, text.trim(), answers.partIn(), role);
  if (role.wanted) {
    show(found, [having.mark], "either");
    found.words.push({ text, forgiving: true, needed: false });
  }
  return within(found, having.ids);
}

const inTitle = (building: Building, match: Match | null, text: string, role: Role): string =>
  inColumns(building, match, text, role, "{title}", "title");

/** Looks in title and body. */
const inText = (building: Building, match: Match | null, text: string, role: Role): string =>
  inColumns(building, match, text, role, "{title body extra}", "either");

/** What is partly written without spaces is looked for as it stands. */
function inColumns(
  building: Building,
  match: Match | null,
  text: string,
  role: Role,
  columns: string,
  place: Sought["in"],
): string {
  if (match && match.unspaced.length === 0)
    return wordsIn(
      building,
      { ...match, expression: `${columns} : (${match.expression})` },
      text,
      place,
      role,
    );
  const parts = piecesOf(text);
  return parts.length === 0 ? NONE : allOf(parts.map((part) => holding(building, part, place, role)));
}

// Signs and pictures are no words, but they can be looked for as they stand.
function anywhere(building: Building, match: Match | null, text: string, role: Role): string {
  if (match) return wordsIn(building, match, text, "either", role);
  return text.trim() === "" ? NONE : holding(building, text.trim(), "either", role);
}

const folded = (text: string): string => foldText(text.normalize("NFC"));

const piecesOf = (text: string): string[] => text.split(/\s+/).filter((part) => part !== "");

/** The pieces of text that a part of a filter scans every body for. */
export function bodyPiecesOf(part: Filter): string[] {
  if ("holds" in part) return part.in === "title" ? [] : [folded(part.holds)];
  const text =
    "ask" in part ? part.ask : "words" in part ? part.words : "phrase" in part ? part.phrase : null;
  if (text === null || ("phrase" in part && part.in === "title")) return [];
  const match = matchWords(text);
  if ("in" in part && part.in === "text")
    return match && match.unspaced.length === 0 ? [] : piecesOf(text).map(folded);
  return match ? [] : [folded(text.trim())];
}

/** The conditions that every note meets, and that none meets. Neither binds a value. */
const EVERY = "1";
const NONE = "0";

/** In halves: SQLite reads a plain list as an expression as deep as the list is long, and a Durable Object takes 100 deep at most. */
function joinedBy(word: "AND" | "OR", conditions: readonly string[]): string {
  if (conditions.length === 1) return conditions[0]!;
  const middle = Math.ceil(conditions.length / 2);
  return `(${joinedBy(word, conditions.slice(0, middle))} ${word} ${joinedBy(word, conditions.slice(middle))})`;
}

function allOf(conditions: readonly string[]): string {
  const left = conditions.filter((each) => each !== EVERY);
  return left.length === 0 ? EVERY : joinedBy("AND", left);
}

function anyOf(conditions: readonly string[]): string {
  if (conditions.length === 0) return NONE;
  return joinedBy("OR", conditions);
}

const DAILY = "n.name_key GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'";

type Plain = Extract<
  Filter,
  | { name: string }
  | { alias: string }
  | { id: string }
  | { tag: string }
  | { folder: string }
  | { inPath: string }
  | { among: ReadonlySet<NotePath> }
  | { since: Date }
  | { time: string }
>;

const EARLIEST = -8.64e15;
const LATEST = 8.64e15;

function plainCondition(filter: Plain, bind: (...values: SqlValue[]) => void): string {
  if ("name" in filter) {
    bind(filter.part ? fold(filter.name) : foldKey(filter.name));
    return filter.part ? "instr(n.name_key, ?) > 0" : "n.name_key = ?";
  }
  if ("alias" in filter) {
    bind(foldKey(filter.alias));
    return "n.id IN (SELECT note FROM aliases WHERE key = ?)";
  }
  if ("id" in filter) {
    bind(filter.id);
    return "n.handle = ?";
  }
  if ("since" in filter) {
    bind(filter.since.getTime());
    return "n.modified >= ?";
  }
  if ("time" in filter) {
    const { time, from, before } = filter;
    bind(from?.getTime() ?? EARLIEST, before?.getTime() ?? LATEST);
    return `(n.${time} >= ? AND n.${time} < ?)`;
  }
  if ("among" in filter) {
    bind(JSON.stringify([...filter.among]));
    return "n.path IN (SELECT value FROM json_each(?))";
  }
  if ("inPath" in filter) {
    bind(fold(filter.inPath));
    return "instr(n.path_key || '.md', ?) > 0";
  }
  if ("folder" in filter) {
    const key = fold(filter.folder);
    if (key === "" && filter.deep) return EVERY;
    bind(key);
    return filter.deep ? `(n.folder_key = ? OR ${below("n.folder_key", key, bind)})` : "n.folder_key = ?";
  }
  const { where, values } = tagCondition(filter);
  bind(...values);
  return `n.id IN (SELECT note FROM tags WHERE ${where})`;
}

function tagCondition({ tag, under, from }: Extract<Filter, { tag: string }>): Tag {
  const way =
    from === "fields" ? (under ? WAYS.belowInFields : WAYS.inFields) : under ? WAYS.below : WAYS.own;
  return { where: `key = ? AND ways & ${way}`, values: [fold(tag)] };
}

function onlyTag(filter: Filter): Tag | null {
  if ("tag" in filter) return tagCondition(filter);
  if ("all" in filter && filter.all.length === 1) return onlyTag(filter.all[0]!);
  return null;
}

// `0` is the character after `/`: a range is served by an index, and nothing in the name is a wildcard.
function below(column: string, key: string, bind: (...values: SqlValue[]) => void): string {
  bind(`${key}/`, `${key}0`);
  return `(${column} >= ? AND ${column} < ?)`;
}
