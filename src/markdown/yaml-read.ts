/** YAML to fields, by our rules: a plain scalar is a string, unless it is true, false, null, or a number that prints as it was typed. */

import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, Parser, type CST, type Document } from "yaml";
import { NoteError } from "./errors.ts";
import type { Fields, Value } from "./frontmatter.ts";

// The library needs some microseconds for each token, more for each mistake: these keep the worst block under about 100 ms.
export const LARGEST_BLOCK = 128 * 1024;
const MOST_TOKENS = 10_000;
export const DEEPEST_VALUE = 50;
// Values that aliases repeat, over the whole block: plenty for a person, nothing for a bomb.
const MOST_REPEATED = 10_000;

export function readYaml(source: string): { fields: Fields } | { trouble: string } {
  try {
    return { fields: fieldsOf(parseYaml(source, MOST_TOKENS), source) };
  } catch (error) {
    if (error instanceof NoteError) return { trouble: error.message };
    throw error;
  }
}

/** The document with its source positions. Scalars are left as text, because only `plainScalar` knows our rules. */
export function parseYaml(source: string, mostTokens = Number.POSITIVE_INFINITY): Document.Parsed {
  if (source.length > LARGEST_BLOCK) throw unreadable("it is longer than 128 KiB");
  const composer = new Composer({
    schema: "failsafe",
    resolveKnownTags: false,
    // The library compares each key with all before it; `fieldsOf` asks the map instead.
    uniqueKeys: false,
    prettyErrors: false,
    keepSourceTokens: true,
  });
  const documents = [...composer.compose(tokensOf(source, mostTokens), true, source.length)];
  const document = documents[0]!;
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault?.code === "RESOURCE_EXHAUSTION") throw unreadable("it is nested too deeply");
  // The opening fence is line 1 of the file.
  if (fault) throw unreadable(`${fault.message.slice(0, 200)}, at line ${lineOf(source, fault.pos[0]) + 1}`);
  if (documents.length > 1) throw unreadable("it holds more than one document");
  return document as Document.Parsed;
}

function* tokensOf(source: string, mostTokens: number) {
  const parser = new Parser();
  let count = 0;
  for (const lexeme of new Lexer().lex(source)) {
    if (++count > mostTokens) throw unreadable("it has too many parts");
    yield* sound(parser.next(lexeme));
  }
  yield* sound(parser.end());
}

// One mistake is enough; the library would go on and build an error, stack and all, for every one.
function* sound(tokens: Iterable<CST.Token>) {
  for (const token of tokens) {
    if (token.type === "error") throw unreadable(token.message.slice(0, 200));
    yield token;
  }
}

function fieldsOf(document: Document.Parsed, source: string): Fields {
  const anchors = new Map<string, { value: Value; size: number }>();
  let size = 0;
  let repeated = 0;

  function valueOf(node: unknown, depth: number): Value {
    if (depth > DEEPEST_VALUE) throw unreadable("it is nested too deeply");
    const before = size++;
    if (isAlias(node)) {
      const anchor = anchors.get(node.source);
      if (!anchor) throw unreadable(`the alias *${node.source.slice(0, 50)} has no anchor before it`);
      size += anchor.size;
      repeated += anchor.size;
      if (repeated > MOST_REPEATED) throw unreadable("its aliases repeat too much");
      return anchor.value;
    }
    let value: Value = null;
    if (isScalar(node)) {
      const text = String(node.value ?? "");
      value = node.type === "PLAIN" && !node.tag ? plainScalar(text) : text;
    } else if (isSeq(node)) {
      value = node.items.map((item) => valueOf(item, depth + 1));
    } else if (isMap(node)) {
      const fields: Fields = Object.create(null);
      for (const pair of node.items) {
        const key = keyOf(pair.key, source);
        if (key in fields) throw unreadable(`the key ${key.slice(0, 50)} stands there twice`);
        fields[key] = valueOf(pair.value, depth + 1);
      }
      value = fields;
    }
    if ((isScalar(node) || isSeq(node) || isMap(node)) && node.anchor) {
      anchors.set(node.anchor, { value, size: size - before });
    }
    return value;
  }

  const value = valueOf(document.contents, 0);
  if (value === null) return Object.create(null);
  if (typeof value !== "object" || Array.isArray(value))
    throw unreadable("it is not a list of `name: value`");
  return value;
}

/**
 * A key is the text that was typed: `1`, `null` and `__proto__` are names like any other. So is a list or map, for the
 * sake of templates: in `created: {{date}}` the value is a map with the key `{date}`.
 */
export function keyOf(node: unknown, source: string): string {
  if (isMap(node) || isSeq(node)) return source.slice(node.range![0], node.range![1]);
  if (!isScalar(node)) throw unreadable("a key is an alias");
  // Merging changes what other keys mean, and tools differ on it; a quoted "<<" is a name.
  if (node.value === "<<" && node.type === "PLAIN") throw unreadable("it has a merge key (<<)");
  return String(node.value ?? "");
}

export function plainScalar(text: string): Value {
  switch (text) {
    case "":
    case "~":
    case "null":
    case "Null":
    case "NULL":
      return null;
    case "true":
    case "True":
    case "TRUE":
      return true;
    case "false":
    case "False":
    case "FALSE":
      return false;
  }
  // `1.10`, `0123` and `1e3` would come back as something else than was typed.
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}

function unreadable(reason: string): NoteError {
  return new NoteError("fields_unreadable", reason);
}

function lineOf(source: string, offset: number): number {
  let line = 1;
  for (let at = source.indexOf("\n"); at !== -1 && at < offset; at = source.indexOf("\n", at + 1)) line++;
  return line;
}
