/** A Filter as one condition over the table of notes, with the values it binds, the words it ranks by and the words it shows. */

import { NoteError } from "../markdown/errors.ts";
import type { Filter } from "../notebook/filter.ts";
import type { NotePath } from "../notebook/paths.ts";
import { fold, foldKey } from "../notebook/resolve.ts";
import { foldText } from "./fold.ts";
import { matchAny, matchPhrase, matchWords, type Match, type Term } from "./match.ts";
import { isUnspaced } from "./pieces.ts";
import type { SqlValue } from "./sql.ts";

/** What SQL cannot answer: the note at a path, the notes whose body holds a piece of text, and those with a link to a note. */
export type Asked = {
  standing(path: NotePath): number[];
  holding(text: string): number[];
  linking(path: NotePath): number[];
};

/** What a snippet may show, and where it is looked for first. */
export type Sought = { term: Term; in: "title" | "body" | "either" };

export type Condition = {
  where: string;
  values: SqlValue[];
  /** Full-text expressions that every match satisfies: the table of words then leads. */
  required: string[];
  /** Those of which a match may satisfy some. */
  optional: string[];
  sought: Sought[];
};

/** Deeper than anyone writes by hand, and less than SQLite's parser takes. */
const DEPTH = 100;

export function conditionOf(filter: Filter, asked: Asked): Condition {
  const found: Condition = { where: "", values: [], required: [], optional: [], sought: [] };

  const bind = (...values: SqlValue[]): void => void found.values.push(...values);
  const within = (ids: number[]): string => {
    bind(JSON.stringify(ids));
    return "n.id IN (SELECT value FROM json_each(?))";
  };

  /** `top`: it must hold for every match; `wanted`: it is not under a `not`. */
  const words = (match: Match, place: Sought["in"], top: boolean, wanted: boolean): string => {
    if (wanted) found.sought.push(...match.terms.map((term) => ({ term, in: place })));
    if (top) {
      found.required.push(match.expression);
      return "1";
    }
    if (wanted) found.optional.push(match.expression);
    bind(match.expression);
    return "n.id IN (SELECT rowid FROM words WHERE words MATCH ?)";
  };

  const holds = (text: string, place: Sought["in"], wanted: boolean): string => {
    const part = foldText(text.normalize("NFC"));
    if (part === "") return "1";
    if (wanted) found.sought.push({ term: { part }, in: place });
    const ways: string[] = [];
    if (place !== "body") {
      bind(fold(text));
      ways.push("instr(n.title_key, ?) > 0");
    }
    if (place !== "title") ways.push(within(asked.holding(part)));
    return `(${ways.join(" OR ")})`;
  };

  const inTitle = (match: Match | null, text: string, top: boolean, wanted: boolean): string => {
    if (match && !isUnspaced(text))
      return words({ ...match, expression: `{title} : (${match.expression})` }, "title", top, wanted);
    const parts = text.split(/\s+/).filter((part) => part !== "");
    return parts.length === 0 ? "0" : parts.map((part) => holds(part, "title", wanted)).join(" AND ");
  };

  // Signs and pictures are no words, but they can be looked for as they stand.
  const anywhere = (match: Match | null, text: string, top: boolean, wanted: boolean): string => {
    if (match) return words(match, "either", top, wanted);
    return text.trim() === "" ? "0" : holds(text.trim(), "either", wanted);
  };

  const walk = (each: Filter, top: boolean, wanted: boolean, depth: number): string => {
    if (depth > DEPTH)
      throw new NoteError(
        "query_malformed",
        "The query is nested too deeply. Ask with fewer parentheses.",
        {},
      );
    if ("all" in each) return several(each.all, " AND ", "1", (part) => walk(part, top, wanted, depth + 1));
    if ("any" in each) {
      const only = top && each.any.length === 1;
      return several(each.any, " OR ", "0", (part) => walk(part, only, wanted, depth + 1));
    }
    if ("not" in each) return `NOT (${walk(each.not, false, !wanted, depth + 1)})`;
    if ("ask" in each) return anywhere(matchAny(each.ask), each.ask, top, wanted);
    if ("words" in each)
      return anywhere(matchWords(each.words, { prefix: each.prefix ?? false }), each.words, top, wanted);
    if ("phrase" in each)
      return each.in === "title"
        ? inTitle(matchPhrase(each.phrase), each.phrase, top, wanted)
        : anywhere(matchPhrase(each.phrase), each.phrase, top, wanted);
    if ("holds" in each) return holds(each.holds, each.in, wanted);
    if ("title" in each) return inTitle(matchWords(each.title), each.title, top, wanted);
    if ("path" in each) return within(asked.standing(each.path));
    if ("linksTo" in each) return within(asked.linking(each.linksTo));
    return plainCondition(each, bind);
  };

  found.where = walk(filter, true, true, 0);
  return found;
}

const several = (filters: Filter[], joint: string, none: string, walkOne: (each: Filter) => string) =>
  filters.length === 0 ? none : `(${filters.map(walkOne).join(joint)})`;

type Plain = Extract<
  Filter,
  | { name: string }
  | { alias: string }
  | { id: string }
  | { tag: string }
  | { folder: string }
  | { since: Date }
>;

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
  if ("folder" in filter) {
    const key = fold(filter.folder);
    if (key === "" && filter.deep) return "1";
    bind(key);
    return filter.deep ? `(n.folder_key = ? OR ${below("n.folder_key", key, bind)})` : "n.folder_key = ?";
  }
  const key = fold(filter.tag);
  bind(key);
  const tag = filter.under ? `(key = ? OR ${below("key", key, bind)})` : "key = ?";
  return `n.id IN (SELECT note FROM tags WHERE ${tag}${filter.from === "fields" ? " AND in_fields" : ""})`;
}

// `0` is the character after `/`: a range, so that an index serves and nothing in the name is a wildcard.
function below(column: string, key: string, bind: (...values: SqlValue[]) => void): string {
  bind(`${key}/`, `${key}0`);
  return `(${column} >= ? AND ${column} < ?)`;
}
