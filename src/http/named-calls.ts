/** Calls by name, beside the protocol: JSON in, JSON out, through the one place that checks and answers calls of tools. */

import type { Calls } from "../protocol/calls.ts";
import { notFound, refusal } from "./answers.ts";

/** `client` is what the history calls the program. */
export const answerNamed = async (
  calls: Calls,
  { name, body, client, signal }: { name: string; body: unknown; client: string; signal: AbortSignal },
): Promise<Response> => {
  const entry = calls.called(name);
  if (!entry) return notFound();
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return refusal(400, "The body must be a JSON object.", {}, "input_refused");
  const caller = { client, signal, log: async () => undefined };
  const result = await calls.run(entry, body as Record<string, unknown>, caller);
  const [first] = result.content;
  const text = first?.type === "text" ? first.text : "{}";
  if (!result.isError) return json(text, 200);
  return result.structuredContent
    ? json(text, 422)
    : json(JSON.stringify({ code: "defect", message: text }), 500);
};

export const json = (text: string, status: number): Response =>
  new Response(text, {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
