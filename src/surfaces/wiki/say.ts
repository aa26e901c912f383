/** How this surface words what it gives: Markdown for people and models, as its spec shows it. */

import { unifiedDiff } from "../../markdown/diff.ts";
import { unsetField } from "../../markdown/field-edits.ts";
import { escaped, label } from "../../markdown/label.ts";
import type { Backlinker, Changeset } from "../../notebook/change.ts";
import type { Found, FoundNote, Snippet } from "../../notebook/filter.ts";
import type { Link } from "../../notebook/link-graph.ts";
import { bodyOf, textOf, type Note } from "../../notebook/note.ts";
import type { Count, Revision } from "../../notebook/parts.ts";
import type { NotePath } from "../../notebook/paths.ts";
import { sayIssue, type Issue } from "../../notebook/rules.ts";
import { toWiki } from "./address.ts";

export const SHORT = 7;
export const time = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;
export const shortId = (id: string): string => id.slice(0, SHORT);

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
const tagLine = (tags: readonly string[]): string =>
  tags.length === 0 ? "none" : tags.map((tag) => label(tag)).join(", ");

export function note(it: Note, times: { created: Date; updated: Date }, version?: string): string {
  return [
    `# ${label(it.title)}${version === undefined ? "" : ` (version ${version})`}`,
    "",
    `**Path:** ${escaped(toWiki(it.path))}`,
    `**Tags:** ${tagLine(it.tags.fields)}`,
    ...(version === undefined ? [] : [`**Version:** ${version}`]),
    `**Created:** ${time(times.created)}`,
    `**Updated:** ${time(times.updated)}`,
    "",
    "---",
    "",
    bodyOf(it),
  ].join("\n");
}

const backlinker = ({ path, links }: { path: NotePath; links: number }): string =>
  `- ${escaped(toWiki(path))} (${plural(links, "link")})`;

export function moved(from: string, to: string, backlinkers: readonly Backlinker[]): string {
  const head = `Moved note from ${escaped(from)} to ${escaped(to)}`;
  if (backlinkers.length === 0) return head;
  const list = backlinkers.map(backlinker).join("\n");
  const notes = plural(backlinkers.length, "note");
  if (backlinkers[0]!.rewritten) return `${head}\n\nUpdated links in ${notes}:\n${list}`;
  const have = backlinkers.length === 1 ? "has" : "have";
  return `${head}\n\nWarning: ${notes} ${have} links that now point to the old path:\n${list}\n\nUse update_backlinks: true to automatically update these links.`;
}

export function deleted(path: string, backlinkers: readonly Backlinker[]): string {
  const head = `Deleted note at ${escaped(path)}`;
  if (backlinkers.length === 0) return head;
  const have = backlinkers.length === 1 ? "has" : "have";
  return [
    head,
    "",
    `Warning: ${plural(backlinkers.length, "note")} ${have} links that are now broken:`,
    ...backlinkers.map(backlinker),
    "",
    "These links were not modified. Update or remove them manually if desired.",
  ].join("\n");
}

export function snippet(it: Snippet): string {
  let text = "";
  let at = 0;
  for (const [start, end] of it.marks) {
    text += `${escaped(it.text.slice(at, start))}**${escaped(it.text.slice(start, end))}**`;
    at = end;
  }
  return `${it.cutBefore ? "..." : ""}${text}${escaped(it.text.slice(at))}${it.cutAfter ? "..." : ""}`;
}

const heading = (it: FoundNote): string => `- **${label(it.title)}** (${escaped(toWiki(it.path))})`;

export function hit(it: FoundNote): string {
  const shown = it.snippet && it.snippet.text !== "" ? [`  ${snippet(it.snippet)}`] : [];
  return [
    heading(it),
    ...(it.tags.fields.length === 0 ? [] : [`  Tags: ${tagLine(it.tags.fields)}`]),
    ...shown,
  ].join("\n");
}

export function searched(query: string, found: Found): string {
  if (found.total === 0) return `No notes found matching "${label(query)}"`;
  if (found.notes.length === 0) return `Found ${plural(found.total, "note")}.\n\nNo more results.`;
  const range = `showing ${found.offset + 1}-${found.offset + found.notes.length}`;
  const last = found.cursor === null ? "No more results." : `Next page cursor: ${found.cursor}`;
  return [`Found ${plural(found.total, "note")} (${range}):`, ...found.notes.map(hit), last].join("\n\n");
}

const listLine = (it: FoundNote): string => `${heading(it)} - Updated ${time(it.modified).slice(0, 10)}`;

export function browsed(
  folder: string,
  at: FoundNote | undefined,
  folders: readonly Count[],
  notes: readonly FoundNote[],
): string {
  const parts = [`Browsing: ${escaped(folder)}/`];
  if (at) parts.push(`Note at this path:\n${listLine(at)}`);
  if (folders.length > 0) {
    const named = folders.map(({ name, count }) => ({ name: escaped(name), count }));
    const width = named.reduce((most, { name }) => Math.max(most, name.length), 0) + 1;
    parts.push(
      [
        "Folders:",
        ...named.map(({ name, count }) => `- ${`${name}/`.padEnd(width)}    (${plural(count, "note")})`),
      ].join("\n"),
    );
  }
  if (notes.length > 0) parts.push(["Notes at this level:", ...notes.map(listLine)].join("\n"));
  if (parts.length === 1) parts.push("No folders or notes at this path.");
  return parts.join("\n\n");
}

export const tags = (counts: readonly Count[]): string =>
  counts.length === 0
    ? "No tags in use yet."
    : [
        "Tags in use:",
        "",
        ...counts.map(({ name, count }) => `- ${label(name)} (${plural(count, "note")})`),
      ].join("\n");

export function backlinks(path: string, exists: boolean, links: readonly Link[]): string {
  const sources = new Map<NotePath, Link[]>();
  for (const link of links) sources.set(link.source, [...(sources.get(link.source) ?? []), link]);
  const groups = [...sources].toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (!exists) {
    const head = `Note ${escaped(path)} does not exist.`;
    if (groups.length === 0) return `${head}\n\nNo notes link to this path.`;
    const have = groups.length === 1 ? "note has" : "notes have";
    const list = groups.map(([source, of]) => backlinker({ path: source, links: of.length }));
    return [head, "", `However, ${groups.length} ${have} links to this path:`, ...list].join("\n");
  }
  if (groups.length === 0) return `No notes link to ${escaped(path)}`;
  const blocks = groups.map(
    ([source, of]) =>
      `- **${label(of[0]!.sourceTitle)}** (${escaped(toWiki(source))})\n  ${plural(of.length, "link")} - ${linesOf(of)}`,
  );
  return [`Backlinks to ${escaped(path)}:`, ...blocks].join("\n\n");
}

function linesOf(links: readonly Link[]): string {
  const lines = links.filter((link) => link.bodyLine > 0).map((link) => link.bodyLine);
  const inFields = lines.length < links.length ? ["frontmatter"] : [];
  const numbers = lines.toSorted((a, b) => a - b).join(", ");
  return [...(numbers === "" ? [] : [`line${lines.length === 1 ? "" : "s"} ${numbers}`]), ...inFields].join(
    ", ",
  );
}

export function recent(found: readonly FoundNote[], since: string | undefined): string {
  if (found.length === 0) return since === undefined ? "No notes yet." : `No notes updated since ${since}`;
  const head = since === undefined ? "Recent notes:" : `Notes updated since ${since}:`;
  const blocks = found.map((it) => {
    const shown =
      since === undefined && it.tags.fields.length > 0 ? `\n  Tags: ${tagLine(it.tags.fields)}` : "";
    return `${heading(it)}\n  Updated: ${time(it.modified)}${shown}`;
  });
  return [head, ...blocks].join("\n\n");
}

export const history = (path: string, revisions: readonly Revision[]): string =>
  revisions.length === 0
    ? `No version history available for ${escaped(path)}`
    : [
        `Version history for ${escaped(path)}:`,
        ...revisions.map(
          (it) => `- ${shortId(it.id)} (${time(it.date)}) by ${label(it.author)}\n  ${label(it.message)}`,
        ),
      ].join("\n\n");

/** Restoring goes ahead, whatever the rules of the folder say; the answer names what it breaks of them. */
export function restored(path: string, id: string, broken: Changeset["broken"]): string {
  const head = `Restored note '${escaped(path)}' to version ${shortId(id)}`;
  if (!broken[0]) return head;
  const { constraint, issues } = broken[0].verdict;
  return [
    head,
    "",
    `Warning: this version does not satisfy the rules of ${escaped(constraint.subfolder)}:`,
    ...issueLines(issues),
  ].join("\n");
}

export const issueLines = (issues: readonly Issue[]): string[] =>
  issues.map((issue) => `- ${escaped(sayIssue(issue))}`);

/** The time of a change is none of the content: the line `updated:` is left out. */
const contentOf = (note: Note): string =>
  note.fields["updated"] === undefined ? textOf(note) : unsetField("updated")(textOf(note));

export function diff(path: string, from: Note, to: Note, ids: [string, string]): string {
  const { text, added, removed } = unifiedDiff(contentOf(from), contentOf(to), {
    from: `a/${path}.md`,
    to: `b/${path}.md`,
  });
  const head = `Diff for ${escaped(path)} (${shortId(ids[0])} → ${shortId(ids[1])}):`;
  return text === ""
    ? `${head}\n\nNo differences.`
    : `${head}\n\n+${added} additions, -${removed} deletions\n\n${text}`;
}
