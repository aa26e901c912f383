import { describe, expect, it } from "vitest";
import type { Revision } from "../notebook/parts.ts";
import { notePath } from "../notebook/paths.ts";
import { loadSurface } from "../surfaces/all.ts";
import { withVault, type TestVault } from "../../test/vault.ts";
import { CALLS_KEPT, naming, openActivities, PATHS_KEPT, type Activities } from "./activity.ts";
import { toolCalls, type Calls } from "./calls.ts";
import { readResource } from "./resources.ts";
import type { Principal } from "./principal.ts";
import { openSession } from "./session.ts";

const principal: Principal = { name: "laptop", rights: "admin", folders: "all", surfaces: "all" };
const log = (): void => undefined;

const calling = async (vault: TestVault, activity: Activities, name = "native"): Promise<Calls> => {
  const surface = (await loadSurface(name))!;
  const session = openSession(surface, vault.notebook, principal, { log });
  return toolCalls(surface, vault.notebook, { session, principal, activity, log });
};

const call = (calls: Calls, tool: string, input: Record<string, unknown>, signal = AbortSignal.any([])) =>
  calls.run(calls.called(tool)!, input, { client: "claude", signal, log: async () => undefined });

const NOTES = { "Ada.md": "secret words\n", "Bea.md": "[[Ada]]\n" };

describe("activity", () => {
  it("tells each call: who, which tool, which notes, how it ended, and no text", () =>
    withVault(NOTES, async (vault) => {
      const activity = openActivities();
      const heard: string[] = [];
      const stop = activity.listen(({ tool }) => heard.push(tool));
      const calls = await calling(vault, activity);
      await call(calls, "read_notes", { notes: ["Ada.md", "Bea.md"] });
      await call(calls, "edit_notes", { edits: [{ note: "Ada.md", do: "append", text: "more secret" }] });
      await call(calls, "move_notes", { moves: [{ from: "Ada.md", to: "Eve.md" }] });
      await call(calls, "edit_notes", { edits: [{ note: "Gone.md", do: "append", text: "x" }] });
      await call(calls, "search_notes", { query: "secret" });
      stop();
      await call(calls, "search_notes", { query: "secret" });
      expect(
        activity.since(0).map(({ tool, paths, outcome }) => `${tool} ${paths.join(",")} ${outcome}`),
      ).toEqual([
        "read_notes Ada.md,Bea.md done",
        "edit_notes Ada.md done",
        "move_notes Ada.md,Eve.md done",
        "edit_notes Gone.md note_missing",
        "search_notes  done",
        "search_notes  done",
      ]);
      expect(heard).toHaveLength(5);
      expect(activity.since(0)[0]).toMatchObject({
        id: 1,
        identity: "laptop",
        client: "claude",
        surface: "native",
      });
      expect(JSON.stringify(activity.since(0))).not.toContain("secret");
    }));

  it("names what links, history, files and undo are asked for", () =>
    withVault(NOTES, async (vault) => {
      const activity = openActivities();
      const calls = await calling(vault, activity);
      await call(calls, "edit_notes", { edits: [{ note: "Ada.md", do: "append", text: "more" }] });
      await call(calls, "get_links", { note: "Ada.md" });
      await call(calls, "get_history", { note: "Bea.md" });
      await call(calls, "get_links", { note: "pic.png" });
      expect(activity.since(1).map(({ tool, paths }) => `${tool} ${paths.join(",")}`)).toEqual([
        "get_links Ada.md",
        "get_history Bea.md",
        "get_links pic.png",
      ]);
      // A vault in memory has no history: a revision is made up.
      const { bound, paths } = naming(vault.notebook);
      const changes = [{ path: notePath("Eve.md") }];
      await bound.undo([{ changes } as unknown as Revision]).catch(() => undefined);
      expect(paths()).toEqual(["Eve.md"]);
    }));

  it("names notes by their path, whatever a surface calls them", () =>
    withVault(NOTES, async (vault) => {
      const activity = openActivities();
      const calls = await calling(vault, activity, "obsidian");
      await call(calls, "read_note", { name: "Ada" });
      expect(activity.since(0)[0]?.paths).toEqual(["Ada.md"]);
    }));

  it("tells a request that reads a note as a resource, and none that does not", () =>
    withVault(NOTES, async (vault) => {
      const activity = openActivities();
      const calls = await calling(vault, activity);
      await calls.read("resources/read", "claude", (bound) => readResource(bound, "note:///Ada.md"));
      await calls.read("resources/list", "claude", async () => undefined);
      const missing = calls.read("resources/read", "claude", (bound) => bound.read(notePath("Gone.md")));
      await expect(missing).rejects.toThrow("no note");
      expect(activity.since(0).map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
        "resources/read done",
        "resources/read note_missing",
      ]);
    }));

  it("says that a call was cancelled", () =>
    withVault(NOTES, async (vault) => {
      const activity = openActivities();
      const calls = await calling(vault, activity);
      await call(calls, "write_note", { path: "New.md", text: "x" }, AbortSignal.abort());
      expect(activity.since(0)[0]?.outcome).toBe("cancelled");
    }));

  it("keeps the last calls, and the first paths of each", () => {
    const activity = openActivities();
    const paths = Array.from({ length: PATHS_KEPT + 5 }, (_, at) => notePath(`${at}.md`));
    const one = { at: new Date(), identity: null, client: "c", surface: "native", tool: "t" };
    for (let at = 0; at < CALLS_KEPT + 3; at++)
      activity.add({ ...one, paths, outcome: "done", milliseconds: 1 });
    const kept = activity.since(0);
    expect(kept).toHaveLength(CALLS_KEPT);
    expect([kept[0]!.id, kept.at(-1)!.id]).toEqual([4, CALLS_KEPT + 3]);
    expect(kept[0]!.paths).toHaveLength(PATHS_KEPT);
    expect(activity.since(CALLS_KEPT + 1)).toHaveLength(2);
  });
});
