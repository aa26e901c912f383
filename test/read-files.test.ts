/** Reading files that are no notes: images as images, canvases, bases and SVG as text, everything else refused by name; within bounds, whatever they hold. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GIF, JPEG, png, WEBP } from "./images.ts";
import { openNative, type NativeSession } from "./native-session.ts";

const LIMIT = 700_000;
const MiB = 1024 * 1024;
const CANVAS = JSON.stringify({
  nodes: [
    { id: "a", type: "file", file: "Area/Plan.md" },
    { id: "b", type: "text", text: "Why?\nBecause." },
  ],
  edges: [{ id: "e", fromNode: "a", toNode: "b" }],
});

const FILES: Record<string, string | Uint8Array> = {
  "Note.md": "A note with ![[dot.png]].\n",
  "img/dot.png": png(1, 1),
  "img/dot.jpg": JPEG,
  "img/dot.gif": GIF,
  "img/dot.webp": WEBP,
  "img/called.txt": png(2, 3),
  "img/wrong.png": JPEG,
  "img/fits.png": png(8000, 1, LIMIT),
  "img/heavy.png": png(40, 30, LIMIT + 1),
  "img/wide.png": png(8001, 1),
  "img/a.png": png(1, 1, 300_000),
  "img/b.png": png(1, 1, 300_000),
  "img/c.png": png(1, 1, 300_000),
  "img/broken off.png": png(9, 9).subarray(0, 40),
  "img/broken off.jpg": JPEG.subarray(0, JPEG.length - 2),
  "img/no side.png": png(0, 9),
  "img/none.png": "PK\x03\x04 not an image",
  "img/empty.png": "",
  "draw.svg": '<svg xmlns="http://www.w3.org/2000/svg">\n<text>Hello</text>\n</svg>\n',
  "not text.svg": Uint8Array.from([0xff, 0xfe, 0x3c, 0]),
  "board.canvas": CANVAS,
  "damaged.canvas": '{"nodes":[',
  "table.base": "views:\n  - type: table\n",
  "archive.zip": "PK\x03\x04",
  "sound.mp3": "ID3",
  "data.csv": "a,b\n",
  "paper.pdf": "%PDF-1.4\n",
  "long.svg": `<svg>\n${"<g/> some words\n".repeat(20_000)}</svg>\n`,
};
/** Larger than any memory, and no bytes on the disk. */
const ENDLESS = 3_000_000_000_000;

let session: NativeSession;
let outside: string;
beforeAll(async () => {
  session = await openNative({}, { folder: true });
  const root = session.vault.root!;
  for (const [path, bytes] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  for (const [name, bytes] of [
    ["endless.png", png(640, 480)],
    ["endless.svg", "<svg>"],
    ["endless.canvas", CANVAS],
    ["endless.bin", ""],
  ] as const) {
    writeFileSync(join(root, name), bytes);
    truncateSync(join(root, name), ENDLESS);
  }
  outside = mkdtempSync(join(tmpdir(), "notewright-outside-"));
  writeFileSync(join(outside, "secret.png"), png(7, 7));
  symlinkSync(join(outside, "secret.png"), join(root, "linked.png"));
  symlinkSync(outside, join(root, "away"));
  execFileSync("mkfifo", [join(root, "pipe.png")]);
  mkdirSync(join(root, ".obsidian"));
  writeFileSync(join(root, ".obsidian/icon.png"), png(1, 1));
  await session.vault.notebook.refresh();
});
afterAll(async () => {
  await session.close();
  rmSync(outside, { recursive: true });
});

type Block = { type: string; text?: string; data?: string; mimeType?: string };
const read = async (notes: string | string[], more: object = {}) => {
  const result = await session.client.callTool({
    name: "read_notes",
    arguments: { notes: [notes].flat(), ...more },
  });
  const content = result.content as Block[];
  return {
    content,
    data: result.structuredContent,
    isError: result.isError === true,
    all: JSON.stringify(result),
  };
};
const refused = async (note: string, more: object = {}): Promise<string> => {
  const { content, isError } = await read(note, more);
  expect(isError).toBe(true);
  expect(content).toHaveLength(1);
  return content[0]!.text!;
};

describe("an image", () => {
  test.each([
    ["img/dot.png", "image/png", "1 × 1 px"],
    ["img/dot.jpg", "image/jpeg", "1 × 1 px"],
    ["img/dot.gif", "image/gif", "1 × 1 px"],
    ["img/dot.webp", "image/webp", "1 × 1 px"],
    ["img/called.txt", "image/png", "2 × 3 px"],
    ["img/wrong.png", "image/jpeg", "1 × 1 px"],
    ["img/fits.png", "image/png", "8000 × 1 px"],
  ])("%s comes as %s by its bytes, whole, and without structured content", async (path, type, pixels) => {
    const { content, data, isError, all } = await read(path);
    expect(isError).toBe(false);
    expect(data).toBeUndefined();
    expect(content.map((block) => block.type)).toEqual(["text", "image"]);
    expect(content[0]!.text).toMatch(new RegExp(`^${path} \\(${type}, .*, ${pixels}\\)$`));
    expect(content[1]!.mimeType).toBe(type);
    expect(Buffer.from(content[1]!.data!, "base64").equals(Buffer.from(FILES[path]!))).toBe(true);
    expect(all.length).toBeLessThan(MiB);
  });

  test("stands among notes in the order asked for", async () => {
    const { content, data } = await read(["dot.gif", "Note.md", "[[dot.webp]]", "nothing.png"]);
    expect(content.map(({ type }) => type)).toEqual([
      "text",
      "image",
      "text",
      "text",
      "text",
      "image",
      "text",
    ]);
    expect(content[3]!.text).toBe(FILES["Note.md"]);
    expect(content[6]!.text).toContain('nothing.png: note_missing: There is no file "nothing.png"');
    expect(data).toBeUndefined();
  });

  test("has its share of 700 kB with the others of an answer; what does not fit is named", async () => {
    const { content, all } = await read(["img/a.png", "img/b.png", "img/c.png", "img/dot.png"]);
    expect(content.filter(({ type }) => type === "image")).toHaveLength(3);
    expect(content.at(-1)!.text).toBe("Not shown, for want of room: img/c.png. Ask for them again.");
    expect(all.length).toBeLessThan(MiB);
  });

  test.each([
    ["img/heavy.png", /too_large: "img\/heavy\.png" \(image\/png, 700 kB, 40 × 30 px\) is too large/],
    ["img/wide.png", /too_large: .*8001 × 1 px\) .*an image may have 700 kB and 8000 px a side/],
    ["endless.png", /too_large: "endless\.png" \(image\/png, 3000 GB, 640 × 480 px\)/],
    ["img/broken off.png", /file_refused: "img\/broken off\.png" .*9 × 9 px\) is damaged/],
    ["img/broken off.jpg", /file_refused: .* is damaged/],
    ["img/no side.png", /file_refused: .* is damaged/],
    ["img/none.png", /file_refused: .*named as an image and does not begin as one/],
    ["img/empty.png", /file_refused: "img\/empty\.png" \(application\/octet-stream, 0 bytes\)/],
  ])("attack 100: %s is refused with what it is", async (path, said) => {
    expect(await refused(path)).toMatch(said);
  });
});

describe("a text", () => {
  test("of an SVG is given as it is, and in lines", async () => {
    const { content, data } = await read("draw.svg");
    expect(content.map((block) => block.text)).toEqual(["draw.svg", FILES["draw.svg"]]);
    expect(data).toEqual({ notes: [{ note: "draw.svg", type: "image/svg+xml", text: FILES["draw.svg"] }] });
    expect((await read("draw.svg", { lines: "2" })).content[1]!.text).toBe("<text>Hello</text>\n");
  });

  test("of a base is its definition", async () => {
    expect((await read("table.base")).content[1]!.text).toBe(FILES["table.base"]);
  });

  test("of a canvas is its nodes and edges", async () => {
    expect((await read("board.canvas")).content[1]!.text).toBe(
      "2 nodes, 1 edge\n1. file: Area/Plan.md\n2. text\n   Why?\n   Because.\n1 → 2\n",
    );
  });

  test("that is long is cut to the room, and says how to go on", async () => {
    const { content } = await read(["long.svg", "draw.svg"]);
    expect(content[0]!.text).toMatch(
      /^long\.svg, lines 1-\d+ of 20002 \(cut: go on with lines "\d+-20002"\)$/,
    );
    expect(content[1]!.text!.length).toBeLessThan(50_000);
  });

  test.each([
    ["not text.svg", /file_refused: .*is damaged: it is no UTF-8 text/],
    ["damaged.canvas", /file_refused: .*is damaged: it is no canvas in JSON/],
    ["endless.svg", /too_large: "endless\.svg" \(image\/svg\+xml, 3000 GB\) .* 8 MiB/],
    ["endless.canvas", /too_large: "endless\.canvas" \(application\/json, 3000 GB\)/],
  ])("attack 100: %s is refused with what it is", async (path, said) => {
    expect(await refused(path)).toMatch(said);
  });
});

test.each([
  [
    "archive.zip",
    /file_refused: "archive\.zip" \(application\/zip, 4 bytes\) cannot be shown\. What can: PNG/,
  ],
  ["sound.mp3", /\(audio\/mpeg, 3 bytes\)/],
  ["data.csv", /\(text\/csv, 4 bytes\)/],
  ["endless.bin", /\(application\/octet-stream, 3000 GB\)/],
])("%s is refused with its type and size", async (path, said) => {
  expect(await refused(path)).toMatch(said);
});

test("the text of a PDF is read where the vault is on a computer, and the answer says so elsewhere", async () => {
  expect(await refused("paper.pdf")).toBe(
    'file_refused: "paper.pdf" is a PDF. The text of PDFs is read where the vault is a folder on your computer, and not by this server.',
  );
});

test.each([
  [{ at: "yesterday" }, "the history keeps no text of files"],
  [{ show: "outline" }, "has no outline"],
])("%j is refused for a file", async (more, said) => {
  expect(await refused("img/dot.png", more)).toContain(said);
});

test("info tells type, size, pixels, time and links of any file", async () => {
  const { content, data } = await read(["img/dot.png", "archive.zip", "endless.png"], { show: "info" });
  expect(content.map((block) => block.type)).toEqual(["text", "text", "text"]);
  expect(content[0]!.text).toMatch(
    /^img\/dot\.png\ntype image\/png, \d+ bytes, 1 × 1 px, modified .*Z\nlinked from 1 note: Note\.md$/,
  );
  expect(data).toMatchObject({
    notes: [
      {
        note: "img/dot.png",
        type: "image/png",
        width: 1,
        height: 1,
        links_in: { total: 1, first: ["Note.md"] },
      },
      { note: "archive.zip", type: "application/zip", bytes: 4, links_in: { total: 0 } },
      { note: "endless.png", bytes: ENDLESS, width: 640 },
    ],
  });
});

test.each([
  "../secret.png",
  "away/../../secret.png",
  "away/secret.png",
  "linked.png",
  "pipe.png",
  ".obsidian/icon.png",
  "%2e%2e/secret.png",
  "note:///../secret.png",
  "img/dot.png/",
  "img\\dot.png",
  "img/dot.png\u0000.md",
  "/etc/passwd.png",
  "~/secret.png",
])("attack 101: no name of a file leads out: %j", async (name) => {
  const said = await refused(name);
  expect(said).toMatch(/^(?:path_refused|note_missing|disk_refused): /);
  expect(said).not.toContain(outside);
});

describe("as resources", () => {
  const uri = (path: string) => `note:///${path}`;
  const contents = async (path: string) =>
    (await session.client.readResource({ uri: uri(path) })).contents[0]!;

  test("files come after the notes, with media type and size, each once", async () => {
    const { resources, nextCursor } = await session.client.request({ method: "resources/list", params: {} });
    expect(nextCursor).toBeUndefined();
    expect(resources[0]!.uri).toBe(uri("Note.md"));
    expect(resources.find((it) => it.uri === uri("img/dot.png"))).toMatchObject({
      name: "dot.png",
      mimeType: "image/png",
      size: png(1, 1).length,
    });
    expect(resources.map((it) => it.uri)).not.toContain(uri("linked.png"));
    expect(new Set(resources.map((it) => it.uri)).size).toBe(resources.length);
    expect(resources).toHaveLength(Object.keys(FILES).length + 4);
  });

  test("an image and other bytes are blobs of their type, texts are text", async () => {
    expect(await contents("img/wrong.png")).toEqual({
      uri: uri("img/wrong.png"),
      mimeType: "image/jpeg",
      blob: Buffer.from(JPEG).toString("base64"),
    });
    expect(await contents("draw.svg")).toEqual({
      uri: uri("draw.svg"),
      mimeType: "image/svg+xml",
      text: FILES["draw.svg"],
    });
    expect(await contents("board.canvas")).toMatchObject({ mimeType: "application/json", text: CANVAS });
    expect(await contents("archive.zip")).toMatchObject({ mimeType: "application/zip" });
    expect(await contents("data.csv")).toMatchObject({ mimeType: "text/csv", text: "a,b\n" });
  });

  test.each([
    ["endless.bin", "larger than 6 MiB"],
    ["linked.png", "path_refused"],
    ["../secret.png", "not found"],
    [".obsidian/icon.png", "not found"],
    ["none of it.png", "There is no file"],
  ])("attack 101: %s is not given", async (path, said) => {
    await expect(session.client.readResource({ uri: uri(path) })).rejects.toThrow(new RegExp(said, "i"));
  });
});

test("a list of several pages of notes and files has each once", async () => {
  const many = await openNative({}, { folder: true });
  const root = many.vault.root!;
  for (let at = 0; at < 100; at++) writeFileSync(join(root, `n${at}.md`), "x");
  for (let at = 0; at < 130; at++) writeFileSync(join(root, `${at} ü#%.png`), "x");
  await many.vault.notebook.refresh();
  const uris: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await many.client.request({ method: "resources/list", params: cursor ? { cursor } : {} });
    expect(page.resources.length).toBeLessThanOrEqual(100);
    uris.push(...page.resources.map((it) => it.uri));
    cursor = page.nextCursor;
  } while (cursor);
  expect([uris.length, new Set(uris).size]).toEqual([230, 230]);
  expect((await many.client.readResource({ uri: uris.at(-1)! })).contents[0]).toMatchObject({ blob: "eA==" });
  await expect(
    many.client.request({ method: "resources/list", params: { cursor: "files:%E0" } }),
  ).rejects.toThrow("cursor");
  await many.close();
});
