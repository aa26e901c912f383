/** Answers on the wire: a tool's value, a refusal or a defect as an MCP tool result. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import { NoteError } from "../markdown/errors.ts";
import { NOTE_LIMIT } from "../notebook/parts.ts";
import type { Answer, Tool } from "../surfaces/surface.ts";

export const ANSWER_LIMIT = 1024 * 1024;

const text = (words: string): { type: "text"; text: string } => ({ type: "text", text: words });

const isRemarked = (answer: Answer): answer is { text: string; remark: string } =>
  typeof answer === "object" &&
  Object.keys(answer).length === 2 &&
  "remark" in answer &&
  typeof answer.remark === "string" &&
  "text" in answer &&
  typeof answer.text === "string";

/** Text as it is; an object as structured content and JSON text; a list as JSON text, for structured content must be an object. */
export const resultOf = (answer: Answer): CallToolResult => {
  if (typeof answer === "string") return { content: [text(answer)] };
  if (isRemarked(answer)) return { content: [text(answer.text), text(answer.remark)] };
  const json = JSON.stringify(answer);
  if (Array.isArray(answer)) return { content: [text(json)] };
  return { content: [text(json)], structuredContent: answer as Record<string, unknown> };
};

export const refusalOf = (worded: string | object): CallToolResult => ({
  ...resultOf(worded),
  isError: true,
});

export const defectResult = (tool: string): CallToolResult =>
  refusalOf(
    `Internal error in ${tool}. What was asked may or may not have been done: look before trying again. The server's log says more.`,
  );

const firstText = (result: CallToolResult): string | undefined =>
  result.content[0]?.type === "text" ? result.content[0].text : undefined;

/** The opening block goes below the first text, between rules (obsidian, invariant 20). */
export const withOpening = (result: CallToolResult, block: string): CallToolResult => {
  const first = firstText(result);
  if (first === undefined) return result;
  return { ...result, content: [text(`${first}\n\n---\n${block}\n---`), ...result.content.slice(1)] };
};

/** The last resort against a flood: surfaces cut their lists themselves. Measured in UTF-8 only where the length leaves it open. */
export const checkSize = (tool: Tool, result: CallToolResult): void => {
  // JSON writes a line's end as two characters, so a whole note may take twice its size.
  const limit = tool.wholeNote ? 2 * NOTE_LIMIT : ANSWER_LIMIT;
  let size = 0;
  for (const block of result.content) {
    if (block.type !== "text") continue;
    size += block.text.length * 3 <= limit ? block.text.length : new TextEncoder().encode(block.text).length;
  }
  if (size <= limit) return;
  throw new NoteError(
    "too_large",
    `The answer of ${tool.name} would be ${Math.ceil(size / 1024)} KiB, more than the ${limit / 1024} KiB an answer may have. Ask for less: a section, a narrower search, a smaller page.`,
    { tool: tool.name, size, limit },
  );
};
