/** What every store must do with files that are no notes: read them as their pointers, move and remove them with their bytes, and find them in the trash. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { NoteStore, Put } from "../parts.ts";
import { notePath, type AttachmentPath, type NotePath, type TrashPath } from "../paths.ts";
import { put, refusalOf, storeVault } from "./store-vault.ts";
import type { OpenStore } from "./store.ts";

const PICTURE = "\u0089PNG, and bytes of no note\u0000";
const OTHER = "another picture";
const CANVAS = '{"nodes":[{"type":"file","file":"a/pic.png"}]}';
const FILES = {
  "a/pic.png": PICTURE,
  "a/b/other.png": OTHER,
  "a/empty.bin": "",
  "a/b/board.canvas": CANVAS,
  "a/note.md": "![[a/pic.png]]\n",
};
/** The hash of PICTURE. */
const SHA256 = "753e13405d00a8b1eecb100d936859f8396c6fa1f02f09143a24d34be4086a69";

export function describeAttachments(open: OpenStore): void {
  describe("attachments", () => {
    let store: NoteStore;
    let cleanup: () => Promise<void>;
    beforeEach(async () => {
      ({ store, cleanup } = await open(FILES));
    });
    afterEach(() => cleanup());

    const { apply, text, version, listed } = storeVault(() => store);
    const bytes = async (path: string): Promise<string | null> => {
      const file = await store.bytes(path as AttachmentPath, 1e6);
      return file && new TextDecoder("utf-8", { ignoreBOM: true }).decode(file.bytes);
    };
    const files = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { attachments } of store.list()) found.push(...attachments.map(({ path }) => path));
      return found.toSorted();
    };
    /** A move of a file as it is. */
    const moved = async (from: string, to: string): Promise<Put> => {
      const file = (await store.read(from as NotePath))!;
      return { path: to as NotePath, from: from as NotePath, bytes: file.bytes, expect: file.version };
    };

    test("one is read as its pointer, whose version is its own; its bytes are apart", async () => {
      const size = new TextEncoder().encode(PICTURE).length;
      const file = (await store.read("a/pic.png" as NotePath))!;
      expect(new TextDecoder().decode(file.bytes)).toBe(
        `version https://git-lfs.github.com/spec/v1\noid sha256:${SHA256}\nsize ${size}\n`,
      );
      expect([file.size, file.path]).toEqual([size, "a/pic.png"]);
      expect(await version("a/pic.png")).toBe(file.version);
      expect([await bytes("a/pic.png"), await bytes("a/empty.bin")]).toEqual([PICTURE, ""]);
      expect(await store.read("a/none.png" as NotePath)).toBeNull();
    });

    test("a move keeps bytes and time, with the edit of a note that embeds it", async () => {
      const before = (await store.stat("a/pic.png" as AttachmentPath))!;
      const [after] = await apply(await moved("a/pic.png", "x/y.png"), put("a/note.md", "![[x/y.png]]\n"));
      expect(after).toMatchObject({ path: "x/y.png", size: before.size, modified: before.modified });
      expect([await bytes("x/y.png"), await bytes("a/pic.png")]).toEqual([PICTURE, null]);
      expect(await files()).toEqual(["a/b/board.canvas", "a/b/other.png", "a/empty.bin", "x/y.png"]);
      expect(await text("a/note.md")).toBe("![[x/y.png]]\n");
      await apply(await moved("x/y.png", "a/pic.png"));
      expect(await bytes("a/pic.png")).toBe(PICTURE);
    });

    test("an empty one moves, too", async () => {
      await apply(await moved("a/empty.bin", "empty.bin"));
      expect([await bytes("empty.bin"), await store.stat("a/empty.bin" as AttachmentPath)]).toEqual([
        "",
        null,
      ]);
    });

    test("two names are swapped, and a name that is given up is taken, each in one list", async () => {
      await apply(await moved("a/pic.png", "a/b/other.png"), await moved("a/b/other.png", "a/pic.png"));
      expect([await bytes("a/pic.png"), await bytes("a/b/other.png")]).toEqual([OTHER, PICTURE]);
      await apply(await moved("a/pic.png", "third.png"), await moved("a/b/other.png", "a/pic.png"));
      expect([await bytes("third.png"), await bytes("a/pic.png")]).toEqual([OTHER, PICTURE]);
      expect(await bytes("a/b/other.png")).toBeNull();
    });

    test("only the case of its name changes", async () => {
      await apply(await moved("a/pic.png", "a/PIC.png"));
      expect([await bytes("a/PIC.png"), (await files()).includes("a/pic.png")]).toEqual([PICTURE, false]);
    });

    test("a name that is taken, or differs only in spelling, is refused, and so is another version", async () => {
      expect(await refusalOf(apply(await moved("a/pic.png", "a/b/other.png")))).toBe("version_conflict");
      expect(await refusalOf(apply(await moved("a/pic.png", "a/b/OTHER.png")))).toBe("note_exists");
      const stale = { ...(await moved("a/pic.png", "b.png")), expect: await version("a/b/other.png") };
      expect(await refusalOf(apply(put("new.md", "x"), stale))).toBe("version_conflict");
      expect([await bytes("a/pic.png"), await listed()]).toEqual([PICTURE, ["a/note.md"]]);
    });

    test("nobody writes its bytes, and no pointer is put where bytes should be", async () => {
      expect(await refusalOf(apply(put("new.png", "bytes")))).toBe("path_refused");
      const { bytes: pointer } = (await store.read("a/b/other.png" as NotePath))!;
      const wrong = { ...(await moved("a/pic.png", "b.png")), bytes: pointer };
      expect(await refusalOf(apply(wrong))).toBe("version_conflict");
      expect([await bytes("a/pic.png"), await bytes("b.png")]).toEqual([PICTURE, null]);
    });

    test("a canvas is text: its version is that of its bytes, and it is rewritten as it moves", async () => {
      expect(await text("a/b/board.canvas")).toBe(CANVAS);
      const changed = CANVAS.replace("a/pic.png", "pic.png");
      const expected = await version("a/b/board.canvas");
      await apply(
        put("board.canvas", changed, { from: "a/b/board.canvas" as NotePath, expect: expected }),
        await moved("a/pic.png", "pic.png"),
      );
      expect([await text("board.canvas"), await bytes("board.canvas")]).toEqual([changed, changed]);
      expect(await store.read("a/b/board.canvas" as NotePath)).toBeNull();
    });

    test("what is removed lies in the trash, is found there by name and version, and taken back", async () => {
      const removed = async (path: string): Promise<TrashPath> => {
        const [trash] = (await store.trashPlaces([path])) as [TrashPath];
        await apply({ path: path as NotePath, bytes: null, trash, expect: await version(path) });
        return trash;
      };
      const wanted = await Promise.all(
        ["a/pic.png", "a/note.md"].map(async (path) => ({
          path: notedAs(path),
          version: await version(path),
        })),
      );
      const places = [await removed("a/pic.png"), await removed("a/note.md")];
      await apply(await moved("a/b/other.png", "a/pic.png"));
      const second = await removed("a/pic.png");
      expect([...places, second]).toEqual([".trash/pic.png", ".trash/note.md", ".trash/pic (2).png"]);
      expect(await store.trashed([...wanted, wanted[0]!])).toEqual([...places, null]);
      expect(await store.trashed([{ ...wanted[0]!, path: notePath("note.md") }])).toEqual([null]);
      const file = (await store.read(places[0] as string as NotePath))!;
      await apply({
        path: notedAs("a/pic.png"),
        from: places[0]!,
        bytes: file.bytes,
        expect: wanted[0]!.version,
      });
      expect([await bytes("a/pic.png"), await bytes(second)]).toEqual([PICTURE, OTHER]);
      expect(await store.trashed(wanted)).toEqual([null, places[1]]);
      expect(await files()).toEqual(["a/b/board.canvas", "a/empty.bin", "a/pic.png"]);
    });

    test("a folder is told with all that it holds", async () => {
      const tree = (await store.tree("a", 100))!;
      expect({ ...tree, attachments: tree.attachments.toSorted(), folders: tree.folders.toSorted() }).toEqual(
        {
          notes: ["a/note.md"],
          attachments: ["a/b/board.canvas", "a/b/other.png", "a/empty.bin", "a/pic.png"],
          folders: ["a", "a/b"],
          obstacles: [],
        },
      );
      expect(await store.tree("none", 100)).toBeNull();
    });
  });
}

const notedAs = (path: string): NotePath => path as NotePath;
