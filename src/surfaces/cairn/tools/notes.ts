/** The five tools for one note: read, write, patch, delete, and the note of a day. */

import { z } from "zod";
import { append, prepend, replaceText, type Edit } from "../../../markdown/edits.ts";
import { setField, unsetField } from "../../../markdown/field-edits.ts";
import { addAliases, addTags } from "../../../markdown/list-edits.ts";
import { appendToSection, prependToSection, wholeSection } from "../../../markdown/section-edits.ts";
import { NoteError } from "../../../markdown/errors.ts";
import { parseNote } from "../../../markdown/note.ts";
import { withFreeAliases } from "../../../notebook/aliases.ts";
import { encodeText, textOf } from "../../../notebook/note.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { namedNote, type NotePath } from "../../../notebook/paths.ts";
import { fold } from "../../../notebook/resolve.ts";
import { noteNamed } from "../../naming.ts";
import { coverageOf } from "../../fitting.ts";
import { ADDS, EDITS, READS, REMOVES, REPLACES, tool, type Answer } from "../../surface.ts";
import { dayNamed, toCairn } from "../address.ts";
import * as say from "../say.ts";

const path = z.string().describe("Note path e.g. 'entities/person/jamie'");
const section = z.string().optional().describe("Heading text (without # prefix) e.g. 'Meetings'");

async function readNote(
  notebook: Notebook,
  at: NotePath,
  input: { section?: string; metadata_only?: boolean },
): Promise<Answer> {
  const note = await notebook.read(at);
  if (input.section !== undefined && !input.metadata_only)
    return wholeSection(textOf(note), { text: input.section, folded: true });
  const links = await notebook.links({ to: note.path });
  const found = coverageOf(notebook);
  return input.metadata_only ? say.metadata(note, links, found) : say.note(note, links, found);
}

export const read = tool({
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
  run: async (notebook, input) => readNote(notebook, await noteNamed(notebook, input.path), input),
});

export const write = tool({
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
    const at = await noteNamed(notebook, input.path);
    const edits = [rewrite(input, say.time(notebook.now()))];
    const { changes } = await withFreeAliases(notebook, "all", (guard) =>
      notebook.edit([{ path: at, edits, orCreate: "" }], { guard }),
    );
    const { before, after } = changes[0]!;
    return { path: toCairn(at), created: before === null, links_found: after!.links.length };
  },
});

type Written = { content: string; tags?: string[]; aliases?: string[] };
const rewrite =
  ({ content, tags = [], aliases = [] }: Written, now: string): Edit =>
  (old) =>
    [unsetField("backlinks"), addTags(tags), addAliases(aliases), setField("modified", now)].reduce(
      (text, edit) => edit(text),
      withCreated(content, old, now),
    );

// `created` is set once: what the content says, else what the note had, else now.
function withCreated(content: string, old: string, now: string): string {
  if (parseNote(content).fields["created"] !== undefined) return content;
  return setField("created", parseNote(old).fields["created"] ?? now)(content);
}

type Operation = "append" | "prepend" | "replace" | "append_section" | "prepend_section";
type Patch = { op: Operation; content?: string; section?: string; find?: string };
const required = (value: string | undefined, name: string, op: string): string => {
  if (value !== undefined && value !== "") return value;
  throw new NoteError("input_refused", `op "${op}" needs ${name}.`);
};

/** What the operation needs is checked before anything is read or made. */
function editFor({ op, content, section, find }: Patch): Edit {
  const text = content ?? "";
  const heading = () => ({ text: required(section, "section", op), folded: true });
  switch (op) {
    case "append":
      return append(text, "blank");
    case "prepend":
      return prepend(text);
    case "replace":
      return replaceText(required(find, "find", op), text, "only");
    case "append_section":
      return appendToSection(heading(), text, "block");
    case "prepend_section":
      return prependToSection(heading(), text);
  }
}

/** Sets the time of the change, only where the note keeps such a field. */
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
  // What a new note was begun with was not added by the caller.
  const had = before?.bytes ?? encodeText(orCreate ?? "");
  return { path: toCairn(at), op, bytes_added: after!.bytes.length - had.length };
}

export const patch = tool({
  name: "cairn_patch",
  description:
    "Edit a note in place: append or prepend to the note or to a section, or replace the one place where find occurs. The note must exist.",
  annotations: EDITS,
  input: z.object({
    path,
    op: z
      .enum(["append", "prepend", "replace", "append_section", "prepend_section"])
      .describe("Operation type"),
    content: z.string().describe("Content to insert or replacement text"),
    section,
    find: z.string().optional().describe("Substring to find for 'replace' op"),
  }),
  async run(notebook, input) {
    const edit = editFor(input);
    return patchNote(notebook, await noteNamed(notebook, input.path), input.op, edit);
  },
});

export const remove = tool({
  name: "cairn_delete",
  description: "Delete a note. Links to it in other notes stay as they are.",
  annotations: REMOVES,
  input: z.object({ path }),
  async run(notebook, input) {
    const at = await noteNamed(notebook, input.path);
    await notebook.remove(at, { backlinks: "leave" });
    return { deleted: toCairn(at) };
  },
});

export const daily = tool({
  name: "cairn_daily",
  description:
    "Read or add to the note of a day, made with minimal frontmatter if there is none. date defaults to today.",
  annotations: ADDS,
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
    const date = dayNamed(input.date, notebook);
    const blank = `---\ntitle: ${date}\ntype: daily\ntags: [daily]\n---\n`;
    const { op } = input;
    if (op !== "read") {
      const content = required(input.content, "content", op);
      const edit = editFor({ ...input, op, content });
      return inDaily((folder) => patchNote(notebook, namedNote(`${folder}/${date}`), op, edit, blank));
    }
    const { notes } = await notebook.find(
      { path: namedNote(`${DAILY}/${date}`) },
      { limit: 1, sort: "path" },
    );
    if (notes[0]) return readNote(notebook, notes[0].path, {});
    return inDaily(async (folder) => {
      const at = namedNote(`${folder}/${date}`);
      await notebook.edit([{ path: at, edits: [], orCreate: blank }]);
      return readNote(notebook, at, {});
    });
  },
});

const DAILY = "daily";

/** In the folder `daily`; where the vault has one that is spelled otherwise, in that, whether there are notes in it or not. */
async function inDaily<T>(work: (folder: string) => Promise<T>): Promise<T> {
  try {
    return await work(DAILY);
  } catch (error) {
    const { existing, path } = error instanceof NoteError ? error.details : {};
    const [folder = ""] = String(existing ?? path).split("/");
    if (folder === DAILY || fold(folder) !== DAILY) throw error;
    return work(folder);
  }
}
