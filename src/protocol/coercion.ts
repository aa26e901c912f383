/** What models send for what they mean: one text for a list of one, "5" for 5, JSON in a text. Only arguments themselves are read so, never what is inside them: a text in a field or in a note stays as it was sent. */

import { tooNested } from "../markdown/nesting.ts";
import type { Property, Schema } from "./arguments.ts";

/** The arguments with those of another type read as what the schema asks for, where that is plain. */
export function coerced(schema: Schema, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const property =
        schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      return [name, property ? asMeant(property, value) : value];
    }),
  );
}

function asMeant({ type, items }: Property, value: unknown): unknown {
  switch (type) {
    case "array":
      return listMeant(items?.type, value);
    case "integer":
    case "number":
      return typeof value === "string" && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
    case "object": {
      const read = typeof value === "string" ? jsonIn(value) : value;
      return isObject(read) ? read : value;
    }
    default:
      return value;
  }
}

function listMeant(item: string | undefined, value: unknown): unknown {
  if (typeof value !== "string") return item === "object" && isObject(value) ? [value] : value;
  const read = jsonIn(value);
  if (Array.isArray(read)) return read;
  // `[[Name]]` is a list in a list to JSON only where the name is a number; a text that is no list is one item of it.
  if (item === "string") return [value];
  return isObject(read) ? [read] : value;
}

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Undefined where the text is no list or object in JSON. */
function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || /^\s*\[\[/.test(text) || tooNested(text) !== null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
