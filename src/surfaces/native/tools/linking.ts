/** get_links: what links where, what is broken, and how two notes hang together. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import { escaped, label } from "../../../markdown/label.ts";
import type { Link } from "../../../notebook/link-graph.ts";
import { linkPath, PATH_NOTES } from "../../../notebook/link-path.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import type { AttachmentPath, LinkedPath, NotePath } from "../../../notebook/paths.ts";
import { coverageOf, type Coverage } from "../../fitting.ts";
import { READS, tool, type Answer } from "../../surface.ts";
import { fileMeant, resolveNote } from "../address.ts";
import { brokenAnswer } from "../broken.ts";
import { plainName } from "../spelling.ts";
import { cursor, limitOf, rows, pageSize } from "./parameters.ts";
import { plural, listHead, oneLine, coverageData, withoutEmpty } from "../say.ts";

const DEPTH_LIMIT = 10;
const LISTED = 50;
const CONTEXT = 100;

export const getLinks = tool({
  name: "get_links",
  description:
    "Links of a note, or to a file, with the line of each; to = the shortest chain to that note. Without note: broken links, by what each lacks: note, heading, block or attachment.",
  annotations: { ...READS, title: "Get links" },
  input: z.object({
    note: z.string().optional(),
    direction: z.enum(["in", "out", "both"]).optional(),
    depth: z.int().optional(),
    to: z.string().optional(),
    limit: limitOf(LISTED),
    cursor,
  }),
  output: z.object({ total: z.int(), links: rows }),
  async run(notebook, { note, direction = "both", depth = 1, to, limit: size, cursor: from }) {
    const most = pageSize(notebook, size, LISTED);
    if (depth < 1 || depth > DEPTH_LIMIT)
      throw new NoteError("input_refused", `depth is a number from 1 to ${DEPTH_LIMIT}.`);
    if (note === undefined) return brokenAnswer(notebook, { limit: most, cursor: from });
    if (to !== undefined) return chain(notebook, note, to);
    const file = await fileMeant(notebook, note);
    if (file !== null) return linksToFile(notebook, file.path, { direction, depth, most });
    return linksAround(notebook, note, { direction, depth, most });
  },
});

type Walk = { direction: "in" | "out" | "both"; depth: number; most: number };

/** What a canvas links to is asked by what it leads to. */
async function linksToFile(
  notebook: Notebook,
  file: AttachmentPath,
  { direction, depth, most }: Walk,
): Promise<Answer> {
  if (direction === "out" || depth > 1)
    notebook.who.remark?.("Of a file the links that lead to it are listed, one step far.");
  const links = direction === "out" ? [] : await notebook.links({ toFile: file });
  return linkAnswer(links, most, { about: "", depth: 1, note: file, found: coverageOf(notebook) });
}

async function linksAround(
  notebook: Notebook,
  note: string,
  { direction, depth, most }: Walk,
): Promise<Answer> {
  const name = plainName(note, notebook);
  const around = await pathOrAbsent(notebook, name);
  // A note that is not there has the links that would lead to it.
  const links =
    around === null
      ? await notebook.links({ written: name })
      : await linksOf(notebook, around, direction, depth);
  const about = around === null ? `There is no note "${label(name)}". ` : "";
  return linkAnswer(links, most, { about, depth, note: around, found: coverageOf(notebook) });
}

/** Every link of the note, first those out of it, to notes and to files; then, for each note that is further off, the first link that leads there. */
async function linksOf(
  notebook: Notebook,
  around: NotePath,
  direction: Walk["direction"],
  depth: number,
): Promise<Link[]> {
  const out =
    direction === "in"
      ? []
      : [
          ...(await notebook.links({ from: around })),
          ...(await notebook.links({ filesFrom: around })),
        ].toSorted((a, b) => a.line - b.line);
  const into =
    direction === "out"
      ? []
      : [...(await notebook.links({ to: around })), ...(await notebook.links({ inCanvases: around }))];
  const others = direction === "in" ? into : into.filter(({ source }) => source !== around);
  const walked = depth === 1 ? [] : await notebook.links({ around, depth, direction });
  return [...out, ...others, ...walked.filter((link) => link.depth > 1)];
}

async function pathOrAbsent(notebook: Notebook, written: string): Promise<NotePath | null> {
  try {
    return (await resolveNote(notebook, written)).note.path;
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "note_missing" || error.details["movedTo"])
      throw error;
    const [first] = await notebook.links({ written, limit: 1 });
    if (!first) throw error;
    return null;
  }
}

type Around = { about: string; depth: number; note: LinkedPath | null; found: Coverage };

function linkAnswer(links: readonly Link[], most: number, { about, depth, note, found }: Around): Answer {
  const shown = links.slice(0, most);
  const rows = shown.map((link) => ({
    from: link.source,
    to: link.path ?? link.file ?? link.target,
    line: link.line,
    ...withoutEmpty({
      broken: link.path === null && link.file === undefined,
      depth: depth > 1 ? link.depth : null,
    }),
    text: oneLine(link.context, CONTEXT),
  }));
  const lines = rows.map((row) => {
    const [from, to] = [escaped(row.from), row.broken ? label(row.to) : escaped(row.to)];
    const way = row.from === note ? `→ ${to}` : row.to === note ? `← ${from}` : `${from} → ${to}`;
    const marks = `${row.broken ? " (broken)" : ""}${row.depth ? `, ${plural(row.depth, "step")}` : ""}`;
    return `${way}${marks}, line ${row.line}: ${escaped(row.text)}`;
  });
  const out = note === null ? 0 : links.filter(({ source }) => source === note).length;
  const sides = out > 0 && out < links.length ? ` (${out} from the note itself)` : "";
  const cut = shown.length < links.length ? `${sides}, the first ${shown.length}` : "";
  return {
    text: [
      [listHead(`${about}${plural(links.length, "link")}${cut}.`, links.length, found), ...lines].join("\n"),
    ],
    structured: { total: links.length, links: rows, ...withoutEmpty(coverageData(found)) },
  };
}

async function chain(notebook: Notebook, from: string, to: string): Promise<Answer> {
  for (const name of [from, to])
    if (await fileMeant(notebook, name))
      throw new NoteError(
        "input_refused",
        `A chain joins notes, and ${JSON.stringify(name.slice(0, 200))} is a file.`,
      );
  await notebook.ready();
  const [start, end] = [
    (await resolveNote(notebook, from)).note.path,
    (await resolveNote(notebook, to)).note.path,
  ];
  const hops = await linkPath(notebook.links, start, end, notebook.who.signal);
  const rows = Array.isArray(hops)
    ? hops.map(({ link }) => ({ from: link.source, to: link.path ?? link.target, line: link.line }))
    : [];
  const words =
    hops === "far"
      ? `No chain was found among the ${PATH_NOTES} notes nearest to both.`
      : hops === null
        ? `No chain of links joins "${start}" and "${end}".`
        : [start, ...hops.map((hop) => `${hop.link.source === hop.from ? "→" : "←"} ${hop.to}`)].join(" ");
  return { text: [escaped(words)], structured: { total: rows.length, links: rows } };
}
