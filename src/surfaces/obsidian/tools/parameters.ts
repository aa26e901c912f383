/** Parameters of the obsidian surface that several tools share, or that carry more than a plain value: JSON in a string, search modes. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import { setFields } from "../../../markdown/field-edits.ts";
import type { Fields, Value } from "../../../markdown/frontmatter.ts";
import type { Filter } from "../../../notebook/filter.ts";

export const name = z.string().describe("Note name, or folder/name");
export const section = z.string().describe("Heading text, or ## Heading for that level");
export const dry_run = z.boolean().default(false).describe("Only show what would change");

/** The frontmatter block for fields given as a JSON object; "" where there are none. */
export function fieldsGiven(json: string): string {
  if (json.trim() === "") return "";
  const fields = parsed(json);
  if (typeof fields !== "object" || fields === null || Array.isArray(fields))
    throw new NoteError("input_refused", "Invalid frontmatter JSON: it must be an object of fields");
  return setFields(fields as Fields)("");
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new NoteError(
      "input_refused",
      `Invalid frontmatter JSON: ${(error as Error).message.replace(/ \(line .*\)$/, "")}`,
    );
  }
}

/** The value that a text stands for: JSON where it is a list, an object, true, false or null; else the text itself. */
export function fieldValue(written: string): Value {
  try {
    const value = JSON.parse(written) as Value;
    return typeof value === "object" || typeof value === "boolean" ? value : written;
  } catch {
    return written;
  }
}

/** The Filter of a search. An empty query is part of every name and text. */
export function searchFilter(query: string, mode: string, tagLogic: string): Filter {
  switch (mode) {
    case "name":
      return { name: query };
    case "name_partial":
      return query === "" ? { all: [] } : { name: query, part: true };
    case "content":
      return query === "" ? { all: [] } : { holds: query, in: "body" };
    case "tag":
      return tagFilter(query, tagLogic);
    default:
      throw new NoteError(
        "input_refused",
        `Invalid search mode: ${mode}. Valid: name, name_partial, content, tag`,
      );
  }
}

function tagFilter(query: string, logic: string): Filter {
  const tags = query
    .split(",")
    .map((tag) => tag.trim().replace(/^#/, ""))
    .filter((tag) => tag !== "")
    .map((tag): Filter => ({ tag, under: true, from: "all" }));
  if (logic === "or") return { any: tags };
  if (logic === "and") return { all: tags };
  throw new NoteError("input_refused", `Invalid tag_logic: ${logic}. Valid: and, or`);
}
