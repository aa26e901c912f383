/** The obsidian surface: twenty-two tools for a vault whose notes are known by name. */

import { z } from "zod";
import { append, replaceBody } from "../../../markdown/edits.ts";
import { NoteError } from "../../../markdown/errors.ts";
import { setField } from "../../../markdown/field-edits.ts";
import { addTags, removeTags } from "../../../markdown/list-edits.ts";
import type { Change } from "../../../notebook/change.ts";
import { textOf } from "../../../notebook/note.ts";
import { LIST_ROOM } from "../../fitting.ts";
import { ADDS, READS, REMOVES, REPLACES, tool, type Surface, type Tool } from "../../surface.ts";
import { checkNameFree, located, pathFor, renamed } from "../address.ts";
import { changed, noteNamed } from "./one-note.ts";
import { openingBlock } from "../opening.ts";
import { dry_run, fieldValue, fieldsGiven, name, searchFilter } from "./parameters.ts";
import { partTools } from "./parts.ts";
import * as say from "../say.ts";
import { checkTagsAndRules } from "../tag-policy.ts";

const tagsOf = ({ after }: Change): string[] => after?.tags.fields ?? [];

const tools: Tool[] = [
  tool({
    name: "read_note",
    description: "Read a whole note: frontmatter and body.",
    annotations: READS,
    wholeNote: true,
    input: z.object({ name }),
    run: async (notebook, { name }) => textOf(await noteNamed(notebook, name)),
  }),
  tool({
    name: "create_note",
    description:
      "Create a note. A bare name goes to the vault's root, folder/name into that folder. Only tags the vault already has are accepted.",
    annotations: ADDS,
    input: z.object({
      name,
      content: z.string().default("").describe("Body, Markdown"),
      frontmatter: z.string().default("").describe('Fields as a JSON object: {"tags": ["a"]}'),
    }),
    async run(notebook, { name, content, frontmatter }) {
      const path = pathFor(name);
      const text = fieldsGiven(frontmatter) + content;
      await notebook.ready();
      await notebook.write(path, text, {
        expect: "absent",
        async guard(changes) {
          await checkNameFree(notebook, name);
          await checkTagsAndRules(notebook)(changes);
        },
      });
      return { name: name.replace(/\.md$/i, ""), path };
    },
  }),
  tool({
    name: "append_note",
    description: "Add text at the end of a note, after a blank line.",
    annotations: ADDS,
    input: z.object({ name, text: z.string() }),
    async run(notebook, { name, text }) {
      await changed(notebook, name, append(text, "blank"));
      return { name, status: "appended" };
    },
  }),
  tool({
    name: "update_note",
    description: "Replace the whole body of a note; its frontmatter stays.",
    annotations: REPLACES,
    input: z.object({ name, content: z.string().describe("New body") }),
    async run(notebook, { name, content }) {
      await changed(notebook, name, replaceBody(content));
      return { name, status: "updated" };
    },
  }),
  tool({
    name: "delete_note",
    description: "Move a note to .trash/. Links to it elsewhere become [[name (deleted)]].",
    annotations: REMOVES,
    input: z.object({ name, dry_run }),
    async run(notebook, { name, dry_run }) {
      const path = await located(notebook, name);
      const { changes, trash } = await notebook.remove(path, {
        trash: true,
        backlinks: "mark",
        dryRun: dry_run,
      });
      return { name, trash_path: trash, files_updated: say.filesUpdated(changes) };
    },
  }),
  tool({
    name: "rename_note",
    description:
      "Rename a note and rewrite every link to it. It stays in its folder, unless new_name is folder/name.",
    annotations: REPLACES,
    input: z.object({ old_name: name, new_name: z.string(), dry_run }),
    async run(notebook, { old_name, new_name, dry_run }) {
      const from = await located(notebook, old_name);
      const { changes } = await notebook.move([{ from, to: renamed(from, new_name) }], {
        backlinks: "rewrite",
        dryRun: dry_run,
        guard: () => checkNameFree(notebook, new_name, from),
      });
      return { old_name, new_name, files_updated: say.filesUpdated(changes) };
    },
  }),
  tool({
    name: "search_notes",
    description:
      "Find notes. mode: name (whole name), name_partial, content (text in the body), tag (comma-separated; a tag also finds those below it; tag_logic and|or).",
    annotations: READS,
    input: z.object({
      query: z.string(),
      mode: z.string().default("name_partial").describe("name | name_partial | content | tag"),
      tag_logic: z.string().default("or").describe("and | or"),
    }),
    async run(notebook, { query, mode, tag_logic }) {
      const filter = searchFilter(query, mode, tag_logic);
      // No more can fit in an answer, were every name one letter.
      const found = await notebook.find(filter, {
        limit: Math.ceil(LIST_ROOM / 27),
        sort: "name",
      });
      return say.listAnswer(
        found.notes.map(({ name, path }) => ({ name, path })),
        found.total,
        found,
      );
    },
  }),
  tool({
    name: "get_links",
    description: "Names of the notes a note links to (outgoing) and of those that link to it (incoming).",
    annotations: READS,
    input: z.object({ name, direction: z.string().default("both").describe("in | out | both") }),
    async run(notebook, { name, direction }) {
      if (!["in", "out", "both"].includes(direction))
        throw new NoteError("input_refused", `Invalid direction: ${direction}. Valid: in, out, both`);
      const path = await located(notebook, name);
      const outgoing = direction === "in" ? [] : await notebook.links({ from: path });
      const incoming = direction === "out" ? [] : await notebook.links({ to: path });
      return say.linksAnswer({ name }, outgoing, incoming);
    },
  }),
  tool({
    name: "get_note_metadata",
    description: "Frontmatter and links of a note, without its body.",
    annotations: READS,
    input: z.object({ name }),
    async run(notebook, { name }) {
      const { path, fields } = await noteNamed(notebook, name);
      return say.linksAnswer(
        { name, frontmatter: fields },
        await notebook.links({ from: path }),
        await notebook.links({ to: path }),
      );
    },
  }),
  tool({
    name: "set_frontmatter",
    description: "Set one frontmatter field. Only tags the vault already has are accepted.",
    annotations: REPLACES,
    input: z.object({
      name,
      key: z.string(),
      value: z
        .string()
        .describe("JSON for a list, object, true, false or null; anything else is kept as text"),
    }),
    async run(notebook, { name, key, value: written }) {
      if (key.trim() === "") throw new NoteError("input_refused", "key cannot be empty");
      const value = fieldValue(written);
      await changed(notebook, name, setField(key, value));
      return { name, key, value };
    },
  }),
  tool({
    name: "add_tag",
    description: "Add a tag to a note's frontmatter. It must be one the vault already has.",
    annotations: ADDS,
    input: z.object({ name, tag: z.string() }),
    async run(notebook, { name, tag }) {
      const change = await changed(notebook, name, addTags([tag]), checkTagsAndRules(notebook));
      return { name, tags: tagsOf(change) };
    },
  }),
  tool({
    name: "remove_tag",
    description: "Remove a tag from a note's frontmatter.",
    annotations: REPLACES,
    input: z.object({ name, tag: z.string() }),
    async run(notebook, { name, tag }) {
      const change = await changed(notebook, name, removeTags([tag]));
      return { name, tags: tagsOf(change), removed: change.before?.version !== change.after?.version };
    },
  }),
  tool({
    name: "list_notes",
    description: "Names of all notes, in order, a page at a time.",
    annotations: READS,
    input: z.object({ limit: z.int().min(0).default(100), offset: z.int().min(0).default(0) }),
    async run(notebook, { limit, offset }) {
      const page = { limit: Math.min(limit, Math.ceil(LIST_ROOM / 4)), offset, sort: "name" } as const;
      return say.namesAnswer(await notebook.find({ all: [] }, page), limit, offset);
    },
  }),
  ...partTools,
  tool({
    name: "find_broken_links",
    description: "All links that lead to no note: source note and target as written.",
    annotations: READS,
    input: z.object({}),
    async run(notebook) {
      // On half an index every other link would seem broken.
      await notebook.ready();
      return say.brokenAnswer(await notebook.links({ broken: true }));
    },
  }),
  tool({
    name: "get_help",
    description: "All tools with their parameters and descriptions.",
    annotations: READS,
    input: z.object({}),
    run: async () => tools.map(say.helpEntry),
  }),
];

export const obsidian: Surface = {
  name: "obsidian",
  instructions:
    "Notes of an Obsidian vault, known by name: the file name without .md. Where several folders hold that name, use folder/name. For a long note, get_headings and read_section cost less than read_note. delete_note and rename_note keep links in order; dry_run shows what they would change.",
  tools,
  explain: say.refusal,
  opening: openingBlock,
};
