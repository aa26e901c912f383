/** What every store must do when notes move, go, or differ only in the spelling of their names. */

import { describe, expect, test } from "vitest";
import type { Put } from "../parts.ts";
import { notePath, type TrashPath } from "../paths.ts";
import { put, refusalOf, type StoreVault } from "./store-vault.ts";

export function describeMoves({ store, apply, text, version, listed }: StoreVault): void {
  describe("moving", () => {
    test("a move keeps bytes and time, and makes the folders it needs", async () => {
      const [before] = await apply(put("a.md", "text\r\n"));
      const now = await version("a.md");
      const [after] = await apply(put("x/y/b.md", "text\r\n", { from: notePath("a.md"), expect: now }));
      expect(after).toMatchObject({ path: "x/y/b.md", modified: before!.modified });
      expect(await listed()).toEqual(["x/y/b.md"]);
      expect(await version("x/y/b.md")).toBe(now);
    });

    test("a move, its edit, and edits of others are one list", async () => {
      await apply(put("a.md", "a"), put("links.md", "[[a]]"));
      await apply(put("b.md", "a, moved", { from: notePath("a.md") }), put("links.md", "[[b]]"));
      expect(await listed()).toEqual(["b.md", "links.md"]);
      expect([await text("b.md"), await text("links.md")]).toEqual(["a, moved", "[[b]]"]);
    });

    test("two names are swapped in one list", async () => {
      await apply(put("a.md", "from a"), put("b.md", "from b"));
      await apply(
        put("b.md", "from a", { from: notePath("a.md"), expect: await version("a.md") }),
        put("a.md", "from b", { from: notePath("b.md"), expect: await version("b.md") }),
      );
      expect([await text("a.md"), await text("b.md")]).toEqual(["from b", "from a"]);
    });

    test("a name that is given up in the same list can be taken", async () => {
      await apply(put("a.md", "a"), put("b.md", "b"));
      await apply({ path: notePath("b.md"), bytes: null }, put("b.md", "a", { from: notePath("a.md") }));
      expect([await listed(), await text("b.md")]).toEqual([["b.md"], "a"]);
    });

    test("a name that is given up in the same list can be given to a new note", async () => {
      await apply(put("a.md", "a"));
      await apply(
        put("b.md", "a", { from: notePath("a.md") }),
        put("a.md", "a new one", { expect: "absent" }),
      );
      expect([await text("a.md"), await text("b.md")]).toEqual(["a new one", "a"]);
    });

    test("a name that is taken stays as it is; so does what was to move", async () => {
      await apply(put("a.md", "a"), put("b.md", "b"));
      expect(await refusalOf(apply(put("b.md", "a", { from: notePath("a.md") })))).toBe("version_conflict");
      expect([await text("a.md"), await text("b.md")]).toEqual(["a", "b"]);
    });

    test("a move of nothing, and of another version", async () => {
      await apply(put("a.md", "a"), put("c.md", "c"));
      const other = { from: notePath("a.md"), expect: await version("c.md") };
      expect(await refusalOf(apply(put("b.md", "a", other)))).toBe("version_conflict");
      expect(await refusalOf(apply(put("b.md", "x", { from: notePath("missing.md") })))).toBe("note_missing");
      expect(await listed()).toEqual(["a.md", "c.md"]);
    });

    test.each([
      ["Plan.md", "plan.md"],
      ["caf\u00e9.md", "Caf\u00e9.md"],
      ["deep/STRASSE.md", "deep/Strasse.md"],
    ])("only the case changes, from %s to %s", async (from, to) => {
      await apply(put(from, "text"));
      await apply(put(to, "text", { from: notePath(from) }));
      expect(await listed()).toEqual([to]);
      await apply(put(from, "edited too", { from: notePath(to) }));
      expect([await listed(), await text(from)]).toEqual([[from], "edited too"]);
    });
  });

  describe("names that differ only by case or Unicode form", () => {
    test.each([
      ["Note.md", "note.md"],
      ["caf\u00e9.md", "cafe\u0301.md"],
      ["a/ÄRGER.md", "a/ärger.md"],
    ])("%s keeps %s from being made", async (there, twin) => {
      await apply(put(there, "first"));
      const refused = apply(put("fine.md", ""), put(twin, "second"));
      expect(await refusalOf(refused)).toBe("note_exists");
      expect([await listed(), await text(there)]).toEqual([[there], "first"]);
    });

    test("two in one list are refused", async () => {
      expect(await refusalOf(apply(put("A.md", "1"), put("a.md", "2")))).toBe("note_exists");
      expect(await listed()).toEqual([]);
    });

    test("a folder is spelled the way it is", async () => {
      await apply(put("Work/a.md", ""));
      expect(await refusalOf(apply(put("work/b.md", "")))).toBe("path_refused");
      const folders = (await store().folder(""))!.folders;
      expect(folders).toEqual(["Work"]);
    });

    test("a move to a twin of another note is refused", async () => {
      await apply(put("a.md", "a"), put("Other.md", "o"));
      const moved = apply(put("other.md", "a", { from: notePath("a.md") }));
      expect(await refusalOf(moved)).toBe("note_exists");
      expect(await listed()).toEqual(["Other.md", "a.md"]);
    });
  });

  describe("removing", () => {
    test("a removed note is gone; removing it again is refused", async () => {
      await apply(put("a/b.md", "text"), put("c.md", ""));
      expect(await apply({ path: notePath("a/b.md"), bytes: null })).toEqual([null]);
      expect(await listed()).toEqual(["c.md"]);
      expect(await refusalOf(apply({ path: notePath("a/b.md"), bytes: null }))).toBe("note_missing");
    });

    test("only the version that was expected is removed", async () => {
      await apply(put("a.md", "one"));
      const old = await version("a.md");
      await apply(put("a.md", "two"));
      const removal: Put = { path: notePath("a.md"), bytes: null, expect: old };
      expect(await refusalOf(apply(removal))).toBe("version_conflict");
      expect(await text("a.md")).toBe("two");
    });

    test("the trash keeps every note of one name, unlisted", async () => {
      const path = notePath("folder/name.md");
      const places: string[] = [];
      for (const round of ["first", "second", "third"]) {
        await apply(put(path, round));
        places.push(
          await store().alone(async () => {
            const [trash] = await store().trashPlaces([path]);
            await store().apply([{ path, bytes: null, trash: trash! }]);
            return trash!;
          }),
        );
      }
      expect(places).toEqual([".trash/name.md", ".trash/name (2).md", ".trash/name (3).md"]);
      expect(await Promise.all(places.map(text))).toEqual(["first", "second", "third"]);
      expect(await listed()).toEqual([]);
    });

    test("many that are removed at once get a place each, however they are spelled", async () => {
      await apply(put("a.md", "a"));
      await apply({ path: notePath("a.md"), bytes: null, trash: ".trash/a.md" as TrashPath });
      const paths = ["x/a.md", "b.md", "y/A.md", "a", "z/a.md", "a (2).md", "B.md", "x/b.md"];
      expect(await store().trashPlaces(paths)).toEqual(
        ["a (2).md", "b.md", "A (3).md", "a", "a (4).md", "a (2) (2).md", "B (2).md", "b (3).md"].map(
          (name) => `.trash/${name}`,
        ),
      );
    });

    test("a place in the trash that is taken is not overwritten", async () => {
      await apply(put("a.md", "a"), put("b.md", "b"));
      const trash = ".trash/a.md" as TrashPath;
      await apply({ path: notePath("a.md"), bytes: null, trash });
      expect(await refusalOf(apply({ path: notePath("b.md"), bytes: null, trash }))).toBe("version_conflict");
      expect([await text(".trash/a.md"), await text("b.md")]).toEqual(["a", "b"]);
    });
  });
}
