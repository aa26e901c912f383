/** Ten everyday tasks, each in the fewest sensible calls of every surface that can do it at all. */

import { NOTES } from "./task-vault.ts";

export type Asked = (tool: string, input: object) => Promise<{ text: string; data: any }>;
/** Gives what the person wanted to know, where that is the task. */
type Script = (ask: Asked) => Promise<string | void>;
export type SurfaceName = "native" | "obsidian" | "bridges" | "wiki" | "cairn" | "notes";
export type Task = {
  name: string;
  /** What somebody else has done before, through the native surface. */
  past?: (ask: Asked) => Promise<void>;
  scripts: Partial<Record<SurfaceName, Script>>;
  /** Whether it was done: by what was answered, and what the notes are now. */
  right(answer: string, note: (path: string) => string | null): boolean;
};

const PAPER = "# Deep residual learning\n\nShortcuts let very deep networks train.\n";
const FIELDS = "---\nyear: 2016\nauthors: [He, Zhang]\n---\n";
const PROJECTS = ["Projects/rain-garden", "Projects/seed-library", "Projects/tool-shed"];
const DECISION = "- The hedge is cut in autumn.";
const MEETING = "Meetings/2026-05-committee";

const body = (text: string): string => text.replace(/^---\n[\s\S]*?\n---\n/, "");
/** A whole note from an answer that puts a head before it. */
const within = (answer: string, from: string): string => answer.slice(answer.indexOf(from));
const idOf = (answer: string): string => /\b[0-9a-f]{8}\b/.exec(answer)![0];
const revisionsOf = (answer: string): string[] =>
  [...answer.matchAll(/^- ([0-9a-f]{7}) /gm)].map((it) => it[1]!);

async function wholeNote(ask: Asked, id: string): Promise<string> {
  const { text } = await ask("GetNote", { id });
  return within(text, "# ");
}

export const TASKS: Task[] = [
  {
    name: "find a fact",
    right: (answer) => answer.includes("second week of July"),
    scripts: {
      async native(ask) {
        const { text, data } = await ask("search_notes", { query: "garlic harvest" });
        return text.includes("July") ? text : (await ask("read_notes", { notes: [data.hits[0].at] })).text;
      },
      async obsidian(ask) {
        await ask("search_notes", { query: "garlic" });
        await ask("get_headings", { name: "garlic" });
        return (await ask("read_section", { name: "garlic", section: "Harvest" })).text;
      },
      async bridges(ask) {
        await ask("list_notes", { knowledge_base_name: "plants" });
        return (await ask("read_note", { knowledge_base_name: "plants", note_path: "garlic.md" })).text;
      },
      async wiki(ask) {
        const { text } = await ask("search_notes", { query: "garlic harvest" });
        return text.includes("July") ? text : (await ask("get_note", { path: "Plants/garlic" })).text;
      },
      async cairn(ask) {
        const { text } = await ask("cairn_search", { query: "garlic harvest" });
        return text.includes("July") ? text : (await ask("cairn_read", { path: "Plants/garlic" })).text;
      },
      async notes(ask) {
        const { text } = await ask("SearchNotes", { query: "garlic" });
        return text.includes("July") ? text : (await ask("GetNote", { id: idOf(text) })).text;
      },
    },
  },
  {
    name: "add to a meeting note",
    right: (_, note) => note(`${MEETING}.md`)!.includes(`first Saturday.\n${DECISION}\n\n## Tasks`),
    scripts: {
      async native(ask) {
        const { data } = await ask("search_notes", { query: "committee decisions compost path repaired" });
        const hit = data.hits.find((it: { at: string }) => it.at.includes("#Decisions"));
        await ask("edit_notes", {
          edits: [{ note: hit?.at ?? `${MEETING}.md#Decisions`, do: "append", text: DECISION }],
        });
      },
      async obsidian(ask) {
        await ask("search_notes", { query: "committee" });
        await ask("get_headings", { name: "2026-05-committee" });
        await ask("append_section", { name: "2026-05-committee", section: "Decisions", text: DECISION });
      },
      async bridges(ask) {
        const note = { knowledge_base_name: "meetings", note_path: "2026-05-committee.md" };
        await ask("list_notes", { knowledge_base_name: "meetings" });
        await ask("read_note", note);
        const note_content = NOTES[`${MEETING}.md`]!.replace(
          "first Saturday.\n",
          `first Saturday.\n${DECISION}\n`,
        );
        await ask("update_note", { ...note, note_content });
      },
      async wiki(ask) {
        await ask("search_notes", { query: "committee decisions" });
        await ask("get_note", { path: MEETING });
        const content = body(NOTES[`${MEETING}.md`]!).replace(
          "first Saturday.\n",
          `first Saturday.\n${DECISION}\n`,
        );
        await ask("update_note", { path: MEETING, content });
      },
      async cairn(ask) {
        await ask("cairn_search", { query: "committee decisions" });
        await ask("cairn_read", { path: MEETING });
        await ask("cairn_patch", {
          path: MEETING,
          op: "append_section",
          section: "Decisions",
          content: DECISION,
        });
      },
      async notes(ask) {
        const id = idOf((await ask("SearchNotes", { query: "committee" })).text);
        await wholeNote(ask, id);
        const content = body(NOTES[`${MEETING}.md`]!).replace(
          "first Saturday.\n",
          `first Saturday.\n${DECISION}\n`,
        );
        await ask("UpdateNote", { id, content });
      },
    },
  },
  {
    name: "rename a person",
    right: (_, note) =>
      note("People/Mara-Okafor.md") !== null &&
      note("People/Mara-Lindt.md") === null &&
      [...PROJECTS, MEETING, "People/Teo-Okafor"].every((path) =>
        /\[\[(?:People\/)?Mara-Okafor(?:\|[^\]]*)?\]\]/.test(note(`${path}.md`)!),
      ),
    scripts: {
      native: async (ask) =>
        void (await ask("move_notes", {
          moves: [{ from: "People/Mara-Lindt.md", to: "People/Mara-Okafor.md" }],
        })),
      obsidian: async (ask) =>
        void (await ask("rename_note", { old_name: "Mara-Lindt", new_name: "Mara-Okafor" })),
      wiki: async (ask) =>
        void (await ask("update_note", {
          path: "People/Mara-Lindt",
          new_path: "People/Mara-Okafor",
          update_backlinks: true,
        })),
      async cairn(ask) {
        const { text } = await ask("cairn_read", { path: "People/Mara-Lindt" });
        const { data } = await ask("cairn_links", { path: "People/Mara-Lindt", direction: "in" });
        await ask("cairn_write", { path: "People/Mara-Okafor", content: text });
        for (const { path } of data.incoming)
          await ask("cairn_patch", {
            path,
            op: "replace",
            find: "[[Mara-Lindt]]",
            content: "[[Mara-Okafor]]",
          });
        await ask("cairn_delete", { path: "People/Mara-Lindt" });
      },
    },
  },
  {
    name: "file a paper under a rule",
    right: (_, note) => note("Papers/2016-residual.md")?.includes("year: 2016") === true,
    scripts: {
      async native(ask) {
        await ask("write_note", { path: "Papers/2016-residual.md", text: PAPER });
        await ask("write_note", { path: "Papers/2016-residual.md", text: FIELDS + PAPER });
      },
      async obsidian(ask) {
        await ask("create_note", { name: "Papers/2016-residual", content: PAPER });
        const frontmatter = JSON.stringify({ year: 2016, authors: ["He", "Zhang"] });
        await ask("create_note", { name: "Papers/2016-residual", content: PAPER, frontmatter });
      },
      async bridges(ask) {
        const note = { knowledge_base_name: "papers", note_path: "2016-residual.md" };
        await ask("create_note", { ...note, note_content: PAPER });
        await ask("create_note", { ...note, note_content: FIELDS + PAPER });
      },
      async cairn(ask) {
        await ask("cairn_write", { path: "Papers/2016-residual", content: PAPER });
        await ask("cairn_write", { path: "Papers/2016-residual", content: FIELDS + PAPER });
      },
    },
  },
  {
    name: "fix a broken link",
    right: (_, note) => note("Plants/comfrey.md")!.includes("[[compost-corner]]"),
    scripts: {
      async native(ask) {
        await ask("get_links", {});
        const change = { do: "replace_text", find: "[[compost-cornr]]", text: "[[compost-corner]]" };
        await ask("edit_notes", { edits: [{ note: "Plants/comfrey.md", ...change }] });
      },
      async obsidian(ask) {
        await ask("find_broken_links", {});
        await ask("search_notes", { query: "compost" });
        await ask("replace_text", {
          name: "comfrey",
          old_text: "[[compost-cornr]]",
          new_text: "[[compost-corner]]",
        });
      },
    },
  },
  {
    name: "collect what changed this week",
    past,
    right: (answer) =>
      ["Robin was here", "Sow in March", "tool-shed"].every((words) => answer.includes(words)),
    scripts: {
      native: async (ask) => (await ask("get_history", { from: "7d", diff: true })).text,
      async wiki(ask) {
        const since = new Date(Date.now() - 7 * 86_400_000).toISOString();
        const { text } = await ask("recent_notes", { since });
        let answer = text;
        for (const path of PROJECTS) {
          const [last, first] = revisionsOf((await ask("get_note_history", { path, limit: 5 })).text);
          if (first === undefined) continue;
          answer += (await ask("diff_note_versions", { path, from_version: first, to_version: last })).text;
        }
        return `${answer}${(await ask("get_note_history", { path: "Projects/tool-shed" })).text}`;
      },
    },
  },
  {
    name: "restore a deleted note",
    past: async (ask) => void (await ask("delete_note", { path: "Plants/garlic.md" })),
    right: (_, note) => note("Plants/garlic.md") === NOTES["Plants/garlic.md"],
    scripts: {
      async native(ask) {
        const { data } = await ask("get_history", { note: "Plants/garlic.md" });
        await ask("undo_changes", { revisions: [data.revisions[0].id] });
      },
      async wiki(ask) {
        const [, before] = revisionsOf((await ask("get_note_history", { path: "Plants/garlic" })).text);
        await ask("restore_note_version", { path: "Plants/garlic", version: before });
      },
    },
  },
  {
    name: "undo an afternoon",
    past,
    right: (_, note) =>
      PROJECTS.every((path) => note(`${path}.md`) === NOTES[`${path}.md`]) &&
      note("Projects/new-idea.md") === null,
    scripts: {
      native: async (ask) => void (await ask("undo_changes", { author: "Robin", since: "12h" })),
      async wiki(ask) {
        await ask("recent_notes", { since: new Date(Date.now() - 43_200_000).toISOString() });
        for (const path of [...PROJECTS, "Projects/new-idea"]) {
          const revisions = revisionsOf((await ask("get_note_history", { path })).text);
          const [, ...before] = revisions;
          if (before.length > 0) await ask("restore_note_version", { path, version: before.at(-1) });
          else await ask("delete_note", { path });
        }
      },
    },
  },
  {
    name: "log a line in a daily note",
    right: (_, note) => note("daily/2026-05-11.md")!.includes("- rain, 12 mm\n- sowed peas"),
    scripts: {
      native: async (ask) =>
        void (await ask("daily_note", { date: "2026-05-11", section: "Log", text: "- sowed peas" })),
      obsidian: async (ask) =>
        void (await ask("append_section", { name: "2026-05-11", section: "Log", text: "- sowed peas" })),
      async bridges(ask) {
        const note = { knowledge_base_name: "daily", note_path: "2026-05-11.md" };
        await ask("read_note", note);
        await ask("update_note", { ...note, note_content: `${NOTES["daily/2026-05-11.md"]}- sowed peas\n` });
      },
      async wiki(ask) {
        await ask("get_note", { path: "daily/2026-05-11" });
        await ask("update_note", {
          path: "daily/2026-05-11",
          content: `${NOTES["daily/2026-05-11.md"]}- sowed peas\n`,
        });
      },
      cairn: async (ask) =>
        void (await ask("cairn_daily", {
          date: "2026-05-11",
          op: "append_section",
          section: "Log",
          content: "- sowed peas",
        })),
      async notes(ask) {
        const id = idOf((await ask("SearchNotes", { query: "2026-05-11" })).text);
        await wholeNote(ask, id);
        await ask("UpdateNote", { id, content: `${NOTES["daily/2026-05-11.md"]}- sowed peas\n` });
      },
    },
  },
  {
    name: "mark three projects as done",
    right: (_, note) =>
      PROJECTS.every((path) => /tags:[^\n]*(?:\n +- [^\n]*)*done/.test(note(`${path}.md`)!)),
    scripts: {
      native: async (ask) =>
        void (await ask("edit_notes", {
          edits: PROJECTS.map((path) => ({ note: path, do: "add_tags", items: ["done"] })),
        })),
      async obsidian(ask) {
        for (const path of PROJECTS)
          await ask("add_tag", { name: path.replace("Projects/", ""), tag: "done" });
      },
      async bridges(ask) {
        for (const path of PROJECTS) {
          const note = { knowledge_base_name: "projects", note_path: `${path.replace("Projects/", "")}.md` };
          await ask("read_note", note);
          const note_content = NOTES[`${path}.md`]!.replace("tags: [project]", "tags: [project, done]");
          await ask("update_note", { ...note, note_content });
        }
      },
      async wiki(ask) {
        for (const path of PROJECTS) await ask("update_note", { path, add_tags: ["done"] });
      },
      async cairn(ask) {
        for (const path of PROJECTS) {
          const { text } = await ask("cairn_read", { path });
          await ask("cairn_write", { path, content: text, tags: ["done"] });
        }
      },
    },
  },
];

/** An afternoon of Robin's. */
async function past(ask: Asked): Promise<void> {
  await ask("edit_notes", {
    edits: [{ note: "Projects/rain-garden.md", do: "append", text: "Robin was here." }],
  });
  await ask("edit_notes", {
    edits: [{ note: "Projects/seed-library.md", do: "append", text: "Sow in March." }],
  });
  await ask("edit_notes", {
    edits: [{ note: "Projects/tool-shed.md", do: "set_fields", fields: { status: "stalled" } }],
  });
  await ask("write_note", { path: "Projects/new-idea.md", text: "# An idea\n\nOf Robin's.\n" });
}
