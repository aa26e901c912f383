/** Answers on the wire: a tool's value, a refusal or a defect as an MCP tool result. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import { base64 } from "../markdown/base64.ts";
import { NoteError } from "../markdown/errors.ts";
import type { Answer, Illustrated, Tool, Worded } from "../surfaces/surface.ts";

const ANSWER_LIMIT = 1024 * 1024;
/** The official clients end the session at a line of 10 MiB; this leaves room for what stands around an answer. */
const LINE_LIMIT = 10 * 1024 * 1024 - 64 * 1024;

const text = (words: string): { type: "text"; text: string } => ({ type: "text", text: words });

const isRemarked = (answer: Answer): answer is { text: string; remark: string } =>
  typeof answer === "object" &&
  Object.keys(answer).length === 2 &&
  "remark" in answer &&
  typeof answer.remark === "string" &&
  "text" in answer &&
  typeof answer.text === "string";

const isWorded = (answer: Answer): answer is Worded =>
  typeof answer === "object" &&
  Object.keys(answer).length === 2 &&
  "structured" in answer &&
  "text" in answer &&
  Array.isArray(answer.text);

const isIllustrated = (answer: Answer): answer is Illustrated =>
  typeof answer === "object" &&
  Object.keys(answer).length === 1 &&
  "blocks" in answer &&
  Array.isArray(answer.blocks);

type Block = CallToolResult["content"][number];

const blockOf = (it: Illustrated["blocks"][number]): Block =>
  typeof it === "string" ? text(it) : { type: "image", data: base64(it.bytes), mimeType: it.type };

/** Text as it is; an object as structured content and JSON text; a list as JSON text, for structured content must be an object. */
export const resultOf = (answer: Answer): CallToolResult => {
  if (typeof answer === "string") return { content: [text(answer)] };
  if (isRemarked(answer)) return { content: [text(answer.text), text(answer.remark)] };
  if (isIllustrated(answer)) return { content: answer.blocks.map(blockOf) };
  if (isWorded(answer))
    return {
      content: answer.text.map(text),
      structuredContent: answer.structured as Record<string, unknown>,
    };
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

/** What the engine has to say besides comes last. */
export const withRemarks = (result: CallToolResult, remarks: Iterable<string>): CallToolResult => {
  const more = Array.from(remarks, text);
  return more.length === 0 ? result : { ...result, content: [...result.content, ...more] };
};

/** The opening block goes below the first text, between rules (obsidian, invariant 20). */
export const withOpening = (result: CallToolResult, block: string): CallToolResult => {
  const first = firstText(result);
  if (first === undefined) return result;
  return { ...result, content: [text(`${first}\n\n---\n${block}\n---`), ...result.content.slice(1)] };
};

const bytesOf = (words: string): number => new TextEncoder().encode(words).length;

/** The letters of a text, or of an image as it is sent. */
const lengthOf = (block: Block): number =>
  block.type === "text" ? block.text.length : block.type === "image" ? block.data.length : 0;

/** The last resort against a flood, for surfaces cut their lists themselves; and no line so long that a client gives up the session. */
export const bounded = (tool: Tool, result: CallToolResult): CallToolResult => {
  const length = result.content.reduce((sum, block) => sum + lengthOf(block), 0);
  // A character is at most three bytes of UTF-8.
  if (length * 3 <= ANSWER_LIMIT) return result;
  const size = result.content.reduce(
    (sum, block) => sum + (block.type === "text" ? bytesOf(block.text) : lengthOf(block)),
    0,
  );
  if (size <= ANSWER_LIMIT) return result;
  if (!tool.wholeNote) throw tooLarge(tool, size, ANSWER_LIMIT);
  if (bytesOf(JSON.stringify(result)) <= LINE_LIMIT) return result;
  const { structuredContent: _, ...textOnly } = result;
  const line = bytesOf(JSON.stringify(textOnly));
  if (line > LINE_LIMIT) throw tooLarge(tool, line, LINE_LIMIT);
  return textOnly;
};

const tooLarge = (tool: Tool, size: number, limit: number): NoteError =>
  new NoteError(
    "too_large",
    `The answer of ${tool.name} would take ${Math.ceil(size / 1024)} KiB, more than the ${limit / 1024} KiB an answer may have. Ask for less: a section, a narrower search, a smaller page.`,
    { tool: tool.name, size, limit },
  );
