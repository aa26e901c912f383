/** A vault that is being indexed for the first time: questions wait for it, then say how far it has come; what could do harm is refused. */

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Background } from "../src/notebook/parts.ts";
import { DEADLINES, type Deadlines } from "../src/notebook/waiting.ts";
import { serversOf } from "./server.ts";
import { openSql } from "../src/sqlite/node.ts";
import { openIndex } from "../src/index/note-index.ts";
import { openMemory } from "../src/stores/memory.ts";
import { surfaces } from "./surfaces.ts";
import { unindexed } from "./vault.ts";

/** The long note comes last in a first indexing, and is held back until `release`. */
const LONG = "sub/z.md";
const NOTES = {
  ".llm_bridges/knowledge_base/base/meta.md": "---\ndescription: d\nsubfolder: sub\n---\nRules.\n",
  "a.md": "---\nid: 0000000a\ntags: [t]\n---\ntext [[b]]\n",
  "sub/b.md": "[[a]] [[nowhere]]\n",
  [LONG]: `---\ntags: [zz]\n---\nwanted word [[a]]\n${"more text ".repeat(2000)}\n`,
};
const SO_FAR = "2 of 3 notes so far";
const SOON: Partial<Deadlines> = { answer: 20, change: 40, pending: 40 };
const NEVER = { compared: () => null, recorded: () => null, flush: () => null };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const opened = async (deadlines: Partial<Deadlines> = SOON, background: Background = NEVER) => {
  const store = openMemory(NOTES);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  // Only the indexing is held back, which is the first to read it.
  let reads = 0;
  const read: typeof store.read = async (path) => {
    if (path === LONG && ++reads === 1) await held;
    return store.read(path);
  };
  const index = openIndex(await openSql(":memory:"));
  const notebook = unindexed({}, index, {
    store: { ...store, read },
    deadlines: { ...DEADLINES, ...deadlines },
    background,
  });
  const refreshed = notebook.refresh();
  await vi.waitFor(() => expect(reads).toBe(1), { timeout: 20_000 });
  expect(notebook.soFar()).toEqual({ done: 2, total: 3 });
  let ended = false;
  closing.push(async () => {
    ended = true;
    release();
    await refreshed;
    await notebook.close();
  });
  const client = async (surface: string): Promise<Client> => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const of = surfaces.find((each) => each.name === surface)!;
    const log = (line: string): void => void (ended || expect.fail(line));
    await serversOf(of, notebook, { log })().connect(far);
    const made = new Client({ name: "test", version: "0" });
    await made.connect(near);
    closing.push(() => made.close());
    return made;
  };
  const asking = async (surface: string, listen?: (message: string) => void) => {
    const made = await client(surface);
    return async (name: string, input: object = {}) => {
      const onprogress = ({ message = "" }: { message?: string | undefined }) => listen?.(message);
      const options = listen ? { onprogress } : {};
      const given = { name, arguments: input as Record<string, unknown> };
      const { content, isError } = await made.callTool(given, options);
      const text = (content as { text: string }[]).map((block) => block.text).join("\n");
      return { text, isError: isError === true };
    };
  };
  return { notebook, store, release, refreshed, client, asking };
};

/** Every question of every surface, and what only the note that comes last can add to its answer. */
const QUESTIONS: [surface: string, tool: string, input: object, last: string][] = [
  ["native", "search_notes", { query: "wanted" }, LONG],
  ["native", "list_notes", { what: "tags" }, "zz"],
  ["native", "list_notes", { what: "notes" }, LONG],
  ["native", "list_notes", { what: "recent" }, LONG],
  ["native", "get_links", { note: "a.md", direction: "in" }, LONG],
  ["native", "read_notes", { notes: ["a.md"], show: "info" }, LONG],
  ["wiki", "search_notes", { query: "wanted" }, "(sub/z)"],
  ["wiki", "list_tags", {}, "zz"],
  ["wiki", "get_backlinks", { path: "a" }, "(sub/z)"],
  ["wiki", "browse", { path: "sub" }, "(sub/z)"],
  ["wiki", "recent_notes", {}, "(sub/z)"],
  ["obsidian", "search_notes", { query: "wanted", mode: "content" }, '"z"'],
  ["obsidian", "list_notes", {}, '"z"'],
  ["cairn", "cairn_search", { query: "wanted" }, '"sub/z"'],
  ["cairn", "cairn_list", {}, '"sub/z"'],
  ["cairn", "cairn_links", { path: "a" }, '"sub/z"'],
  ["cairn", "cairn_read", { path: "a" }, "sub/z"],
  ["bridges", "list_notes", { knowledge_base_name: "base" }, LONG],
  ["notes", "ListNotes", {}, "] z\n"],
  ["notes", "SearchNotes", { query: "wanted" }, "**wanted**"],
];
const NOTHING = /\b(?:0|no) (?:notes?|tags?|links?)\b(?! so far)|not found|nothing|none|does not exist/i;

describe.each(QUESTIONS)("%s %s %j", (surface, name, input, last) => {
  test("waits for the first index", async () => {
    const { asking, release } = await opened({});
    const answered = (await asking(surface))(name, input);
    release();
    const { text } = await answered;
    expect(text).not.toContain("so far");
    expect(text).toContain(last);
  });

  test("says after its deadline how far the index has come, and not that there is nothing", async () => {
    const { asking, release, refreshed } = await opened();
    const ask = await asking(surface);
    const early = await ask(name, input);
    expect(early.text).toContain(SO_FAR);
    expect(early.text).not.toMatch(NOTHING);
    release();
    await refreshed;
    expect((await ask(name, input)).text).not.toContain("so far");
  });
});

/** What relies on the whole index. */
const REFUSED: [surface: string, tool: string, input: object][] = [
  ["native", "read_notes", { notes: ["b"] }],
  ["native", "list_notes", { what: "orphans" }],
  ["native", "get_links", {}],
  ["native", "get_links", { note: "a.md", to: "b" }],
  ["native", "move_notes", { moves: [{ from: "a.md", to: "c.md" }] }],
  ["native", "move_notes", { moves: [{ from: "sub/", to: "other/" }] }],
  ["native", "delete_note", { path: "a.md" }],
  ["native", "check_vault", {}],
  ["native", "write_note", { path: "new.md", text: "---\naliases: [x]\n---\n" }],
  ["native", "manage_rules", { do: "add_base", base: "n", folder: "f", description: "d", guide: "r" }],
  ["native", "daily_note", {}],
  ["wiki", "update_note", { path: "a", new_path: "c" }],
  ["wiki", "delete_note", { path: "a" }],
  ["obsidian", "read_note", { name: "a" }],
  ["obsidian", "get_links", { name: "a" }],
  ["obsidian", "create_note", { name: "new" }],
  ["obsidian", "rename_note", { old_name: "a", new_name: "c" }],
  ["obsidian", "find_broken_links", {}],
  ["cairn", "cairn_delete", { path: "a" }],
  ["cairn", "cairn_write", { path: "new", content: "", aliases: ["x"] }],
  ["notes", "GetNote", { id: "0000000a" }],
  ["notes", "AddNote", { title: "new", content: "x" }],
  ["notes", "DeleteNote", { id: "0000000a" }],
];

test.each(REFUSED)(
  "%s %s %j is refused with the count after its deadline, and nothing is done",
  async (surface, name, input) => {
    const { asking, store } = await opened();
    const files = async () => {
      const notes = [];
      for await (const listed of store.list()) notes.push(...listed.notes);
      return [notes, await store.rules()];
    };
    const before = await files();
    const { text, isError } = await (await asking(surface))(name, input);
    expect(isError, text).toBe(true);
    expect(text).toContain(`The vault is being indexed: ${SO_FAR}. Nothing was done`);
    expect(await files()).toEqual(before);
  },
);

test("the wait shows as progress, where the caller asked for it", async () => {
  const { asking, release } = await opened({});
  const heard: string[] = [];
  const ask = await asking("native", (message) => heard.push(message));
  const answered = ask("search_notes", { query: "wanted" });
  release();
  await answered;
  expect(heard).toEqual(["indexing the notes"]);
});

test("reads and writes by path do not wait", async () => {
  const { asking } = await opened({});
  const native = await asking("native");
  expect((await native("read_notes", { notes: ["sub/b.md"] })).text).toContain("[[nowhere]]");
  expect((await native("write_note", { path: "new.md", text: "new\n" })).isError).toBe(false);
  const wiki = await asking("wiki");
  expect((await wiki("get_note", { path: "a" })).text).toContain("text [[b]]");
});

test("the opening block shares the deadline, and comes with the first good answer after it is ready", async () => {
  const { asking, release, refreshed } = await opened();
  const ask = await asking("obsidian");
  const early = await ask("list_notes");
  expect(early.text).toContain(SO_FAR);
  expect(early.text).not.toContain("## Allowed tags");
  release();
  await refreshed;
  expect((await ask("read_note", { name: "not there" })).text).not.toContain("## Allowed tags");
  expect((await ask("list_notes")).text).toContain("## Allowed tags\nt, zz\n");
  expect((await ask("list_notes")).text).not.toContain("## Allowed tags");
});

test("resources/list waits; completion, subscriptions and reading a resource do not", async () => {
  const { client, release } = await opened({});
  const native = await client("native");
  const argument = { name: "path", value: "a" };
  const completed = await native.complete({
    ref: { type: "ref/resource", uri: "note:///{+path}" },
    argument,
  });
  expect(completed.completion.values).toEqual(["a.md"]);
  await native.subscribeResource({ uri: "note:///a.md" });
  expect((await native.readResource({ uri: "note:///a.md" })).contents).toHaveLength(1);
  const listed = native.listResources();
  release();
  expect((await listed).resources).toHaveLength(3);
});

test("resources/list tells after its deadline how far the index has come", async () => {
  const { client } = await opened();
  const { resources, _meta: meta } = await (await client("native")).listResources();
  expect(resources).toHaveLength(2);
  expect(meta).toMatchObject({ "notewright/indexed": SO_FAR });
});

const PAST: [surface: string, tool: string, input: object][] = [
  ["native", "get_history", {}],
  ["native", "get_history", { note: "a.md" }],
  ["native", "undo_changes", { last: 1 }],
  ["wiki", "get_note_history", { path: "a" }],
  ["wiki", "get_note_version", { path: "a", version: "abcdef1" }],
  ["wiki", "diff_note_versions", { path: "a", from_version: "abcdef1", to_version: "abcdef2" }],
  ["wiki", "restore_note_version", { path: "a", version: "abcdef1" }],
];

test.each(PAST)(
  "%s %s %j waits for the first recording, and is refused where that takes too long",
  async (surface, name, input) => {
    let end = (): void => undefined;
    const recording = new Promise<void>((resolve) => (end = resolve));
    const { asking, release, refreshed } = await opened(SOON, { ...NEVER, recorded: () => recording });
    release();
    await refreshed;
    const ask = await asking(surface);
    const early = await ask(name, input);
    expect(early.isError).toBe(true);
    expect(early.text).toContain("The notes are being recorded for the first time. Nothing was done");
    end();
    expect((await ask(name, input)).text).not.toContain("for the first time");
  },
);

test("a call that waits gives its place back, and a cancelled one stops waiting", async () => {
  const { notebook, release } = await opened({});
  const resting: string[] = [];
  const stop = new AbortController();
  const who = { client: "c", surface: "s", tool: "t", connection: "" };
  const asking = notebook.as({
    ...who,
    signal: stop.signal,
    async resting(wait) {
      resting.push("begun");
      return wait().finally(() => resting.push("ended"));
    },
  });
  const asked = asking.tags("all");
  await vi.waitFor(() => expect(resting).toEqual(["begun"]), { timeout: 20_000 });
  stop.abort(new Error("cancelled"));
  await expect(asked).rejects.toThrow("cancelled");
  expect(resting).toEqual(["begun", "ended"]);
  release();
});

test("an index that was begun anew is made again by whoever asks first", async () => {
  const sql = await openSql(":memory:");
  const notebook = unindexed(NOTES, openIndex(sql));
  closing.push(() => notebook.close());
  await notebook.refresh();
  sql.exec("DELETE FROM meta WHERE name = 'complete'; DELETE FROM tags");
  const asking = notebook.as({ client: "c", surface: "s", tool: "t", connection: "" });
  await asking.tags("all");
  expect(notebook.soFar()).toBe(null);
});
