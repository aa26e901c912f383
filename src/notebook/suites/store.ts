/** What every store must do, as tests to call: the contract of NoteStore, in its unpleasant cases. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NoteError } from "../../markdown/errors.ts";
import { NOTE_LIMIT, type NoteStore } from "../parts.ts";
import { notePath, rulePath } from "../paths.ts";
import { describeAttachments } from "./store-attachments.ts";
import { describeMoves } from "./store-moves.ts";
import { put, refusalOf, storeVault } from "./store-vault.ts";

/** `given`: texts of files that are there already, by their paths. */
export type OpenStore = (
  given?: Record<string, string>,
) => Promise<{ store: NoteStore; cleanup(): Promise<void> }>;

export function describeStore(name: string, open: OpenStore): void {
  describe(name, () => {
    let store: NoteStore;
    let cleanup: () => Promise<void>;

    beforeEach(async () => {
      ({ store, cleanup } = await open());
    });
    afterEach(() => cleanup());

    const vault = storeVault(() => store);
    const { apply, text, version, shown, listed } = vault;

    describe("reading", () => {
      test("an empty vault has nothing", async () => {
        expect(await listed()).toEqual([]);
        expect(await store.folder("")).toEqual({ notes: [], attachments: [], folders: [] });
        expect(await store.rules()).toEqual([]);
        expect(await store.settings()).toBeNull();
      });

      test("what is absent is null, in a missing folder too, and below a note", async () => {
        await apply(put("note.md", "text"));
        expect(await store.read(notePath("other.md"))).toBeNull();
        expect(await store.read(notePath("no/such/folder/other.md"))).toBeNull();
        expect(await store.read(notePath("note.md/below.md"))).toBeNull();
        expect(await store.stat(notePath("other.md"))).toBeNull();
        expect(await store.folder("no/such")).toBeNull();
      });

      test("a note has its bytes, their git blob id, its size and time", async () => {
        const [stat] = await apply(put("a/b/c/deep.md", "hello\n"));
        const note = await store.read(notePath("a/b/c/deep.md"));
        expect(note).toMatchObject({
          path: "a/b/c/deep.md",
          size: 6,
          version: "ce013625030ba8dba906f756967f9e9ca394464a",
        });
        expect(note!.stamp).toBe(stat!.stamp);
        expect(await store.stat(notePath("a/b/c/deep.md"))).toEqual(stat);
        expect(Math.abs(note!.modified.getTime() - Date.now())).toBeLessThan(3_600_000);
      });

      test("every byte comes back: empty text, NUL, CRLF, BOM, no UTF-8", async () => {
        const odd = [[], [0], [13, 10], [0xef, 0xbb, 0xbf, 65], [0xff, 0xfe, 0xc0], [32, 32, 10, 10]];
        for (const [at, bytes] of odd.entries())
          await apply({ path: notePath(`odd ${at}.md`), bytes: Uint8Array.from(bytes), expect: "absent" });
        for (const [at, bytes] of odd.entries())
          expect([...(await store.read(notePath(`odd ${at}.md`)))!.bytes]).toEqual(bytes);
      });

      test("what is given away is the reader's own", async () => {
        await apply(put("note.md", "text"));
        (await store.read(notePath("note.md")))!.bytes.fill(0);
        expect(await text("note.md")).toBe("text");
      });

      test("a folder shows its own notes and the folders directly below, by their whole path", async () => {
        await apply(put("top.md", ""), put("a/one.md", ""), put("a/two.md", ""), put("a/b/c/three.md", ""));
        expect(await shown("")).toEqual({ notes: ["top.md"], folders: ["a"] });
        expect(await shown("a")).toEqual({ notes: ["a/one.md", "a/two.md"], folders: ["a/b"] });
        expect(await shown("a/b")).toEqual({ notes: [], folders: ["a/b/c"] });
      });

      test("several thousand notes are listed once each, in more than one batch", async () => {
        const paths = Array.from({ length: 2500 }, (_, at) => `folder ${at % 2}/note ${at}.md`);
        await apply(...paths.map((path) => put(path, path)));
        let batches = 0;
        const found: string[] = [];
        for await (const { notes } of store.list()) {
          batches++;
          found.push(...notes.map((stat) => stat.path));
        }
        expect(batches).toBeGreaterThan(1);
        expect(found.toSorted()).toEqual(paths.toSorted());
        expect(await text("folder 1/note 2499.md")).toBe("folder 1/note 2499.md");
      });
    });

    describe("writing", () => {
      test("writing again changes stamp and version; the rest of the vault stays", async () => {
        const [first, other] = await apply(put("a.md", "one"), put("b.md", "other"));
        const [second] = await apply(put("a.md", "two", { expect: await version("a.md") }));
        expect(second!.stamp).not.toBe(first!.stamp);
        expect(await text("a.md")).toBe("two");
        expect(await store.stat(notePath("b.md"))).toEqual(other);
      });

      test("names may be long, and in any script", async () => {
        const names = [
          "Ünïcödé 日本語 🙂.md",
          `${"x".repeat(200)}.md`,
          "a.b.c.md",
          "-rf.md",
          "100%.md",
          "__proto__.md",
        ];
        await apply(...names.map((path) => put(path, path)));
        expect(await listed()).toEqual(names.toSorted());
        for (const path of names) expect(await text(path)).toBe(path);
      });

      test("a note above the limit is refused", async () => {
        const bytes = new Uint8Array(NOTE_LIMIT + 1);
        expect(await refusalOf(apply({ path: notePath("big.md"), bytes }))).toBe("too_large");
        await apply({ path: notePath("just.md"), bytes: bytes.subarray(1) });
        expect((await store.read(notePath("just.md")))!.size).toBe(NOTE_LIMIT);
      });

      test("one stale expectation refuses the whole list, and nothing is written", async () => {
        await apply(put("a.md", "one"), put("b.md", "two"));
        const stale = await version("a.md");
        await apply(put("a.md", "newer"));
        const list = [
          put("new.md", "new", { expect: "absent" }),
          put("b.md", "changed", { expect: await version("b.md") }),
          put("a.md", "lost", { expect: stale }),
        ];
        await expect(apply(...list)).rejects.toMatchObject({
          code: "version_conflict",
          details: { by: "store", path: "a.md", expected: stale, actual: await version("a.md") },
        });
        expect(await listed()).toEqual(["a.md", "b.md"]);
        expect(await text("b.md")).toBe("two");
      });

      test("expectations of what is there, and is not", async () => {
        await apply(put("a.md", "one"));
        const gone = put("b.md", "x", { expect: await version("a.md") });
        expect(await refusalOf(apply(put("a.md", "x", { expect: "absent" })))).toBe("version_conflict");
        expect(await refusalOf(apply(gone))).toBe("version_conflict");
        expect(await text("a.md")).toBe("one");
        await apply(put("a.md", "whatever was there"));
        expect(await text("a.md")).toBe("whatever was there");
      });

      test.each([
        ".git/x.md",
        ".notewright/x.md",
        "a/.hidden/x.md",
        "../x.md",
        "a/../x.md",
        "x.txt",
        "a//x.md",
        ".trash",
      ])("a put to %s is refused", async (path) => {
        expect(await refusalOf(apply(put(path, "x")))).toBe("path_refused");
        expect(await listed()).toEqual([]);
      });

      test("outside alone nothing is applied", async () => {
        await expect(store.apply([put("a.md", "x")])).rejects.toThrow("alone");
        expect(await listed()).toEqual([]);
      });
    });

    describeMoves(vault);
    describeAttachments(open);

    test("rule files are read and written like notes, and listed apart", async () => {
      const rules = ["z", "a/deep", "a"].map((rule) => rulePath(`.llm_bridges/knowledge_base/${rule}.md`));
      await apply(...rules.map((rule) => put(rule, rule)), put("note.md", ""));
      const found = await store.rules();
      expect(found.map((rule) => rule.path)).toEqual(rules.toSorted());
      await apply(put(rules[0]!, "changed", { expect: await version(rules[0]!) }));
      const again = await store.rules();
      expect(again.filter((rule, at) => rule.stamp !== found[at]!.stamp)).toHaveLength(1);
      expect(await listed()).toEqual(["note.md"]);
    });

    describe("alone", () => {
      test("two writers that read, think and write lose nothing", async () => {
        await apply(put("log.md", ""));
        const append = (line: string) =>
          store.alone(async () => {
            const before = await text("log.md");
            await new Promise((resolve) => setTimeout(resolve, 1));
            await store.apply([put("log.md", `${before}${line}\n`, { expect: await version("log.md") })]);
          });
        const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
        await Promise.all(lines.map(append));
        expect(await text("log.md")).toBe(lines.map((line) => `${line}\n`).join(""));
      });

      test("what fails inside is passed on, and the next one has its turn", async () => {
        const failing = store.alone(async () => {
          throw new NoteError("rule_broken", "no");
        });
        const next = store.alone(async () => "next");
        expect(await refusalOf(failing)).toBe("rule_broken");
        expect(await next).toBe("next");
      });
    });
  });
}
