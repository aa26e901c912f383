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

  const bind = (...values: SqlValue[]): void => void found.values.push(...values);
  const within = (ids: number[]): string => {
    bind(JSON.stringify(ids));
    return "n.id IN (SELECT value FROM json_each(?))";
  };

  const show = (marks: readonly Mark[], place: Sought["in"]): void =>
    void found.sought.push(...marks.map((mark) => ({ mark, in: place })));

  /** A `top` part must hold for every match; a `wanted` one is not under a `not`. */
  const words = (match: Match, text: string, place: Sought["in"], top: boolean, wanted: boolean): string => {
    if (wanted) {
      show(match.marks, place);
      found.words.push({ text, forgiving: false, needed: false });
    }
    const ways = match.unspaced.map((stretch) => within(answers.holdingStretch(stretch)));
    if (match.expression !== null && top) found.required.push(match.expression);
    else if (match.expression !== null) {
      bind(match.expression);
      ways.push("n.id IN (SELECT rowid FROM words WHERE words MATCH ?)");
    }
    return allOf(ways);
  };

  const holds = (text: string, place: Sought["in"], wanted: boolean): string => {
    const part = folded(text);
    if (part === "") return EVERY;
    if (wanted) show([{ part }], place);
    const ways: string[] = [];
    if (place !== "body") {
      const ids = answers.titled(fold(text));
      if (ids === null) bind(fold(text));
      ways.push(ids === null ? "instr(n.title_key, ?) > 0" : within(ids));
    }
    if (place !== "title") ways.push(within(answers.holding(part)));
    return `(${ways.join(" OR ")})`;
  };

  const question = (text: string, top: boolean, wanted: boolean): string => {
    if (ranked && top) {
      found.words.push({ text, forgiving: true, needed: true });
      return EVERY;
    }
    const having = answers.having(text);
    // Where no note has any word of it, it may be part of a word.
    if (!having) return holds(text.trim(), answers.partIn(), wanted);
    if (wanted) {
      show([having.mark], "either");
      found.words.push({ text, forgiving: true, needed: false });
    }
    return within(having.ids);
  };

  const inTitle = (match: Match | null, text: string, top: boolean, wanted: boolean): string => {
    if (match && match.unspaced.length === 0)
      return words({ ...match, expression: `{title} : (${match.expression})` }, text, "title", top, wanted);
    const parts = piecesOf(text);
    return parts.length === 0 ? NONE : allOf(parts.map((part) => holds(part, "title", wanted)));
  };

  /** Looks in title and body. What is partly written without spaces is looked for as it stands. */
  const inText = (match: Match | null, text: string, top: boolean, wanted: boolean): string => {
    if (match && match.unspaced.length === 0) {
      const expression = `{title body extra} : (${match.expression})`;
      return words({ ...match, expression }, text, "either", top, wanted);
    }
    const parts = piecesOf(text);
    return parts.length === 0 ? NONE : allOf(parts.map((part) => holds(part, "either", wanted)));
  };

  // Signs and pictures are no words, but they can be looked for as they stand.
  const anywhere = (match: Match | null, text: string, top: boolean, wanted: boolean): string => {
    if (match) return words(match, text, "either", top, wanted);
    return text.trim() === "" ? NONE : holds(text.trim(), "either", wanted);
  };

  const walk = (each: Filter, top: boolean, wanted: boolean, depth: number): string => {
    if (depth > DEPTH)
      throw new NoteError(
        "query_malformed",
        "The query is nested too deeply. Ask with fewer parentheses.",
        {},
      );
    if ("all" in each) return allOf(each.all.map((part) => walk(part, top, wanted, depth + 1)));
    if ("any" in each) {
      const only = top && each.any.length === 1;
      return anyOf(each.any.map((part) => walk(part, only, wanted, depth + 1)));
    }
    if ("not" in each) return `NOT (${walk(each.not, false, !wanted, depth + 1)})`;
    if ("ask" in each)
      return matchWords(each.ask) ? question(each.ask, top, wanted) : anywhere(null, each.ask, top, wanted);
    if ("words" in each)
      return (each.in === "text" ? inText : anywhere)(
        matchWords(each.words, { prefix: each.prefix ?? false }),
        each.words,
        top,
        wanted,
      );
    if ("phrase" in each)
      return each.in === "title"
        ? inTitle(matchPhrase(each.phrase), each.phrase, top, wanted)
        : (each.in === "text" ? inText : anywhere)(matchPhrase(each.phrase), each.phrase, top, wanted);
    if ("holds" in each) return holds(each.holds, each.in, wanted);
    if ("title" in each) return inTitle(matchWords(each.title), each.title, top, wanted);
    if ("path" in each) return within(answers.standing(each.path));
    if ("linksTo" in each || "linksToName" in each) return within(answers.linked(each));
    if ("field" in each) return fieldCondition(each, bind);
    if ("is" in each) return each.is === "daily" ? DAILY : within(answers.linked(each));
    return plainCondition(each, bind);
  };

  found.where = walk(filter, true, true, 0);
  found.everything = found.where === EVERY && found.required.length === 0;
  return found;
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

function allOf(conditions: readonly string[]): string {
  const left = conditions.filter((each) => each !== EVERY);
  return left.length === 0 ? EVERY : `(${left.join(" AND ")})`;
}

function anyOf(conditions: readonly string[]): string {
  if (conditions.length === 0) return NONE;
  return conditions.length === 1 ? conditions[0]! : `(${conditions.join(" OR ")})`;
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
