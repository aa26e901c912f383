/** The page's calls as a surface: a table of tools like any other, never offered over MCP. */

import type { NoteError } from "../markdown/errors.ts";
import type { Deleted } from "../notebook/load.ts";
import type { Surface, Tool } from "../surfaces/surface.ts";
import type { Deletion, Refusal } from "./wire.ts";

/** Details that the page makes use of; whatever else an error holds stays here. */
const SHOWN = ["path", "issues", "candidates", "similar", "movedTo"] as const;

const deletion = ({ by, had }: Deleted): Deletion => ({
  date: by.date.toISOString(),
  author: by.author,
  had: had?.id ?? null,
});

const explain = ({ code, message, details }: NoteError): Refusal => {
  const shown = SHOWN.flatMap((name) =>
    details[name] === undefined ? [] : [[name as string, details[name]] as const],
  );
  const deleted = details["deleted"] as Deleted | undefined;
  if (deleted) shown.push(["deleted", deletion(deleted)]);
  return { code, message, ...(shown.length === 0 ? {} : { details: Object.fromEntries(shown) }) };
};

export const pageSurface = (tools: Tool[]): Surface => ({ name: "page", instructions: "", tools, explain });
