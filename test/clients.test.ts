/** The official clients, old and new, each against the built server as a process. */

import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, describe, expect, test } from "vitest";
import { newSession, oldSession, type Mode, type Session } from "./clients.ts";
import { command, makeHome } from "./process.ts";
import { surfaces } from "./surfaces.ts";

const home = makeHome();
afterAll(home.remove);

const parameters = (surface: string) => ({
  command: process.execPath,
  args: [command("notewright"), "serve", home.vault, "--tools", surface],
  env: home.environment,
});
type StdioSession = Session & { pid(): number | null };

const connectOld = async (surface: string): Promise<StdioSession> => {
  const transport = new OldTransport(parameters(surface));
  return { ...(await oldSession(transport)), pid: () => transport.pid };
};
const connectNew = async (surface: string, mode: Mode): Promise<StdioSession> => {
  const transport = new NewTransport(parameters(surface));
  return { ...(await newSession(transport, mode)), pid: () => transport.pid };
};

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.each([
  ["client 1.x", connectOld],
  ["client 2.x, older protocol", (surface: string) => connectNew(surface, "legacy")],
  ["client 2.x, finding out", (surface: string) => connectNew(surface, "auto")],
  ["client 2.x, protocol 2026-07-28", (surface: string) => connectNew(surface, { pin: "2026-07-28" })],
])("%s", (name, connect) => {
  test.each(surfaces.map((surface) => surface.name))("lists the tools of %s", async (surface) => {
    const session = await connect(surface);
    const wanted = surfaces.find((it) => it.name === surface)!.tools.map((tool) => tool.name);
    expect((await session.tools()).map(({ name: each }) => each)).toEqual(wanted);
    await session.close();
  });

  test("reads, writes, is refused, and leaves no process behind", async () => {
    const session = await connect("obsidian");
    const pid = session.pid()!;
    expect((await session.call("read_note", { name: "Comfrey" })).content[0]!.text).toContain(
      "cannot be discouraged",
    );
    expect(await session.call("read_note", { name: "Nobody" })).toMatchObject({
      isError: true,
      content: [{ text: "Note 'Nobody' not found" }],
    });
    const words = `Seen by ${name}.`;
    await session.call("append_note", { name: "Garlic", text: words });
    expect((await session.call("read_note", { name: "Garlic" })).content[0]!.text).toContain(words);
    await expect(session.call("raed_note", {})).rejects.toThrowError(/read_note/);
    await session.close();
    while (alive(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test("native: words beside data that fit their schema, resources, prompts", async () => {
    const session = await connect("native");
    // Both clients hold structured content against the schema of a tool they have listed.
    await session.tools();
    const found = await session.call("search_notes", { query: "discouraged" });
    const { hits } = found.structuredContent as { hits: { at: string }[] };
    const [hit] = hits;
    expect(hit!.at).toMatch(/^Plants\/Comfrey\.md/);
    const read = await session.call("read_notes", { notes: [hit!.at] });
    expect(read.content[1]!.text).toContain("cannot be discouraged");
    const words = `Weeded by ${name}.`;
    const edits = [{ note: "Plants/Comfrey.md", do: "append", text: words }];
    expect((await session.call("edit_notes", { edits, dry_run: true })).structuredContent?.diff).toContain(
      `+${words}`,
    );
    const changed = (await session.call("edit_notes", { edits })).structuredContent!;
    expect(changed.notes[0]).toMatch(/^Plants\/Comfrey\.md@[0-9a-f]{8}$/);
    expect(await session.read("note:///Plants/Comfrey.md")).toContain(words);
    expect((await session.call("undo_changes", { revisions: [changed.revision] })).isError).not.toBe(true);
    expect(await session.read("note:///Plants/Comfrey.md")).not.toContain(words);
    expect(await session.call("read_notes", { notes: ["Nobody.md"] })).toMatchObject({ isError: true });
    for (const [tool, input] of Object.entries({
      list_notes: {},
      get_links: { note: "Start here.md" },
      get_history: { limit: 2 },
      daily_note: { date: "2026-05-10" },
      manage_rules: { do: "list" },
      check_vault: {},
      write_note: { path: "Try.md", text: "x", dry_run: true },
      move_notes: { moves: [{ from: "Start here.md", to: "Begin.md" }], dry_run: true },
      delete_note: { path: "Start here.md", dry_run: true },
    })) {
      const said = await session.call(tool, input);
      expect([tool, said.isError ?? false, typeof said.structuredContent]).toEqual([tool, false, "object"]);
    }
    expect(await session.resources()).toContain("note:///Start%20here.md");
    expect(await session.prompts()).toContain("daily_review");
    await session.close();
  });
});
