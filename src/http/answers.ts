/** Answers that are no answers of the protocol: refusals in one sentence, as JSON. */

export const refusal = (
  status: number,
  sentence: string,
  headers: Record<string, string> = {},
  error = "refused",
): Response =>
  Response.json(
    { error, error_description: sentence },
    { status, headers: { "cache-control": "no-store", ...headers } },
  );

export const notFound = (): Response => refusal(404, "There is nothing at this address.", {}, "not_found");

export const notAllowed = (allowed: string): Response =>
  refusal(405, `This address takes ${allowed}.`, { allow: allowed }, "method_not_allowed");
