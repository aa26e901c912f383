/** Edits of JSON as people keep it, with comments, trailing commas and a layout of their own: one property of an object is set or taken out, and every other byte stays. */

import { parseTree, type Node, type ParseError } from "jsonc-parser";
import { NoteError } from "../../markdown/errors.ts";

export type Path = readonly string[];

const lineAndColumn = (text: string, offset: number): string => {
  const lines = text.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
};

/** The parser calls itself for each level, and no configuration has so many. */
const LEVELS = 1000;
const checkedDepth = (text: string): string => {
  let level = 0;
  for (const [letter] of text.matchAll(/[[\]{}]/g)) {
    level += letter === "[" || letter === "{" ? 1 : -1;
    if (level > LEVELS) throw new NoteError("input_refused", "it is nested too deep");
  }
  return text;
};

/** The tree of a text; refused where it is no object, or where one key stands twice in an object on the path. */
export const treeOf = (text: string, path: Path = []): Node => {
  const errors: ParseError[] = [];
  const root = parseTree(checkedDepth(text), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) throw new NoteError("input_refused", `it is not JSON, see ${lineAndColumn(text, first.offset)}`);
  if (root?.type !== "object") throw new NoteError("input_refused", "it is not a JSON object");
  let node: Node | undefined = root;
  for (const key of path) {
    if (node === undefined) break;
    const values: Node[] = propertiesOf(node).filter((one) => keyOf(one) === key);
    if (values.length > 1) throw new NoteError("input_refused", `"${key}" stands twice in it`);
    node = values[0]?.children?.[1];
    if (node && node.type !== "object")
      throw new NoteError("input_refused", `"${key}" in it is not an object`);
  }
  return root;
};

const propertiesOf = (object: Node): Node[] => object.children ?? [];
const keyOf = (property: Node): unknown => property.children?.[0]?.value;
const endOf = ({ offset, length }: Node): number => offset + length;

const objectAt = (root: Node, path: Path): Node | undefined =>
  path.reduce<Node | undefined>(
    (node, key) => node && propertiesOf(node).find((one) => keyOf(one) === key)?.children?.[1],
    root,
  );

const splice = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to);

/** Past blanks and comments from an offset on: to where its line ends, or to what comes next. */
const skip = (text: string, from: number, over: "line" | "all"): number => {
  const pattern =
    over === "line"
      ? /(?:[^\S\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y
      : /(?:\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
};
const commaAfter = (text: string, end: number): number | null => {
  const at = skip(text, end, "all");
  return text[at] === "," ? at : null;
};

const indentAt = (text: string, offset: number): string =>
  /^[^\S\r\n]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset))![0];
const lineEndOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n");
const indentUnit = (text: string): string => /^(\t| +)\S/m.exec(text)?.[1] ?? "  ";

const written = (text: string, value: unknown, indent: string): string =>
  JSON.stringify(value, null, indentUnit(text)).replaceAll("\n", lineEndOf(text) + indent);

const insert = (text: string, object: Node, key: string, value: unknown): string => {
  const properties = propertiesOf(object);
  const last = properties.at(-1);
  const eol = lineEndOf(text);
  const outer = indentAt(text, object.offset);
  if (!last) {
    const indent = outer + indentUnit(text);
    const inner = text.slice(object.offset + 1, endOf(object) - 1);
    const closing = inner.includes("\n") ? "" : eol + outer;
    const line = `${eol}${indent}${JSON.stringify(key)}: ${written(text, value, indent)}${closing}`;
    return splice(text, object.offset + 1, object.offset + 1, line);
  }
  const opening = text.slice(object.offset + 1, properties[0]!.offset);
  if (!opening.includes("\n")) {
    const gap = opening === "" ? "" : " ";
    const line = `,${gap}${JSON.stringify(key)}:${gap}${JSON.stringify(value)}`;
    return splice(text, endOf(last), endOf(last), line);
  }
  const indent = indentAt(text, properties[0]!.offset);
  const line = `${eol}${indent}${JSON.stringify(key)}: ${written(text, value, indent)}`;
  const comma = commaAfter(text, endOf(last));
  const after = comma === null ? endOf(last) : comma + 1;
  const ended = skip(text, after, "line");
  // A comment at the end of the last line stays with what it is about.
  const at = /[\r\n]/.test(text[ended] ?? "") ? ended : after;
  const longer = splice(text, at, at, comma === null ? line : `${line},`);
  return comma === null ? splice(longer, endOf(last), endOf(last), ",") : longer;
};

const remove = (text: string, object: Node, property: Node): string => {
  const properties = propertiesOf(object);
  const before = properties[properties.indexOf(property) - 1];
  const comma = commaAfter(text, endOf(property));
  const to = comma === null ? endOf(property) : comma + 1;
  const blank = /\s*$/.exec(text.slice(0, property.offset))![0].length;
  const gap = text.slice(before ? endOf(before) : object.offset, property.offset);
  const comment = gap.match(/\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g)?.at(-1) ?? "";
  // What follows must not become part of a comment that ends the line before.
  const swallowed = comment.startsWith("//") && !/^[^\S\r\n]*[\r\n]/.test(text.slice(to));
  const from = property.offset - (swallowed ? 0 : blank);
  const shorter = splice(text, from, to, "");
  if (comma !== null || !before) return shorter;
  const earlier = commaAfter(text, endOf(before))!;
  return splice(shorter, earlier, earlier + 1, "");
};

/** The text with `value` at the end of the path; objects on the way are made. Undefined takes the property out. */
export const withValue = (text: string, path: Path, value: unknown): string => {
  const root = treeOf(text);
  const parents = path.slice(0, -1);
  const key = path.at(-1)!;
  const object = objectAt(root, parents);
  if (!object) return value === undefined ? text : withValue(text, parents, { [key]: value });
  const property = propertiesOf(object).find((one) => keyOf(one) === key);
  if (!property) return value === undefined ? text : insert(text, object, key, value);
  if (value === undefined) return remove(text, object, property);
  const old = property.children![1]!;
  const multiline = text.slice(object.offset, endOf(object)).includes("\n");
  const next = multiline ? written(text, value, indentAt(text, property.offset)) : JSON.stringify(value);
  return splice(text, old.offset, endOf(old), next);
};
