/** Log lines for the client (`notifications/message`), which travel with the answer to a request. The library knows the level: of the session in the older era, of the request in the newer. */

import { LOG_LEVEL_META_KEY, type LoggingLevel, type ServerContext } from "@modelcontextprotocol/server";
import type { NoteError } from "../markdown/errors.ts";
import type { Session } from "./session.ts";
import type { Troubles } from "./troubles.ts";

const LOGGER = "notewright";
/** The levels that let warnings through. */
const WARNED = new Set<unknown>(["debug", "info", "notice", "warning"]);

/** Refusals that a person must see to, because no other call of the model would help. */
const FOR_PEOPLE: Partial<Record<NoteError["code"], string>> = {
  constraint_malformed:
    "A rule file of a knowledge base cannot be used as it is, and its folder takes no changes until it is repaired; notewright check names it.",
  disk_full: "The disk is full, so nothing can be saved until there is room.",
  disk_refused:
    "The system does not let a note be saved; its permissions, or those of its folder, are the cause.",
  disk_failed: "The disk failed, so a note could not be read or saved.",
};

/** The line about a refusal; null where the answer to the call says all. Rules that a caller has just worded wrongly have no file. */
export const lineAbout = ({ code, details }: NoteError): string | null =>
  code === "constraint_malformed" && details["file"] === undefined ? null : (FOR_PEOPLE[code] ?? null);

/** Sends one line, where the client wants lines of that level. A client that has gone is sent nothing. */
export const logToClient = async (
  { mcpReq }: ServerContext,
  level: LoggingLevel,
  line: string,
): Promise<void> => {
  await mcpReq.log(level, line, LOGGER).catch(() => undefined);
};

/** Whether the client takes warnings with this answer: in the newer era each request says so. */
const takesWarnings = ({ mcpReq }: ServerContext): boolean => {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  return envelope === undefined || WARNED.has(envelope[LOG_LEVEL_META_KEY]);
};

/** Sends what troubles the vault, each trouble once in a session. */
export const logTroubles = async (
  context: ServerContext,
  troubles: Troubles,
  { sentTroubles }: Pick<Session, "sentTroubles">,
): Promise<void> => {
  if (!takesWarnings(context)) return;
  for (const { what, at } of troubles.list()) {
    if (sentTroubles.has(what)) continue;
    sentTroubles.add(what);
    await logToClient(context, "warning", `${what} (${at.toISOString()})`);
  }
};
