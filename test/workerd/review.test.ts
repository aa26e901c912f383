/** Review at the edge: members who propose go through tools of every surface by the front, and the owner decides at the page. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EARLIER, LATEST, NOTE_CALLS, ONLY_NOTES } from "../faults/tools.ts";
import { goThrough, type Reviewed } from "../review/going-through.ts";
import { surfaces } from "../surfaces.ts";
import { rpc } from "./asking.ts";
import { call, called, serveEdge, type Served } from "./served.ts";
import { openPage, type OwnersPage } from "./owners-page.ts";

const ALL = process.env["NOTEWRIGHT_EDGE"] === "all";
/** One of each surface with every commit: among them what moves, removes, restores and undoes. */
const ONE = new Set(
  "obsidian rename_note,bridges move_note,wiki restore_note_version,cairn cairn_patch,notes AddNote,native undo_changes".split(
    ",",
  ),
);
const GAMMA = "folder/Gamma.md";

let served: Served;
let count = 0;
beforeAll(async () => {
  served = await serveEdge({ entry: "test/workerd/review-worker.ts" });
}, 60_000);
afterAll(() => served.stop());

const changesRules = (surface: string, tool: string): boolean =>
  surfaces.find(({ name }) => name === surface)!.tools.find(({ name }) => name === tool)!.changesRules ===
  true;

/** A workspace with the notes of every call, and a member `claude` with these rights. */
const workspace = async (rights: string): Promise<Reviewed & { name: string; token: string }> => {
  const name = `review-${++count}`;
  const control = <T>(method: string, ...args: unknown[]): Promise<T> =>
    rpc<T>(served, name, method, ...args);
  await served.make(name);
  await control("stage", name);
  for (const [path, text] of Object.entries(ONLY_NOTES)) await control("put", name, path, text);
  await control("put", name, GAMMA, `${ONLY_NOTES[GAMMA]}\nA second version.\n`);
  const [latest, earlier] = await control<string[]>("past", name, GAMMA);
  const token = await served.member(name, "claude", rights);
  const page: OwnersPage = await openPage(served.base, name);
  return {
    name,
    token,
    async call(surface, tool, input) {
      const said = JSON.stringify(input).replace(EARLIER, earlier!).replace(LATEST, latest!);
      const client = await served.connect(name, surface, token, "Claude");
      const { content, isError } = await client.callTool({ name: tool, arguments: JSON.parse(said) });
      const texts = (content as { text: string }[]).map(({ text }) => text);
      return { isError: isError === true, texts };
    },
    state: () => control("state", name, true),
    revisions: () => control("line", name),
    latest: () => control("latest", name),
    waiting: page.waiting,
    settled: () => control("settled", name),
    accept: page.accept,
    decline: page.decline,
    beginAnew: async () => void (await control("queueRandom", ["00000001"])),
  };
};

describe("a member who proposes", () => {
  test.each(
    NOTE_CALLS.filter(
      ([surface, tool]) => !changesRules(surface, tool) && (ALL || ONE.has(`${surface} ${tool}`)),
    ),
  )(
    "%s %s: nothing is written; accepted, it is byte for byte what the tool writes; declined, only a line is left",
    { timeout: 60_000 },
    async (...call) => goThrough(await workspace("write"), await workspace("propose"), call),
  );

  test("adds nothing to the history, and is offered no tool for rules", { timeout: 60_000 }, async () => {
    const one = await workspace("propose");
    const before = await rpc(served, one.name, "objects");
    await one.call("obsidian", "append_note", { name: "Alpha", text: "appended" });
    expect(await rpc(served, one.name, "objects")).toEqual(before);
    const bases = { do: "add_base", base: "third", folder: "third", description: "d", guide: "none" };
    const native = await served.connect(one.name, "native", one.token);
    expect((await called(native, "manage_rules", bases)).text).toContain("read_only");
    expect(await one.waiting()).toHaveLength(1);
  });

  test("is read as proposed by its proposer alone, also once the object was evicted and its index made anew", async () => {
    const one = await workspace("propose");
    const other = await served.connect(one.name, "native", await served.member(one.name, "other", "propose"));
    const mine = await served.connect(one.name, "native", one.token);
    // Longer than one row takes.
    const long = `xylophone ${"word ".repeat(700_000)}end`;
    await call(mine, "write_note", { path: "New.md", text: long });
    await fetch(`${served.base}/${one.name}`, { method: "POST", headers: { "x-call": "evict" }, body: "[]" });
    await rpc(served, one.name, "stage", one.name);
    await served.admin("POST", `/workspaces/${one.name}/rebuild-index`);
    const again = await served.connect(one.name, "native", one.token);
    expect(await call(again, "read_notes", { notes: ["New.md"] })).toMatch(/xylophone[^]*as you proposed it/);
    expect(await call(again, "search_notes", { query: "xylophone" })).toContain("1 note waits for review");
    expect((await called(other, "read_notes", { notes: ["New.md"] })).text).toContain("note_missing");
    const [id] = await one.waiting();
    expect(await one.accept(id!)).toMatch(/^[0-9a-f]{40}$/);
    expect(new Map((await one.state()) as [string, string][]).get("New.md")).toBe(long);
  });

  test("who lost a folder meanwhile, or grew the proposal since it was shown: told, and nothing is written", async () => {
    const one = await workspace("propose");
    const kept = await served.member(one.name, "kept", "propose", ["folder"]);
    const client = await served.connect(one.name, "native", kept);
    const edits = [{ note: GAMMA, do: "append", text: "more" }];
    await call(client, "edit_notes", { edits });
    const [shown] = await one.waiting();
    await call(client, "edit_notes", { edits });
    const before = await one.state();
    await expect(one.accept(shown!)).rejects.toThrow(/has changed since you were shown it/);
    expect((await served.admin("DELETE", `/workspaces/${one.name}/members/kept`)).status).toBe(200);
    await served.member(one.name, "kept", "propose", ["kb"]);
    const [grown] = await one.waiting();
    await expect(one.accept(grown!)).rejects.toThrow(/lies outside the folders that kept may use by now/);
    expect(await one.state()).toEqual(before);
    await one.decline(grown!);
    expect(await one.waiting()).toEqual([]);
  });
});
