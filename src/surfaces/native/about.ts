/** What is known about a note besides its text: fields, tags, times, links both ways, the rule that binds it. */

import { escaped, label } from "../../markdown/label.ts";
import type { Link } from "../../notebook/link-graph.ts";
import type { Note } from "../../notebook/note.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { sayIssue } from "../../notebook/rules.ts";
import { partly } from "../fitting.ts";
import { counted, partlySaid, said, shortened, time } from "./say.ts";

const LINKS_SHOWN = 20;
const FIELDS_ROOM = 4000;

/** Of a note as it was only what its text says is known. */
export async function aboutNote(
  notebook: Notebook,
  note: Note,
  past: boolean,
): Promise<{ text: string; data: object }> {
  const tags = [...new Set([...note.tags.fields, ...note.tags.inline])];
  const fields = JSON.stringify(note.fields);
  const now = past ? null : await presentOf(notebook, note);
  const data = {
    title: note.title,
    ...said({
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
          `created ${now.created}, modified ${now.modified}, ${counted(note.bytes.length, "byte")}`,
          linkLine("linked from", now.links_in),
          linkLine("links to", now.links_out),
          ...(now.indexed === undefined ? [] : [`links are not all known yet: ${now.indexed}`]),
          ...(now.broken_links ? [`broken links: ${labels(now.broken_links)}`] : []),
          ...(now.rule
            ? [`rule of "${escaped(now.rule.folder)}": ${escaped(now.rule.issues.join("; ")) || "kept"}`]
            : []),
        ]),
  ];
  return { text: lines.join("\n"), data };
}

async function presentOf(notebook: Notebook, note: Note) {
  const [incoming, outgoing] = [
    await notebook.links({ to: note.path }),
    await notebook.links({ from: note.path }),
  ];
  const verdict = await notebook.check(note.path);
  const broken = outgoing.filter((link) => link.path === null).map((link) => link.target);
  return {
    ...said({ indexed: partlySaid(partly(notebook.soFar())).indexed }),
    created: time(note.created ?? note.lastModified),
    modified: time(note.lastModified),
    links_in: some(incoming.map((link: Link) => link.source)),
    links_out: some(outgoing.flatMap((link: Link) => (link.path === null ? [] : [link.path]))),
    ...(broken.length === 0 ? {} : { broken_links: [...new Set(broken)].slice(0, LINKS_SHOWN) }),
    ...(verdict
      ? { rule: { folder: verdict.constraint.subfolder, issues: verdict.issues.map(sayIssue) } }
      : {}),
  };
}

/** Each is cut by itself, and together they are cut as the fields are. */
const labels = (names: readonly string[]): string =>
  shortened(names.map((name) => label(name)).join(", "), FIELDS_ROOM);

const some = (paths: string[]): { total: number; first: string[] } => {
  const distinct = [...new Set(paths)];
  return { total: distinct.length, first: distinct.slice(0, LINKS_SHOWN) };
};
const linkLine = (word: string, { total, first }: { total: number; first: string[] }): string =>
  total === 0
    ? `${word} no note`
    : `${word} ${counted(total, "note")}: ${escaped(first.join(", "))}${total > first.length ? " …" : ""}`;
