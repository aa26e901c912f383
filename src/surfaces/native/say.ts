/** Small words of this surface: versions, revisions, times, lists and texts, each as short as it may be. */

import { escaped, label } from "../../markdown/label.ts";
import type { Revision } from "../../notebook/parts.ts";
import { saySoFar } from "../../notebook/waiting.ts";
import { partialRemark, type Coverage } from "../fitting.ts";

/** A revision is named by its first digits: a whole id would cost a reader four times as much. */
const REVISION_DIGITS = 8;

export const shortRevision = (id: string): string => id.slice(0, REVISION_DIGITS);

export const time = (date: Date): string => `${date.toISOString().slice(0, 16)}Z`;
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** The head of a list, with why it may lack something. A list that is empty while the notes are being indexed has no other head. */
export function listHead(head: string, total: number, found: Coverage): string {
  const remark = partialRemark(found);
  return total === 0 && found.soFar ? remark : [head, remark].filter((part) => part !== "").join(" ");
}

/** The coverage of a list as structured data. */
export const coverageData = ({ partial, soFar, unread }: Coverage) => ({
  partial,
  indexed: soFar ? saySoFar(soFar) : null,
  unread: unread ?? null,
});

/** The first of a list, and how many more there are. */
export function firstOf(items: readonly string[], most: number): string {
  const more = items.length - most;
  return items.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Cuts a text to a length, and never in the middle of a character. */
export function truncated(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** One line of a note's text, however it was broken. */
export const oneLine = (text: string, most: number): string => label(text.replace(/\s+/g, " ").trim(), most);

/** An object without its empty parts: what is null, undefined, false or an empty list. */
export function withoutEmpty<T extends object>(parts: T): Partial<T> {
  const kept = Object.entries(parts).filter(
    ([, value]) =>
      value !== undefined && value !== null && value !== false && !(Array.isArray(value) && !value.length),
  );
  return Object.fromEntries(kept) as Partial<T>;
}

/** The message of a revision, unless it only says again which notes it changed. */
export function ownMessage({ message }: Revision): string | null {
  const [first = ""] = message.split("\n");
  return /^(?:(?:Create|Update|Move|Delete)\b|\w+ in another program: )/.test(first)
    ? null
    : oneLine(first, 100);
}

/** The note, and what became of it where that was more than an edit. */
const changeOf = ({ path, from, version, before }: Revision["changes"][number]): string => {
  if (from !== undefined) return `${escaped(from)} → ${escaped(path)}`;
  return `${escaped(path)}${version === null ? " (deleted)" : before === null ? " (created)" : ""}`;
};

export function revisionLine(revision: Revision, paths: number): string {
  const named = revision.changes.slice(0, paths).map(changeOf);
  const more = Math.max(0, revision.touched - named.length);
  const { author, tool, acceptedBy } = revision;
  const how = [author, tool, acceptedBy && `accepted by ${acceptedBy}`].flatMap((it) =>
    it ? [label(it)] : [],
  );
  const what = [ownMessage(revision), named.join("; ") + (more > 0 ? ` and ${more} more` : "")];
  return `${shortRevision(revision.id)} ${time(revision.date)} (${how.join(", ")}) ${what.filter(Boolean).join(": ")}`;
}
