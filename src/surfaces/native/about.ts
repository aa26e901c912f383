/** What is known about a note beyond its text: fields, tags, times, links both ways, the rule that binds it. */

import { escaped, label } from "../../markdown/label.ts";
import type { Link } from "../../notebook/link-graph.ts";
import type { Note } from "../../notebook/note.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { sayIssue } from "../../notebook/rules.ts";
import { coverageOf } from "../fitting.ts";
import { plural, coverageData, withoutEmpty, truncated, time } from "./say.ts";

const LINKS_SHOWN = 20;
const FIELDS_ROOM = 4000;

/** Only what the text says is known of a note as it was in the past. */
export async function aboutNote(
  notebook: Notebook,
  note: Note,
  past: boolean,
): Promise<{ text: string; data: object }> {
  const tags = [...new Set([...note.tags.fields, ...note.tags.inline])];
  const fields = JSON.stringify(note.fields);
  const now = past ? null : await presentState(notebook, note);
  const data = {
    title: note.title,
    ...withoutEmpty({
      tags,
      aliases: note.aliases,
      fields: fields.length <= FIELDS_ROOM ? note.fields : null,
      trouble: note.front.trouble ?? (note.text === null ? "not UTF-8 text" : null),
    }),
    bytes: note.bytes.length,
    ...now,
  };
  const lines = [
    `title: ${label(note.title)}`,
    `tags: ${labels(tags) || "none"}`,
    ...(note.aliases.length === 0 ? [] : [`aliases: ${labels(note.aliases)}`]),
    `fields: ${label(fields, FIELDS_ROOM)}`,
    ...(!data.trouble ? [] : [`trouble: ${label(data.trouble)}`]),
    ...(now === null
      ? []
      : [
          `created ${now.created}, modified ${now.modified}, ${plural(note.bytes.length, "byte")}`,
          linkLine("linked from", now.links_in),
          linkLine("links to", now.links_out),
          ...(now.indexed === undefined ? [] : [`links are not all known yet: ${now.indexed}`]),
          ...(!now.unread
            ? []
            : [`links are not all known: ${plural(now.unread, "note")} could not be read when last tried`]),
          ...(now.broken_links ? [`broken links: ${labels(now.broken_links)}`] : []),
          ...(now.rule
            ? [`rule of "${escaped(now.rule.folder)}": ${escaped(now.rule.issues.join("; ")) || "kept"}`]
            : []),
        ]),
  ];
  return { text: lines.join("\n"), data };
}

async function presentState(notebook: Notebook, note: Note) {
  const [incoming, outgoing] = [
    await notebook.links({ to: note.path }),
    await notebook.links({ from: note.path }),
  ];
  const verdict = await notebook.check(note.path);
  const { indexed, unread } = coverageData(coverageOf(notebook));
  const broken = outgoing.filter((link) => link.path === null).map((link) => link.target);
  return {
    ...withoutEmpty({ indexed, unread }),
    created: time(note.created ?? note.lastModified),
    modified: time(note.lastModified),
    links_in: firstLinks(incoming.map((link: Link) => link.source)),
    links_out: firstLinks(outgoing.flatMap((link: Link) => (link.path === null ? [] : [link.path]))),
    ...(broken.length === 0 ? {} : { broken_links: [...new Set(broken)].slice(0, LINKS_SHOWN) }),
    ...(verdict
      ? { rule: { folder: verdict.constraint.subfolder, issues: verdict.issues.map(sayIssue) } }
      : {}),
  };
}

/** Every name is cut by itself, and all together are cut as the fields are. */
const labels = (names: readonly string[]): string =>
  truncated(names.map((name) => label(name)).join(", "), FIELDS_ROOM);

export const firstLinks = (paths: string[]): { total: number; first: string[] } => {
  const distinct = [...new Set(paths)];
  return { total: distinct.length, first: distinct.slice(0, LINKS_SHOWN) };
};
export const linkLine = (word: string, { total, first }: { total: number; first: string[] }): string =>
  total === 0
    ? `${word} no note`
    : `${word} ${plural(total, "note")}: ${escaped(first.join(", "))}${total > first.length ? " …" : ""}`;
