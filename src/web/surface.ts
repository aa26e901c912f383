/** The page's calls as a surface: a table of tools like any other, never offered over MCP. */

import type { NoteError } from "../markdown/errors.ts";
import type { Surface, Tool } from "../surfaces/surface.ts";
import type { Refusal } from "./wire.ts";

/** Details that the page makes use of; whatever else an error holds stays here. */
const SHOWN = ["path", "issues", "candidates", "similar", "movedTo"] as const;

const explain = ({ code, message, details }: NoteError): Refusal => {
  const shown = SHOWN.flatMap((name) =>
    details[name] === undefined ? [] : [[name, details[name]] as const],
  );
  return { code, message, ...(shown.length === 0 ? {} : { details: Object.fromEntries(shown) }) };
};

export const pageSurface = (tools: Tool[]): Surface => ({ name: "page", instructions: "", tools, explain });
