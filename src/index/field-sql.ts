/** Conditions on the fields of a note, which are stored as JSON: equal, with a word, less, greater. */

import type { Filter } from "../notebook/filter.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";

type FieldFilter = Extract<Filter, { field: string }>;

// There is one row for each value; the values of a list come one by one. JSON's true and false are given as 1 and 0, and must be named again.
const VALUES = `json_each(n.fields) f,
  json_each(CASE WHEN f.type IN ('array', 'object') THEN f.value ELSE json_array(json_extract(n.fields, f.fullkey)) END) v`;
const TEXT = `(CASE WHEN f.type IN ('true', 'false') THEN f.type WHEN v.type IN ('true', 'false') THEN v.type ELSE CAST(v.value AS TEXT) END)`;

/** Names are compared without case, as far as ASCII goes. */
export function fieldCondition(
  { field, op, value }: FieldFilter,
  bind: (...values: SqlValue[]) => void,
): string {
  bind(field, field.toLowerCase());
  const named = "(f.key = ? OR lower(f.key) = ?)";
  const holds =
    value === "*"
      ? `${TEXT} <> ''`
      : op === ":" || op === "="
        ? isEqual(op, value, bind)
        : isBeyond(op, value, bind);
  return `EXISTS (SELECT 1 FROM ${VALUES} WHERE ${named} AND v.type <> 'null' AND ${holds})`;
}

/** Whether any note has a field of this name. */
export const hasField = (sql: Sql, name: string): boolean =>
  sql.get(
    "SELECT 1 FROM notes n, json_each(n.fields) f WHERE f.key = ? OR lower(f.key) = ? LIMIT 1",
    name,
    name.toLowerCase(),
  ) !== undefined;

function isEqual(op: ":" | "=", value: string, bind: (...values: SqlValue[]) => void): string {
  // SQLite knows the case of ASCII letters only, so a word with others is looked for in each of its usual forms.
  const lower = value.toLowerCase();
  const forms = [value, lower, value.toUpperCase(), lower.slice(0, 1).toUpperCase() + lower.slice(1)];
  bind(JSON.stringify([...new Set(forms)]), lower);
  const equal = `${TEXT} IN (SELECT value FROM json_each(?)) OR lower(${TEXT}) = ?`;
  const number = numberIn(value);
  if (number !== null) bind(number);
  const same = number === null ? "" : ` OR (${IS_NUMBER} AND CAST(${TEXT} AS REAL) = ?)`;
  if (op === "=") return `(${equal}${same})`;
  bind(` ${lower} `);
  // A link in a field is found by what it leads to.
  const words = `replace(replace(lower(${TEXT}), '[[', ' '), ']]', ' ')`;
  return `(${equal}${same} OR instr(' ' || ${words} || ' ', ?) > 0)`;
}

const IS_NUMBER = `(v.type IN ('integer', 'real') OR (${TEXT} GLOB '*[0-9]*' AND NOT ${TEXT} GLOB '*[^0-9.eE+-]*' AND NOT ${TEXT} GLOB '[0-9]*-*'))`;
const IS_DATE = `${TEXT} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]*'`;

function isBeyond(op: string, value: string, bind: (...values: SqlValue[]) => void): string {
  const number = numberIn(value);
  if (number !== null && !/^\d{4}$/.test(value)) {
    bind(number);
    return `${IS_NUMBER} AND CAST(${TEXT} AS REAL) ${op} ?`;
  }
  if (number !== null) {
    // Four digits may be a number or a year.
    bind(number, value);
    return `((${IS_NUMBER} AND CAST(${TEXT} AS REAL) ${op} ?) OR (${IS_DATE} AND substr(${TEXT}, 1, 4) ${op} ?))`;
  }
  if (/^\d{4}-\d\d/.test(value)) {
    // A date is compared as far as it is written: 2026-02-24T10:00 is no later than 2026-02-24.
    bind(value.length, value);
    return `${IS_DATE} AND substr(${TEXT}, 1, ?) ${op} ?`;
  }
  bind(value.toLowerCase());
  return `lower(${TEXT}) ${op} ?`;
}

const numberIn = (value: string): number | null =>
  /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : null;
