/** The `cairn` surface: eight tools over notes named by path, made for building linked knowledge in small steps. */

import { z } from "zod";
import { append, prepend, replaceText, type Edit } from "../../markdown/edits.ts";
import { setField, unsetField } from "../../markdown/field-edits.ts";
import { addAliases, addTags } from "../../markdown/list-edits.ts";
import { appendToSection, prependToSection, wholeSection } from "../../markdown/section-edits.ts";
import { NoteError } from "../../markdown/errors.ts";
import { parseNote } from "../../markdown/note.ts";
import type { Change } from "../../notebook/change.ts";
import type { Filter } from "../../notebook/filter.ts";
import { dateOf, textOf } from "../../notebook/note.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { NotePath } from "../../notebook/paths.ts";
import { READS, REMOVES, REPLACES, tool, type Surface } from "../surface.ts";
import { checkDate, toCairn, toFolder, toPath, today } from "./address.ts";
import * as say from "./say.ts";

const PAGE_LIMIT = 200;
const DEPTH_LIMIT = 10;
const SNIPPET = { before: 60, width: 160 };

const path = z.string().describe("Note path e.g. 'entities/person/jamie'");
const section = z.string().optional().describe("Heading text (without # prefix) e.g. 'Meetings'");
const limit = z.number().int().optional().describe("Max results per page. Default 20.");
const cursor = z.string().optional().describe("Pagination cursor from previous response");

async function readNote(
  notebook: Notebook,
  at: NotePath,
  input: { section?: string; metadata_only?: boolean },
): Promise<string> {
  const note = await notebook.read(at);
  if (input.section !== undefined && !input.metadata_only)
    return wholeSection(textOf(note), { text: input.section, folded: true });
  const links = await notebook.links({ to: note.path });
  return input.metadata_only ? say.metadata(note, links) : say.note(note, links);
}

const read = tool({
  name: "cairn_read",
  description:
    "Read a note: its fields, the notes that link to it, and its body. section gives one heading's part; metadata_only leaves the body out.",
  annotations: READS,
  wholeNote: true,
  input: z.object({
    path,
    section,
    metadata_only: z.boolean().optional().describe("Only fields and backlinks. Default false."),
  }),
  run: (notebook, input) => readNote(notebook, toPath(input.path), input),
});

const write = tool({
  name: "cairn_write",
  description:
    "Create or overwrite a note. Frontmatter in content is merged with tags and aliases. Other notes' links by an alias lead here.",
  annotations: REPLACES,
  input: z.object({
    path,
    content: z.string().describe("Full markdown body. May include YAML frontmatter."),
    tags: z.array(z.string()).optional().describe("Tags to set (merged with any in frontmatter)"),
    aliases: z.array(z.string()).optional().describe("Other names that resolve links to this note"),
  }),
  async run(notebook, input) {
    const at = toPath(input.path);
    const now = say.time(notebook.now());
    const fields = [
      unsetField("backlinks"),
      addTags(input.tags ?? []),
      addAliases(input.aliases ?? []),
      setField("modified", now),
    ];
    const whole: Edit = (old) =>
      fields.reduce((text, edit) => edit(text), withCreated(input.content, old, now));
    const { changes } = await notebook.edit([{ path: at, edits: [whole], orCreate: "" }], {
      guard: (made) => checkAliases(notebook, made),
    });
    const { before, after } = changes[0]!;
    return { path: input.path, created: before === null, links_found: after!.links.length };
  },
});

// `created` is set once: what the content says, else what the note had, else now.
function withCreated(content: string, old: string, now: string): string {
  if (parseNote(content).fields["created"] !== undefined) return content;
  return setField("created", parseNote(old).fields["created"] ?? now)(content);
}

async function checkAliases(notebook: Notebook, changes: readonly Change[]): Promise<void> {
  await notebook.ready();
  const { path: at, after } = changes[0]!;
  for (const alias of after!.aliases) {
    const { notes } = await notebook.find({ alias }, { limit: 2, sort: "path" });
    const other = notes.find((it) => it.path !== at);
    if (!other) continue;
    throw new NoteError(
      "alias_taken",
      `The alias "${alias}" belongs to ${toCairn(other.path)}. Choose another, or take it from that note first.`,
      {
        alias,
        path: other.path,
      },
    );
  }
}

type Patch = { op: string; content?: string; section?: string; find?: string };
const asked = (value: string | undefined, name: string, op: string): string => {
  if (value !== undefined && value !== "") return value;
  throw new NoteError("input_refused", `op "${op}" needs ${name}.`);
};

/** Checked before anything is read or made. */
function editFor({ op, content, section, find }: Patch): Edit {
  const text = content ?? "";
  const heading = () => ({ text: asked(section, "section", op), folded: true });
  if (op === "append") return append(text, "blank");
  if (op === "prepend") return prepend(text);
  if (op === "replace") return replaceText(asked(find, "find", op), text, "only");
  return op === "append_section"
    ? appendToSection(heading(), text, "block")
    : prependToSection(heading(), text);
}

/** Only where the note keeps such a field. */
const touch =
  (now: Date): Edit =>
  (text) =>
    parseNote(text).fields["modified"] === undefined ? text : setField("modified", say.time(now))(text);

async function patchNote(
  notebook: Notebook,
  at: NotePath,
  op: string,
  edit: Edit,
  orCreate?: string,
): Promise<object> {
  const edits = [edit, touch(notebook.now())];
  const { changes } = await notebook.edit([
    orCreate === undefined ? { path: at, edits } : { path: at, edits, orCreate },
  ]);
  const { before, after } = changes[0]!;
  return { path: toCairn(at), op, bytes_added: after!.bytes.length - (before?.bytes.length ?? 0) };
}

const patch = tool({
  name: "cairn_patch",
  description:
    "Edit a note in place: append or prepend to the note or to a section, or replace the one place where find occurs. The note must exist.",
  annotations: REPLACES,
  input: z.object({
    path,
    op: z
      .enum(["append", "prepend", "replace", "append_section", "prepend_section"])
      .describe("Operation type"),
    content: z.string().describe("Content to insert or replacement text"),
    section,
    find: z.string().optional().describe("Substring to find for 'replace' op"),
  }),
  run: (notebook, input) => patchNote(notebook, toPath(input.path), input.op, editFor(input)),
});

const remove = tool({
  name: "cairn_delete",
  description: "Delete a note. Links to it in other notes stay as they are.",
  annotations: REMOVES,
  input: z.object({ path }),
  async run(notebook, input) {
    await notebook.remove(toPath(input.path), { backlinks: "leave" });
    return { deleted: input.path };
  },
});

const search = tool({
  name: "cairn_search",
  description:
    "Search notes by words, tags, links or time. Gives paths with snippets. At least one of query, tags, path_prefix, backlinks_to, modified_since is needed.",
  annotations: READS,
  input: z.object({
    query: z
      .string()
      .optional()
      .describe("Words, all of which must match; the last may be the beginning of a word"),
    tags: z.array(z.string()).optional().describe("Only notes with all of these tags"),
    path_prefix: z.string().optional().describe("Only notes under this path e.g. 'entities/person'"),
    backlinks_to: z.string().optional().describe("Only notes that link to this path"),
    modified_since: z.string().optional().describe("ISO date; only notes modified after it"),
    limit,
    cursor,
  }),
  async run(notebook, input) {
    const all = filtersFor(input);
    if (all.length === 0)
      throw new NoteError(
        "input_refused",
        "Give at least one of query, tags, path_prefix, backlinks_to, modified_since.",
      );
    const sort = input.query === undefined ? "modified" : "rank";
    return say.results(await notebook.find({ all }, { ...pageOf(input), sort, snippet: SNIPPET }));
  },
});

type Search = {
  query?: string;
  tags?: string[];
  path_prefix?: string;
  backlinks_to?: string;
  modified_since?: string;
};
function filtersFor(input: Search): Filter[] {
  const since = input.modified_since === undefined ? null : dateOf(input.modified_since);
  if (input.modified_since !== undefined && !since)
    throw new NoteError(
      "input_refused",
      `"${input.modified_since}" is no ISO date. Give one such as 2026-02-24.`,
    );
  return [
    ...(input.query?.trim() ? [{ words: input.query, prefix: true }] : []),
    ...(input.tags ?? []).map((tag): Filter => ({ tag: tag.replace(/^#/, ""), from: "all" })),
    ...(input.path_prefix === undefined ? [] : [{ folder: toFolder(input.path_prefix), deep: true }]),
    ...(input.backlinks_to === undefined ? [] : [{ linksTo: toPath(input.backlinks_to) }]),
    ...(since ? [{ since }] : []),
  ];
}

function pageOf(input: { limit?: number; cursor?: string }): { limit: number; cursor?: string } {
  const limit = input.limit ?? 20;
  if (limit < 1) throw new NoteError("input_refused", `limit must be from 1 to ${PAGE_LIMIT}.`);
  return {
    limit: Math.min(limit, PAGE_LIMIT),
    ...(input.cursor === undefined ? {} : { cursor: input.cursor }),
  };
}

const links = tool({
  name: "cairn_links",
  description:
    "The link graph around a note: what links to it and what it links to. No text, only structure.",
  annotations: READS,
  input: z.object({
    path,
    depth: z.number().int().optional().describe(`Steps to follow, 1 to ${DEPTH_LIMIT}. Default 1.`),
    direction: z.enum(["in", "out", "both"]).optional().describe("Link direction. Default 'both'."),
  }),
  async run(notebook, { path: written, depth = 1, direction = "both" }) {
    if (depth < 1 || depth > DEPTH_LIMIT)
      throw new NoteError("input_refused", `depth must be from 1 to ${DEPTH_LIMIT}.`);
    const around = (await notebook.read(toPath(written))).path;
    const side = async (one: "in" | "out") =>
      direction === one || direction === "both"
        ? say.neighbours(await notebook.links({ around, depth, direction: one }), one, depth > 1)
        : [];
    return { path: written, incoming: await side("in"), outgoing: await side("out") };
  },
});

const daily = tool({
  name: "cairn_daily",
  description:
    "Read or add to the note of a day, made with minimal frontmatter if there is none. date defaults to today.",
  annotations: REPLACES,
  readsToo: true,
  wholeNote: true,
  input: z.object({
    date: z.string().optional().describe("ISO date e.g. '2026-02-24'. Defaults to today."),
    op: z
      .enum(["read", "append", "append_section", "prepend_section"])
      .describe("'read' gives the note; the others add to it"),
    content: z.string().optional().describe("Content for append/section ops"),
    section,
  }),
  async run(notebook, input) {
    const date = input.date === undefined ? today(notebook.now(), notebook.timeZone) : checkDate(input.date);
    const at = toPath(`daily/${date}`);
    const blank = `---\ntitle: ${date}\ntype: daily\ntags: [daily]\n---\n`;
    if (input.op !== "read")
      return patchNote(
        notebook,
        at,
        input.op,
        editFor({ ...input, content: asked(input.content, "content", input.op) }),
        blank,
      );
    const known = await notebook.find({ path: at }, { limit: 1, sort: "path" });
    if (known.total === 0) await notebook.edit([{ path: at, edits: [], orCreate: blank }]);
    return readNote(notebook, at, {});
  },
});

const list = tool({
  name: "cairn_list",
  description: "List notes under a path prefix: path, title, type, time. No text.",
  annotations: READS,
  input: z.object({
    path_prefix: z.string().optional().describe("Path prefix to list. Default: root (all notes)."),
    recursive: z.boolean().optional().describe("Include nested paths. Default false."),
    sort: z
      .enum(["modified", "created", "alpha"])
      .optional()
      .describe("Default 'modified' (most recent first)."),
    limit,
    cursor,
  }),
  async run(notebook, input) {
    const folder = toFolder(input.path_prefix ?? "");
    const deep = input.recursive ?? folder === "";
    const sort = input.sort === "alpha" ? "path" : (input.sort ?? "modified");
    return say.listing(
      input.path_prefix ?? "",
      await notebook.find({ folder, deep }, { ...pageOf(input), sort }),
    );
  },
});

export const cairn: Surface = {
  name: "cairn",
  instructions:
    "Linked Markdown notes named by path (no .md). Search or list before writing; add to notes with cairn_patch and cairn_daily rather than rewriting them; link with [[path]], [[name]] or an alias.",
  tools: [read, write, patch, remove, search, links, daily, list],
  explain: say.explain,
};
