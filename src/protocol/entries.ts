/** The tools of a surface as a server holds them: what their arguments are checked against, and what clients are shown of them. */

import type { Tool as WireTool } from "@modelcontextprotocol/server";
import type { Surface, Tool } from "../surfaces/surface.ts";
import { jsonSchema, strictInput, type Schema } from "./arguments.ts";

export type Entry = {
  tool: Tool;
  input: Tool["input"];
  schema: Schema;
  wire: WireTool;
  coerces: boolean;
};

/** `read_note` → `Read note`, `AddNote` → `Add note`. */
const titleOf = (tool: Tool): string => {
  if (tool.annotations.title) return tool.annotations.title;
  const words = tool.name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The hints that clients are shown: the title stands beside them, and a tool that only reads needs no word on whether it may be repeated. */
const hintsOf = ({ annotations }: Tool): WireTool["annotations"] => {
  const { title: _, idempotentHint, ...hints } = annotations;
  return hints.readOnlyHint || !idempotentHint ? hints : { ...hints, idempotentHint };
};

// Schemas are made when they are first asked for: a client that calls before it lists does not wait for those of all tools.
const entryOf = (tool: Tool, coerces: boolean): Entry => {
  const known: Partial<Omit<Entry, "tool">> = {};
  return {
    tool,
    coerces,
    get input() {
      return (known.input ??= strictInput(tool, tool.input));
    },
    get schema() {
      return (known.schema ??= jsonSchema(strictInput(tool, tool.advertised ?? tool.input)));
    },
    get wire() {
      return (known.wire ??= wireOf(tool, this.schema));
    },
  };
};

const wireOf = (tool: Tool, schema: Schema): WireTool => ({
  name: tool.name,
  title: titleOf(tool),
  description: tool.description,
  inputSchema: schema as WireTool["inputSchema"],
  annotations: hintsOf(tool),
  ...(tool.output ? { outputSchema: jsonSchema(tool.output) as WireTool["outputSchema"] } : {}),
});

// Schemas are made once for a surface, not for each connection.
const made = new WeakMap<Surface, Entry[]>();
export const entriesOf = (surface: Surface): Entry[] => {
  let entries = made.get(surface);
  if (!entries)
    made.set(surface, (entries = surface.tools.map((tool) => entryOf(tool, surface.coerces === true))));
  return entries;
};
