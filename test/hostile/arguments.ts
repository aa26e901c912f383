/** Arguments for any tool of any surface, made from its schema: the names of its parameters say what they mean. */

import { shortHash } from "../../src/notebook/note.ts";
import type { NotePath } from "../../src/notebook/paths.ts";
import type { WireTool } from "./session.ts";
import { NINETY_WORDS } from "./texts.ts";

type Property = { type?: string; enum?: unknown[]; items?: Property; anyOf?: Property[]; minimum?: number };

/** What people, models and attackers type into a search. */
export const QUERIES = [
  "zanzibar",
  'NEAR("a" "b")',
  '"',
  "*",
  "a* OR b*",
  "^title",
  "{title body}: x",
  "col:x",
  "'; DROP TABLE notes; --",
  "(((((((((((",
  "-",
  "NOT",
  "tag:",
  "folder:../..",
  "x".repeat(1900),
  "a ".repeat(90),
  NINETY_WORDS,
  "\u0000\u202e\u{e0041}",
  "漢字",
  "*a*a*a*a*a*a*a*a*a*a*b",
  "(a+)+$",
];

const bare = (path: string): string => path.replace(/\.md$/, "");

const MEANINGS: [RegExp, (path: string, query: string) => unknown][] = [
  [/^note_path$|^origin_note_path$/, (path) => path],
  [/^paths$|^notes$/, (path) => [bare(path)]],
  [/path$|^name$|^old_name$|^note$|^from$|^to$/, (path) => bare(path)],
  [/^(knowledge_base_name|kb_name|base)$/, () => "texts"],
  [/^id$/, (path) => shortHash(path as NotePath)],
  [/^query$|^text$|^find$/, (_, query) => query],
  [/^(section|heading)$/, () => "h"],
  [/version|revision/, () => "0000000"],
  [/^date$/, () => "2026-01-01"],
  [/^(subfolder|folder|path_prefix)$/, () => "texts"],
];

const fallback = (property: Property, path: string): unknown => {
  const kind = property.anyOf?.[0] ?? property;
  if (kind.enum) return kind.enum[0];
  if (kind.type === "boolean") return false;
  if (kind.type === "integer" || kind.type === "number") return kind.minimum ?? 1;
  if (kind.type === "array") return [fallback(kind.items ?? {}, path)];
  return kind.type === "object" ? {} : bare(path);
};

export const argumentsFor = (tool: WireTool, path: string, query: string): object =>
  Object.fromEntries(
    (tool.inputSchema.required ?? []).map((name) => {
      const property = (tool.inputSchema.properties?.[name] ?? {}) as Property;
      const meaning = property.enum ? undefined : MEANINGS.find(([names]) => names.test(name))?.[1];
      return [name, meaning?.(path, query) ?? fallback(property, path)];
    }),
  );

/** The same with each value that a parameter of few values may have. */
export const variantsOf = (tool: WireTool, path: string, query: string): object[] => {
  const plain = argumentsFor(tool, path, query);
  const choices = Object.entries(tool.inputSchema.properties ?? {}).flatMap(([name, property]) =>
    ((property as Property).enum ?? []).map((value) => ({ ...plain, [name]: value })),
  );
  return [plain, ...choices];
};

/** Whether what it is asked depends on the note, on the query, or on neither. */
export const asksFor = (tool: WireTool): "note" | "query" | "nothing" => {
  const required = tool.inputSchema.required ?? [];
  if (required.some((name) => /path|^name|^id$|^notes?$/.test(name) && !/knowledge/.test(name)))
    return "note";
  return required.some((name) => /query/.test(name)) ? "query" : "nothing";
};
