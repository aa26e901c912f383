/** How the obsidian surface words its answers. */

import { z } from "zod";
import { escaped } from "../../markdown/label.ts";
import type { Change } from "../../notebook/change.ts";
import type { Found } from "../../notebook/filter.ts";
import type { Link } from "../../notebook/link-graph.ts";
import { nameOf } from "../../notebook/paths.ts";
import { LIST_ROOM, firstThatFit, listRemark, withRemark, type Coverage } from "../fitting.ts";
import type { Answer, Tool } from "../surface.ts";

/** The names, each once, in the order of their code points, as Python's `sorted` has them. */
export const distinct = (names: readonly string[]): string[] => [...new Set(names)].toSorted(byCodePoint);

function byCodePoint(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  // Where they part within a character its first half is the same, so each is read whole from where it begins.
  if (at > 0 && /[\uD800-\uDBFF]/.test(a[at - 1]!)) at--;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}

/** The notes that were changed because they link to the one asked for. */
export const filesUpdated = (changes: readonly Change[]): string[] =>
  distinct(changes.filter((change) => change.why === "backlink").map((change) => nameOf(change.path)));

export const listAnswer = (items: readonly object[], total = items.length, found?: Coverage): Answer => {
  const shown = firstThatFit(items, JSON.stringify, 1);
  return withRemark(shown, listRemark(shown.length, total, found));
};

export const namesAnswer = (found: Found, limit: number, offset: number): Answer => {
  const { notes, total } = found;
  const names = firstThatFit(
    notes.map((note) => note.name),
    JSON.stringify,
    1,
  );
  const wanted = Math.min(limit, Math.max(0, total - offset));
  return withRemark({ names, total, limit, offset }, listRemark(names.length, wanted, found));
};

export const linksAnswer = (head: object, outgoing: readonly Link[], incoming: readonly Link[]): Answer => {
  const lists = [
    distinct(outgoing.map((link) => (link.path ? nameOf(link.path) : link.target))),
    distinct(incoming.map((link) => nameOf(link.source))),
  ];
  const [out, into] = lists.map((names) => firstThatFit(names, JSON.stringify, 1, LIST_ROOM / 2));
  const total = lists.flat().length;
  return withRemark(
    { ...head, outgoing: out, incoming: into },
    listRemark(out!.length + into!.length, total),
  );
};

export const brokenAnswer = (links: readonly Link[]): Answer => {
  const pairs = distinct(
    links.map((link) => JSON.stringify({ source: nameOf(link.source), target: link.target })),
  );
  return listAnswer(pairs.map((pair) => JSON.parse(pair) as object));
};

/** A list of strings as Python shows it. */
export const pythonList = (items: readonly string[]): string => `[${items.map(pythonString).join(", ")}]`;

const pythonString = (text: string): string => {
  const inner = escaped(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"');
  return text.includes("'") && !text.includes('"') ? `"${inner}"` : `'${inner.replaceAll("'", "\\'")}'`;
};

const PYTHON_TYPES: Record<string, string> = { string: "str", integer: "int", boolean: "bool" };
const pythonValue = (value: unknown): string =>
  typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);

/** One tool as get_help lists it: parameters in the notation of the spec. */
export const helpEntry = ({ name, input, description }: Tool): object => {
  const properties = Object.entries(z.toJSONSchema(input, { io: "input" }).properties ?? {});
  const params = properties.map(([key, property]) => {
    const { type, default: value } = property as { type?: string; default?: unknown };
    return `${key}: ${PYTHON_TYPES[type ?? ""]}${value === undefined ? "" : ` = ${pythonValue(value)}`}`;
  });
  return { name, params: params.join(", "), description };
};
