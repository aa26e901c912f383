/** Files that are no notes, on the native surface: listed, found unused, and the links that lead to them. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FILES } from "./attachments.ts";
import { openNative, type NativeSession } from "./native-session.ts";

let session: NativeSession;
beforeAll(async () => {
  session = await openNative({}, { folder: true });
  const { root } = session.vault;
  for (const [path, bytes] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root!, path)), { recursive: true });
    writeFileSync(join(root!, path), bytes);
  }
  await session.vault.notebook.refresh();
});
afterAll(() => session.close());

const files = Object.keys(FILES)
  .filter((path) => !path.endsWith(".md"))
  .toSorted();
const listed = async (input: object): Promise<string[]> =>
  (await session.done("list_notes", input)).data["files"].map(({ path }: { path: string }) => path);
const refused = async (tool: string, input: object): Promise<string> => {
  const said = await session.call(tool, input);
  expect(said.isError).toBe(true);
  return said.text;
};

describe("list_notes", () => {
  test("what: files gives every file that is no note, with its size and time", async () => {
    const { text, data } = await session.done("list_notes", { what: "files" });
    expect(data["files"].map(({ path }: { path: string }) => path)).toEqual(files);
    expect(data["total"]).toBe(files.length);
    expect(text.split("\n")[0]).toBe(`${files.length} files.`);
    expect(text).toMatch(/^Area\/table\.csv 8 bytes 20\d\d-\d\d-\d\dT\d\d:\d\dZ$/m);
    expect(data["notes"]).toBeUndefined();
  });

  test("a page at a time, each file once, under odd names too", async () => {
    const { root, notebook } = session.vault;
    writeFileSync(join(root!, "100% & Ü\u{1f600}.png"), "x");
    await notebook.refresh();
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await session.done("list_notes", {
        what: "files",
        limit: 3,
        ...(cursor && { cursor }),
      });
      expect(data["total"]).toBe(files.length + 1);
      found.push(...data["files"].map(({ path }: { path: string }) => path));
      cursor = data["cursor"];
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual([...files, "100% & Ü\u{1f600}.png"].toSorted());
    rmSync(join(root!, "100% & Ü\u{1f600}.png"));
    await notebook.refresh();
  });

  test("of a folder, in whatever case it is written", async () => {
    const inArea = files.filter((path) => path.startsWith("Area/"));
    for (const folder of ["Area", "Area/", "/Area", "area"])
      expect(await listed({ what: "files", folder })).toEqual(inArea);
    expect(await listed({ what: "files", folder: "Area/IMG" })).toEqual(["Area/img/one.png"]);
  });

  test("what: unused gives those that no link leads to", async () => {
    const { text, data } = await session.done("list_notes", { what: "unused" });
    const unused = data["files"].map(({ path }: { path: string }) => path);
    expect(unused).toContain("unused.zip");
    expect(unused).not.toContain("Area/img/one.png");
    expect(unused).not.toContain("Area/table.csv");
    expect(text).toContain(" files that no link leads to.");
    expect((await session.done("list_notes", { what: "unused", folder: "Area/docs" })).text).toBe(
      "0 files that no link leads to.",
    );
  });

  test.each([
    [{ what: "files", cursor: "%E0%A4%A" }, "not one of this list"],
    [{ what: "files", folder: "Nowhere" }, 'There is no folder "Nowhere/"'],
    [{ what: "unused", folder: "../.." }, "path_refused"],
    [{ what: "files", folder: ".obsidian" }, "path_refused"],
    [{ what: "files", limit: 0 }, "limit is a number from 1"],
  ])("%j is refused", async (input, said) => {
    expect(await refused("list_notes", input)).toContain(said);
  });
});

describe("get_links", () => {
  const from = async (input: object): Promise<string[]> =>
    (await session.done("get_links", input)).data["links"].map(
      ({ from: source, to }: { from: string; to: string }) => `${source} → ${to}`,
    );

  test("of a file gives the links that lead to it, with their lines", async () => {
    const { text, data } = await session.done("get_links", { note: "Area/docs/a b.pdf" });
    expect(data["links"].map((link: { from: string }) => link.from)).toEqual([
      "Home.md",
      "Home.md",
      "other/Note.md",
      "outside.canvas",
    ]);
    expect(text).toMatch(/^4 links\.\n← Home\.md, line 6: /);
    expect(text).not.toContain("broken");
  });

  test("by name, link, address, or in another case, where one file alone can be meant", async () => {
    const links = ["Home.md → Area/table.csv", "Home.md → Area/table.csv"];
    for (const note of [
      "Area/table.csv",
      "table.csv",
      "[[table.csv]]",
      "note:///Area/table.csv",
      "/area/TABLE.csv",
      join(session.vault.root!, "Area/table.csv"),
    ])
      expect(await from({ note })).toEqual(links);
    expect(await from({ note: "a b.pdf#page=3", limit: 1 })).toEqual(["Home.md → Area/docs/a b.pdf"]);
  });

  test("out of a file there are none that we know of, and the answer says so", async () => {
    const { text } = await session.done("get_links", { note: "Area/img/one.png", direction: "out" });
    expect(text).toMatch(/^0 links\.\nOf a file the links that lead to it are listed/);
  });

  test("of a note gives its links to files, too, in the order of lines", async () => {
    expect(await from({ note: "Area/sub/Deep.md", direction: "out" })).toEqual(
      expect.arrayContaining([
        "Area/sub/Deep.md → Area/Plan.md",
        "Area/sub/Deep.md → Area/img/one.png",
        "Area/sub/Deep.md → shared/two.png",
      ]),
    );
  });

  test.each([
    [{ note: "one.png" }, "name_ambiguous: Several files are called"],
    [{ note: "Area/one.png" }, 'There is no file "Area/one.png"'],
    [{ note: "none.png" }, 'There is no file "none.png". list_notes with what "files"'],
    [{ note: "../outside.png" }, "path_refused"],
    [{ note: ".obsidian/icon.png" }, "path_refused"],
    [{ note: "/etc/passwd.png\u0000" }, "path_refused"],
    [{ note: "Home.md", to: "Area/img/one.png" }, "A chain joins notes"],
  ])("%j is refused", async (input, said) => {
    expect(await refused("get_links", input)).toContain(said);
  });
});

test("a name that ends as files do is that of a note where there is no such file", async () => {
  const { root, notebook } = session.vault;
  writeFileSync(join(root!, "drawn.canvas.md"), "A note.\n");
  await notebook.refresh();
  expect((await session.done("read_notes", { notes: ["drawn.canvas"] })).blocks[1]).toBe("A note.\n");
  expect((await session.done("get_links", { note: "drawn.canvas" })).text).toBe("0 links.");
  rmSync(join(root!, "drawn.canvas.md"));
  await notebook.refresh();
});
