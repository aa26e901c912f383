/** Calls that read: a note with where its links lead, how one begins, its backlinks, the notes around it, and the rules of the vault. */

import { z } from "zod";
import type { Value } from "../../markdown/frontmatter.ts";
import type { Link } from "../../notebook/link-graph.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { Note } from "../../notebook/note.ts";
import { noteValue } from "../../notebook/note-value.ts";
import { notePath, type NotePath } from "../../notebook/paths.ts";
import type { Constraint } from "../../notebook/rules.ts";
import { saySoFar } from "../../notebook/waiting.ts";
import { READS, tool } from "../../surfaces/surface.ts";
import type { Backlinks, BaseView, Graph, Note as Shown, NoteLink } from "../wire.ts";
import { verdictWords } from "./issue-words.ts";
import { linkWords } from "./plain-words.ts";

const LINKS = 2000;
/** How many backlinks one answer gives, and how many can be reached. */
const BACKLINKS = 40;
const MOST_BACKLINKS = 10_000;
const GRAPH = 300;
const GRAPH_LINKS = 5000;
const FIELD_LENGTH = 500;

const note = tool({
  name: "note",
  description: "One note as it is, or as it was at a revision, with where its links lead.",
  annotations: READS,
  wholeNote: true,
  input: z.object({ path: z.string(), revision: z.string().optional() }),
  async run(notebook, { path: written, revision }): Promise<Shown> {
    const path = notePath(written);
    const found = await notebook.read(path, revision === undefined ? undefined : { revision });
    const verdict = revision === undefined ? await notebook.check(path) : null;
    return {
      ...noteValue(found),
      shownFields: fieldsOf(found),
      links: await linksOf(notebook, path),
      rules:
        verdict && verdict.issues.length > 0
          ? {
              folder: verdict.constraint.subfolder,
              issues: await verdictWords(notebook, verdict),
            }
          : null,
      at: revision ?? null,
      recorded: revision === undefined ? null : (await notebook.revision(revision)).date.toISOString(),
    };
  },
});

export const linksOf = async (notebook: Notebook, path: NotePath): Promise<NoteLink[]> => {
  const found = new Map<string, NoteLink>();
  for (const { target, path: leadsTo } of await notebook.links({ from: path, limit: LINKS }))
    found.set(target, { target, path: leadsTo });
  return [...found.values()];
};

const fieldsOf = ({ fields }: Note): Shown["shownFields"] =>
  Object.entries(fields).map(([name, value]) => ({ name, value: sayValue(value).slice(0, FIELD_LENGTH) }));

const sayValue = (value: Value): string => {
  if (value === null) return "";
  if (Array.isArray(value)) return value.map(sayValue).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

const backlinks = tool({
  name: "backlinks",
  description: "Which notes link to this one, each with its line.",
  annotations: READS,
  input: z.object({ path: z.string(), offset: z.int().min(0).max(MOST_BACKLINKS).optional() }),
  async run(notebook, { path, offset = 0 }): Promise<Backlinks> {
    const found = await notebook.links({ to: notePath(path), limit: MOST_BACKLINKS });
    const end = offset + BACKLINKS;
    const soFar = notebook.soFar();
    return {
      links: found.slice(offset, end).map(({ source, sourceTitle, target, line, context }) => ({
        path: source,
        title: sourceTitle,
        line,
        context: linkWords(context, target),
      })),
      total: found.length,
      more: end < found.length,
      indexing: soFar && saySoFar(soFar),
    };
  },
});

const graph = tool({
  name: "graph",
  description: "The notes around one, two steps far.",
  annotations: READS,
  input: z.object({ path: z.string(), depth: z.int().min(1).max(2).optional() }),
  async run(notebook, { path: written, depth = 2 }): Promise<Graph> {
    const path = notePath(written);
    const { title } = await notebook.read(path);
    const found = await notebook.links({ around: path, depth, direction: "both", limit: GRAPH_LINKS });
    return graphOf({ path, title }, found);
  },
});

/** Nearest notes first, up to the limit; links between those that are shown. */
const graphOf = (center: { path: string; title: string }, links: readonly Link[]): Graph => {
  const notes = new Map<string, Graph["notes"][number]>([[center.path, { ...center, depth: 0 }]]);
  const all = new Set<string>([center.path]);
  for (const { source, sourceTitle, path, title, depth } of links.toSorted((a, b) => a.depth - b.depth))
    for (const [end, called] of [[source, sourceTitle] as const, [path, title] as const]) {
      if (end === null) continue;
      all.add(end);
      if (!notes.has(end) && notes.size < GRAPH) notes.set(end, { path: end, title: called, depth });
    }
  const places = new Map([...notes.keys()].map((key, at) => [key, at]));
  const joined = new Map<string, [number, number]>();
  for (const { source, path } of links) {
    const [from, to] = [places.get(source), path === null ? undefined : places.get(path)];
    if (from !== undefined && to !== undefined && from !== to) joined.set(`${from} ${to}`, [from, to]);
  }
  return { notes: [...notes.values()], links: [...joined.values()], total: all.size };
};

const bases = tool({
  name: "bases",
  description: "Knowledge bases with their rules.",
  annotations: READS,
  input: z.object({}),
  async run(notebook): Promise<{ bases: BaseView[] }> {
    const book = await notebook.bases.book();
    return {
      bases: book.bases.map(({ name, description, subfolder }) => ({
        name,
        description,
        folder: subfolder,
        rules: book.constraints
          .filter((constraint) => constraint.base === name)
          .map((constraint) => ({ folder: constraint.subfolder, says: sayRules(constraint) })),
      })),
    };
  },
});

/** What a rule asks for, a phrase each. */
const sayRules = ({ rules: { frontmatter, filename, content } }: Constraint): string[] => [
  ...(frontmatter?.required_fields ?? []).map(({ name, type, pattern, allowed_values: values }) =>
    [
      `the field ${name} (${type})`,
      pattern === undefined ? "" : `like ${pattern}`,
      values === undefined ? "" : `one of ${values.join(", ")}`,
    ]
      .filter((phrase) => phrase !== "")
      .join(", "),
  ),
  ...(filename ? [`a name like ${filename.pattern}`] : []),
  ...(content?.min_length === undefined ? [] : [`at least ${content.min_length} characters`]),
  ...(content?.max_length === undefined ? [] : [`at most ${content.max_length} characters`]),
  ...(content?.required_sections ?? []).map((section) => `the section ${section}`),
];

export const readingCalls = [note, backlinks, graph, bases];
