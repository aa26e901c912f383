/** Prompts of a surface on the wire: listed, and filled in. */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { GetPromptResult, ListPromptsResult } from "@modelcontextprotocol/server";
import type { Prompt } from "../surfaces/surface.ts";
import { closestWord } from "../markdown/closest-word.ts";

export const listPrompts = (prompts: readonly Prompt[]): ListPromptsResult => ({
  prompts: prompts.map(({ name, title, description, arguments: wanted }) => ({
    name,
    title,
    description,
    arguments: wanted.map(({ name: argument, description: about, required }) => ({
      name: argument,
      description: about,
      required: required ?? false,
    })),
  })),
});

const refused = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

export const getPrompt = (
  prompts: readonly Prompt[],
  name: string,
  given: Record<string, string> = {},
): GetPromptResult => {
  const names = prompts.map((one) => one.name);
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt) {
    const closest = closestWord(name, names);
    const hint = closest ? ` Did you mean "${closest}"?` : "";
    throw refused(`There is no prompt "${name.slice(0, 100)}".${hint} The prompts are: ${names.join(", ")}.`);
  }
  for (const { name: argument, required } of prompt.arguments)
    if (required && !given[argument]?.trim()) throw refused(`The prompt ${name} needs "${argument}".`);
  const known = Object.fromEntries(
    prompt.arguments.map((one) => [one.name, given[one.name]?.trim() || undefined]),
  );
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text: prompt.text(known) } }],
  };
};
