/** The calls with which another copy of a vault is compared and brought together with this one, over a real socket. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { base64, fromBase64 } from "../../src/markdown/base64.ts";
import { blobId } from "../../src/disk/hash.ts";
import { encodeText } from "../../src/notebook/note.ts";
import { DEADLINES } from "../../src/notebook/waiting.ts";
import { openIndex } from "../../src/index/note-index.ts";
import { openSql } from "../../src/sqlite/node.ts";
import { openVault, unindexed, type TestVault } from "../vault.ts";
import { named, serveInProcess, type InProcess } from "./in-process.ts";

let vault: TestVault;
let server: InProcess;
beforeAll(async () => {
  vault = await openVault({ folder: true });
  await vault.put("a.md", "one\n");
  await vault.put("b/c.md", "two\n");
  await vault.put("odd.md", new Uint8Array([0xff, 0xfe, 0x00]));
  server = await serveInProcess(
    {},
    [
      named("admin"),
      named("writer", { rights: "write" }),
      named("reader", { rights: "read" }),
      named("kept", { folders: ["b"] }),
      named("tools", { surfaces: ["native"] }),
      named("elsewhere", { vault: "/other" }),
      named("app", { consent: "1", vault: "/other" }),
    ],
    undefined,
    vault.notebook,
  );
});
afterAll(async () => {
  await server.close();
  await vault.close();
});

const call = async (
  name: string,
  body: unknown,
  token = "admin",
  init: RequestInit = {},
  base = server.base,
) => {
  const response = await fetch(`${base}/sync/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...init,
  });
  return { status: response.status, value: (await response.json()) as any };
};
const textOf = (piece: { bytes: string }) => new TextDecoder().decode(fromBase64(piece.bytes)!);
const version = (text: string) => blobId(encodeText(text));
const change = (path: string, text: string | null, expect: string | null, from?: string) => ({
  path,
  ...(from === undefined ? {} : { from }),
  expect,
  bytes: text === null ? null : base64(encodeText(text)),
});
const push = (...changes: object[]) => call("push", { changes, message: "Push notes" });

describe("list", () => {
  test("every note by its version, in pages", async () => {
    const first = await call("list", { limit: 2 });
    expect(first.value).toMatchObject({
      notes: [
        { path: "a.md", version: version("one\n"), size: 4 },
        { path: "b/c.md", version: version("two\n"), size: 4 },
      ],
      next: "b/c.md",
      attachments: 0,
    });
    const rest = await call("list", { after: "b/c.md" });
    expect(rest.value).toMatchObject({ notes: [{ path: "odd.md", size: 3 }], next: null });
  });
});

describe("read", () => {
  test("exact bytes by version, also of a note that is no text; what nobody has is null", async () => {
    const odd = new Uint8Array([0xff, 0xfe, 0x00]);
    const { value } = await call("read", {
      files: [
        { path: "odd.md", version: blobId(odd) },
        { path: "a.md", version: version("one\n") },
        { path: "a.md", version: version("never\n") },
        { path: "gone.md", version: version("one\n") },
      ],
    });
    expect(fromBase64(value.pieces[0].bytes)).toEqual(odd);
    expect(textOf(value.pieces[1])).toBe("one\n");
    expect(value.pieces[2]).toEqual({ size: null, bytes: "" });
    // The history has the text, whichever note it was of.
    expect(value.pieces).toHaveLength(4);
  });

  test("a long note comes in pieces, and no answer is longer than it may be", async () => {
    const text = "0123456789abcdef".repeat(200_000);
    await vault.put("long.md", text);
    const file = { path: "long.md", version: version(text) };
    const first = (await call("read", { files: [file, file] })).value.pieces;
    expect(first).toHaveLength(1);
    expect(first[0].size).toBe(text.length);
    const got = textOf(first[0]);
    expect(got).toHaveLength(2 * 1024 * 1024);
    const more = (await call("read", { files: [{ ...file, from: got.length }] })).value.pieces;
    expect(got + textOf(more[0]) === text).toBe(true);
    await push(change("long.md", null, file.version));
  });
});

describe("push", () => {
  test("changes, moves and removals are one revision, all of it or nothing", async () => {
    await vault.put("x.md", "x\n");
    await vault.put("y.md", "y\n");
    const refused = await push(
      change("x.md", "x2\n", version("x\n")),
      change("y.md", "y2\n", version("another\n")),
    );
    expect(refused).toMatchObject({ status: 422, value: { code: "version_conflict", path: "y.md" } });
    expect((await vault.state()).get("x.md")).toBe("x\n");

    const { value, status } = await push(
      change("x.md", "x2\n", version("x\n")),
      change("z.md", "y\n", version("y\n"), "y.md"),
      change("b/c.md", null, version("two\n")),
      change("new/n.md", "n\r\n", null),
    );
    expect(status).toBe(200);
    const state = await vault.state();
    expect([state.get("x.md"), state.get("z.md"), state.get("y.md")]).toEqual(["x2\n", "y\n", undefined]);
    expect([state.get("new/n.md"), state.get(".trash/c.md")]).toEqual(["n\r\n", "two\n"]);
    const made = await vault.notebook.revision(value.revision);
    expect(made).toMatchObject({ author: "admin", surface: "sync", tool: "push", message: "Push notes" });
    expect(made.changes.map(({ path, from }) => [path, from])).toEqual([
      ["b/c.md", undefined],
      ["new/n.md", undefined],
      ["x.md", undefined],
      ["z.md", "y.md"],
    ]);
  });

  test("names that are odd but were there elsewhere are taken, and bytes that are no text", async () => {
    const bytes = new Uint8Array([1, 0xff, 10]);
    const { status } = await push({ path: "CON. .md", expect: null, bytes: base64(bytes) });
    expect(status).toBe(200);
    const note = await vault.notebook.read("CON. .md" as never);
    expect(new Uint8Array(note.bytes)).toEqual(bytes);
  });
});

test("while an index is not whole, nothing is listed or changed", async () => {
  const sql = await openSql(":memory:");
  const index = openIndex(sql, { clock: { now: () => new Date(), timeZone: "UTC" } });
  const deadlines = { ...DEADLINES, change: 20 };
  const partial = unindexed({ "a.md": "a\n" }, index, { deadlines });
  const other = await serveInProcess({}, [named("admin")], undefined, partial);
  try {
    for (const [name, body] of [
      ["list", {}],
      ["push", { changes: [change("b.md", "b\n", null)], message: "" }],
    ] as const) {
      const { status, value } = await call(name, body, "admin", {}, other.base);
      expect([status, value.code]).toEqual([422, "indexing"]);
    }
  } finally {
    await other.close();
    await partial.close();
  }
});

describe("attack 120: whoever does not administer the whole vault", () => {
  test.each(["writer", "reader", "kept", "tools", "elsewhere"])("%s is refused", async (token) => {
    for (const name of ["list", "read", "push"])
      expect(await call(name, {}, token)).toMatchObject({ status: 403, value: { error: "access_denied" } });
  });

  test("so is nobody, a stranger, and a token for another vault", async () => {
    const before = await vault.state();
    for (const token of ["", "stranger", "app"]) expect((await call("list", {}, token)).status).toBe(401);
    expect(await vault.state()).toEqual(before);
  });

  test("a foreign page is refused, other methods and calls are not there", async () => {
    const headers = { authorization: "Bearer admin", "content-type": "application/json" };
    const foreign = { headers: { ...headers, origin: "https://evil.example" } };
    expect((await call("list", {}, "admin", foreign)).status).toBe(403);
    const got = await fetch(`${server.base}/sync/list`, { headers });
    expect(got.status).toBe(405);
    for (const path of ["sync", "sync/", "sync/other", "sync/list/x", "mcp/sync"])
      expect((await fetch(`${server.base}/${path}`, { method: "POST", headers, body: "{}" })).status).toBe(
        404,
      );
  });
});

describe("attack 121: paths and bytes that are made to do harm", () => {
  test.each(["../x.md", "/etc/x.md", ".git/x.md", ".obsidian/x.md", "a/../x.md", ".md", "x.txt", "a\0.md"])(
    "%s is refused",
    async (path) => {
      const before = await vault.state();
      expect(await push(change("fine.md", "fine\n", null), change(path, "x\n", null))).toMatchObject({
        status: 422,
        value: { code: "path_refused" },
      });
      expect(await vault.state()).toEqual(before);
    },
  );

  test("another spelling of a note, one name twice, letters that are no base64, and too much are refused", async () => {
    const before = await vault.state();
    const codes = [];
    for (const changes of [
      [change("A.md", "x\n", null)],
      [change("p.md", "x\n", null), change("p.md", "y\n", null)],
      [{ path: "p.md", expect: null, bytes: "%%%" }],
      [{ path: "p.md", from: "a.md", expect: version("one\n"), bytes: null }],
      Array.from({ length: 65 }, (_, at) => change(`${at}.md`, "x", null)),
    ])
      codes.push((await push(...changes)).value.code);
    expect(codes).toEqual([
      "note_exists",
      "input_refused",
      "input_refused",
      "input_refused",
      "input_refused",
    ]);
    expect(await vault.state()).toEqual(before);
  });

  test("every argument has a limit", async () => {
    for (const [name, body] of [
      ["list", { limit: 1001 }],
      ["list", { after: "x".repeat(1025) }],
      ["read", { files: [] }],
      ["read", { files: [{ path: "a.md", version: "HEAD" }] }],
      ["push", { changes: [change("p.md", "x", null)], message: "x".repeat(201) }],
      [
        "push",
        { changes: [{ path: "p.md", expect: null, bytes: "A".repeat(12 * 1024 * 1024) }], message: "" },
      ],
    ] as const)
      expect((await call(name, body)).value).toMatchObject({ code: "input_refused" });
    expect((await call("list", [])).status).toBe(400);
  });
});
