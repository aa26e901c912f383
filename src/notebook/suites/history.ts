/** What every history must do, as tests to call. */

import { afterEach, describe, expect, test } from "vitest";
import type { Change } from "../change.ts";
import type { History, NoteStore, Revision } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { noteOf, randomChange, randomOf, record, recordOutside, scribe, versionOf, who } from "./scribe.ts";

export type HistoryUnderTest = {
  history: History;
  /** Opens the same history again, by a process that knows nothing but what was written down. */
  again(): Promise<History>;
  /** Any store that holds these notes. */
  store(notes: Record<string, string>): NoteStore;
};

const text = (bytes: Uint8Array | null): string | null => bytes && new TextDecoder().decode(bytes);
const linesOf = (revisions: readonly Revision[]): string[] =>
  revisions.map(({ author, message }) => `${author}: ${message}`);
const path = (name: string): NotePath => name as NotePath;

export function describeHistory(name: string, open: () => Promise<HistoryUnderTest>): void {
  describe(name, () => {
    const opened: History[] = [];
    afterEach(async () => {
      for (const history of opened.splice(0)) await history.close();
    });
    async function start() {
      const { history, again, store } = await open();
      opened.push(history);
      return {
        history,
        store,
        vault: scribe(history),
        async again() {
          const other = await again();
          opened.push(other);
          return other;
        },
      };
    }

    test("begins empty", async () => {
      const { history } = await start();
      expect(await history.log({ limit: 10 })).toEqual([]);
      expect(await history.log({ path: path("a.md"), limit: 10 })).toEqual([]);
      expect(await history.blob(versionOf(new Uint8Array()))).toBe(null);
      expect(await history.movedTo(path("a.md"))).toBe(null);
      expect(history.troubles()).toEqual([]);
    });

    test("tells who changed what, when and by what", async () => {
      const { history, vault } = await start();
      const made = await vault.write("Ada", "folder/a.md", "one\n");
      expect(made).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{40}$/),
        author: "Ada",
        date: new Date(1_700_000_001_000),
        message: "Write folder/a.md",
        surface: "native",
        tool: "write",
        connection: "one",
        changes: [{ path: "folder/a.md", version: vault.notes.get("folder/a.md")!.version, before: null }],
        touched: 1,
      });
      expect(await history.log({ limit: 10 })).toEqual([made]);
      expect(await history.revision(made!.id.slice(0, 7).toUpperCase())).toEqual(made);
    });

    test("what a person saved between two edits of a client stands between them", async () => {
      const { history, vault } = await start();
      await vault.write("Ada", "a.md", "one\n");
      vault.outside("a.md", "one\ntwo\n");
      await vault.write("Ada", "a.md", "one\ntwo\nthree\n");
      const log = await history.log({ path: path("a.md"), limit: 10 });
      expect(log.map(({ author }) => author)).toEqual(["Ada", "someone", "Ada"]);
      expect(log.map(({ surface }) => surface)).toEqual(["native", "outside", "native"]);
      const texts = [];
      for (const { id } of log) texts.push(text(await history.read(path("a.md"), id)));
      expect(texts).toEqual(["one\ntwo\nthree\n", "one\ntwo\n", "one\n"]);
      expect(await history.log({ author: "Ada", limit: 10 })).toHaveLength(2);
    });

    test("a log is read on from a place in it: of everything, and of a note that was moved", async () => {
      const { history, vault } = await start();
      for (const text of ["one", "two", "three"]) await vault.write("Ada", "a.md", text);
      await vault.move("Ada", "a.md", "b.md");
      await vault.write("Bea", "c.md", "other");
      await vault.write("Ada", "b.md", "four");
      for (const of of [{}, { path: path("b.md") }, { author: "Ada" }]) {
        const all = await history.log({ ...of, limit: 10 });
        for (const skip of [0, 1, 3, all.length, 100])
          expect(await history.log({ ...of, skip, limit: 2 })).toEqual(all.slice(skip, skip + 2));
      }
    });

    test("who accepted a change is told with it, and nothing where nobody did", async () => {
      const { history } = await start();
      const change = (name: string): Change[] => [
        { path: path(name), before: null, after: noteOf(name, "text"), why: "asked" },
      ];
      const by = { ...who("Ada"), acceptedBy: "Kim" };
      const accepted = await record(history, change("a.md"), "Write", by, new Date(1e12));
      expect(accepted!.acceptedBy).toBe("Kim");
      await record(history, change("b.md"), "Write", who("Ada"), new Date(1e12 + 1000));
      const log = await history.log({ limit: 2 });
      expect(log.map((one) => "acceptedBy" in one && one.acceptedBy)).toEqual([false, "Kim"]);
    });

    test("the bytes a note had when it was first touched are kept", async () => {
      const { history, vault } = await start();
      vault.outside("old.md", "from before\r\n");
      const made = await vault.remove("Ada", "old.md");
      expect(text(await history.blob(made!.changes[0]!.before!))).toBe("from before\r\n");
      expect(linesOf(await history.log({ limit: 10 }))).toEqual([
        "Ada: Remove old.md",
        "someone: Added in another program: old",
      ]);
    });

    test("what others take away is recorded before a new note takes its place", async () => {
      const { history, vault } = await start();
      await vault.write("Ada", "a.md", "one");
      vault.outside("a.md", null);
      await vault.write("Ada", "a.md", "two");
      expect(linesOf(await history.log({ path: path("a.md"), limit: 10 }))).toEqual([
        "Ada: Write a.md",
        "someone: Deleted in another program: a",
        "Ada: Write a.md",
      ]);
    });

    test("a note is followed through two moves, one with an edit", async () => {
      const { history, vault } = await start();
      const first = await vault.write("Ada", "a.md", "one\n");
      const second = await vault.move("Bob", "a.md", "deep/er/b.md");
      const third = await vault.move("Ada", "deep/er/b.md", "c.md", "one\ntwo\n");
      expect((await history.log({ path: path("c.md"), limit: 10 })).map(({ id }) => id)).toEqual([
        third!.id,
        second!.id,
        first!.id,
      ]);
      expect(await history.nameAt(path("c.md"), first!.id)).toBe("a.md");
      expect(await history.nameAt(path("c.md"), second!.id)).toBe("deep/er/b.md");
      expect(text(await history.read(path("c.md"), first!.id))).toBe("one\n");
      expect(await history.movedTo(path("a.md"))).toBe("c.md");
      expect(await history.movedTo(path("deep/er/b.md"))).toBe("c.md");
      expect(await history.movedTo(path("c.md"))).toBe(null);
    });

    test("a name that was taken again is not the note that had it", async () => {
      const { history, vault } = await start();
      await vault.write("Ada", "a.md", "first");
      await vault.move("Ada", "a.md", "b.md");
      const made = await vault.write("Ada", "a.md", "second");
      expect((await history.log({ path: path("a.md"), limit: 10 })).map(({ id }) => id)).toEqual([made!.id]);
      expect(await history.log({ path: path("b.md"), limit: 10 })).toHaveLength(2);
      expect(await history.movedTo(path("a.md"))).toBe(null);
    });

    test("two notes that change names are both followed", async () => {
      const { history, vault } = await start();
      await vault.write("Ada", "a.md", "A");
      const before = await vault.write("Ada", "b.md", "B");
      await vault.change("Ada", [
        { path: "b.md", from: "a.md", text: "A" },
        { path: "a.md", from: "b.md", text: "B" },
      ]);
      expect(await history.nameAt(path("a.md"), before!.id)).toBe("b.md");
      expect(text(await history.read(path("a.md"), before!.id))).toBe("B");
      expect(text(await history.read(path("b.md"), before!.id))).toBe("A");
    });

    test("a deleted note keeps its history, and goes on when it comes back", async () => {
      const { history, vault } = await start();
      const first = await vault.write("Ada", "a.md", "one");
      const gone = await vault.remove("Bob", "a.md");
      expect(await history.log({ path: path("a.md"), limit: 10 })).toHaveLength(2);
      expect(await history.read(path("a.md"), gone!.id)).toBe(null);
      expect(text(await history.read(path("a.md"), first!.id))).toBe("one");
      await vault.write("Ada", "a.md", "one");
      expect(linesOf(await history.log({ path: path("a.md"), limit: 10 }))).toHaveLength(3);
      expect(await history.log({ path: path("a.md"), limit: 2 })).toHaveLength(2);
    });

    test("the old name of a note that was moved and then deleted leads nowhere", async () => {
      const { history, vault } = await start();
      await vault.write("Ada", "a.md", "one");
      await vault.move("Ada", "a.md", "b.md");
      await vault.remove("Ada", "b.md");
      expect(await history.movedTo(path("a.md"))).toBe(null);
      expect(await history.log({ path: path("a.md"), limit: 10 })).toHaveLength(2);
    });

    test("a revision about a note that stays as it is is listed for it", async () => {
      const { history, vault, again } = await start();
      await vault.write("Ada", "a.md", "one");
      await vault.write("Ada", "a.md", "one");
      expect(await history.log({ path: path("a.md"), limit: 10 })).toHaveLength(2);
      expect(await (await again()).log({ path: path("a.md"), limit: 10 })).toHaveLength(2);
    });

    test("edits seen outside are one revision, and none where they are known", async () => {
      const { history, vault, store } = await start();
      for (const name of ["a.md", "b.md", "c.md", "d.md"]) await vault.write("Ada", name, `text of ${name}`);
      vault.outside("a.md", "changed");
      vault.outside("b.md", null);
      vault.outside("e.md", "text of d.md");
      vault.outside("d.md", null);
      const seen = ["a.md", "b.md", "c.md", "d.md", "e.md"].map((name) => ({
        path: path(name),
        after: vault.notes.get(name) ?? null,
      }));
      const there = [...vault.notes].map(([name, note]) => [name, text(note.bytes)!]);
      await history.catchUp(store(Object.fromEntries(there)), vault.later());
      expect(await recordOutside(history, seen, vault.later())).toBe(null);
      const [made] = await history.log({ limit: 1 });
      expect(made!.author).toBe("someone");
      expect(made!.changes.map(({ path, from }) => [path, from])).toEqual([
        ["a.md", undefined],
        ["b.md", undefined],
        ["e.md", "d.md"],
      ]);
      vault.outside("a.md", "changed again");
      const next = await recordOutside(
        history,
        [{ path: path("a.md"), after: vault.notes.get("a.md")! }],
        vault.later(),
      );
      expect(next!.message).toBe("Edited in another program: a");
    });

    test.each([
      "",
      "abc",
      "HEAD",
      "HEAD~1",
      "main",
      "--all",
      "@{u}",
      "HEAD:../x",
      "zzzz",
      "0".repeat(41),
      "0000",
    ])("%j is no revision", async (id) => {
      const { history, vault } = await start();
      await vault.write("Ada", "a.md", "one");
      await expect(history.revision(id)).rejects.toMatchObject({ code: "revision_missing" });
      await expect(history.read(path("a.md"), id)).rejects.toMatchObject({ code: "revision_missing" });
    });

    test("every past version reads back as it was written, through any changes, now and by another process", async () => {
      const { history, vault, again } = await start();
      const states: { id: string; notes: Map<string, Uint8Array>; unseen: Set<string> }[] = [];
      const next = randomOf(7);
      for (let round = 0; round < 150; round++) {
        const made = await randomChange(vault, next);
        const notes = new Map([...vault.notes].map(([at, note]) => [at, note.bytes]));
        if (made) states.push({ id: made.id, notes, unseen: new Set(vault.unseen) });
      }
      const other = await again();
      expect(await other.log({ limit: 1000 })).toEqual(await history.log({ limit: 1000 }));
      let compared = 0;
      for (const { id, notes, unseen } of states) {
        for (const now of vault.notes.keys()) {
          const then = (await other.nameAt(path(now), id)) ?? "";
          if (unseen.has(now) || unseen.has(then)) continue;
          const bytes = await other.read(path(now), id);
          expect(text(bytes), `${now} at ${id}`).toBe(text(notes.get(then) ?? null));
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(300);
    });
  });
}
