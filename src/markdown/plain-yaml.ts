/** The YAML most notes have, read without a YAML parser: `name: value`, and lists of such values. Gives null on anything else. */

import type { Fields, Value } from "./frontmatter.ts";
import { LARGEST_BLOCK, plainScalar } from "./yaml-read.ts";

// Ten times as fast as the parser, and held equal to it by a test on generated blocks. In doubt it gives up:
// the patterns are narrower than YAML, and leave every character with a meaning of its own to the parser.
const UNUSUAL = /[^\P{Cc}\r\n]|[\u2028\u2029\uFEFF\uFFFE\uFFFF]|\r(?!\n)/u;
const ENTRY = /^([\p{L}_](?:[\p{L}\p{N}_./ -]*[\p{L}\p{N}_./-])?):(?: +(.*))?$/u;
const ITEM = /^( *)- +(.+)$/;
const QUOTED = /^(?:"([^"\\]*)"|'([^']*)')$/;
const PLAIN = /^(?:[\p{L}\p{N}_./(+$~]|-[\p{L}\p{N}])/u;
const NOT_PLAIN = /: | #|:$/;
const PLAIN_IN_LIST = /^[\p{L}\p{N}_./(+$][^,[\]{}:#"'&*!|>%@`]*$/u;

export function readPlainYaml(source: string): Fields | null {
  if (source.length > LARGEST_BLOCK || UNUSUAL.test(source)) return null;
  const fields: Fields = Object.create(null);
  let list: { key: string; indent: number; items: Value[] } | null = null;
  for (const ended of source.split("\n")) {
    const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
    if (line === "" || line.startsWith("#")) continue;
    const entry = ENTRY.exec(line);
    if (entry) {
      const [, key, rest] = entry as unknown as [string, string, string | undefined];
      const value = rest ? valueOf(trimEnd(rest)) : null;
      if (value === undefined || key in fields) return null;
      fields[key] = value;
      list = rest ? null : { key, indent: -1, items: [] };
      continue;
    }
    const item = ITEM.exec(line);
    if (!item || !list) return null;
    const [, indent, text] = item as unknown as [string, string, string];
    if (list.indent === -1) list.indent = indent.length;
    const value = scalarOf(trimEnd(text));
    if (value === undefined || indent.length !== list.indent) return null;
    list.items.push(value);
    fields[list.key] = list.items;
  }
  return fields;
}

function valueOf(text: string): Value | undefined {
  if (!text.startsWith("[")) return scalarOf(text);
  if (!text.endsWith("]")) return undefined;
  const inner = trimEnd(text.slice(1, -1)).replace(/^ +/, "");
  const items: Value[] = [];
  if (inner === "") return items;
  for (const part of inner.split(",")) {
    const item = trimEnd(part.replace(/^ +/, ""));
    const quoted = QUOTED.exec(item);
    if (!quoted && !PLAIN_IN_LIST.test(item)) return undefined;
    items.push(quoted ? (quoted[1] ?? quoted[2] ?? "") : plainScalar(item));
  }
  return items;
}

function scalarOf(text: string): Value | undefined {
  const quoted = QUOTED.exec(text);
  if (quoted) return quoted[1] ?? quoted[2] ?? "";
  return PLAIN.test(text) && !NOT_PLAIN.test(text) ? plainScalar(text) : undefined;
}

// Spaces only: to YAML, a no-break space at the end is part of the text.
function trimEnd(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 32) end--;
  return text.slice(0, end);
}
