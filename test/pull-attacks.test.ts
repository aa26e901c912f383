/** A server that means harm, and a vault that is pulled from it. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { blobId } from "../src/disk/hash.ts";
import { base64 } from "../src/markdown/base64.ts";
import { encodeText } from "../src/notebook/note.ts";
import { runHere } from "./command.ts";
import { filesBelow, makeHome, type Home } from "./process.ts";

let home: Home;
let server: Server;
let base: string;
let asked: { path: string; token: string | undefined }[];
/** What it answers at each address; a string goes out as it is. */
let answers: Record<string, unknown>;

beforeEach(async () => {
  home = makeHome();
  [asked, answers] = [[], {}];
  server = createServer((request, response) => {
    const { url = "", headers } = request;
    asked.push({ path: url, token: headers.authorization });
    request.resume();
    const answer = answers[url.split("/").at(-1)!];
    if (typeof answer === "function") return void answer(response);
    response.setHeader("content-type", "application/json");
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  home.remove();
});

const pull = (url = base, more: Record<string, string> = { NOTEWRIGHT_TOKEN: "nw_secret" }) =>
  runHere(
    ["pull", home.vault, url, "--yes"],
    { ...home.environment, XDG_STATE_HOME: `${home.folder}/state`, ...more },
    home.folder,
  );
const listing = (notes: object[], next: string | null = null) => ({
  notes,
  next,
  total: notes.length,
  attachments: 0,
  unread: [],
});
const text = "from there\n";
const note = (path: string) => ({ path, version: blobId(encodeText(text)), size: text.length });
const given = { pieces: [{ size: text.length, bytes: base64(encodeText(text)) }] };
const notesIn = (folder: string) =>
  Object.fromEntries(
    Object.entries(filesBelow(folder)).filter(([path]) => !/\/(?:\.notewright|cache)\//.test(path)),
  );

describe("attack 122: a server that means harm", () => {
  test.each([
    "../out.md",
    "/tmp/out.md",
    ".obsidian/x.md",
    ".notewright/x.md",
    "x.txt",
    "a//b.md",
    "b\\c.md",
  ])("a path that leads out, %s", async (path) => {
    const before = notesIn(home.folder);
    answers = { list: listing([note("fine.md"), note(path)]), read: given };
    const { code, stderr } = await pull();
    expect([code, stderr]).toEqual([1, expect.stringContaining("The path")]);
    expect(notesIn(home.folder)).toEqual(before);
  });

  test("a text that is not what was listed is not written", async () => {
    const before = notesIn(home.vault);
    const other = { pieces: [{ size: 5, bytes: base64(encodeText("other")) }] };
    answers = { list: listing([note("fine.md")]), read: other };
    const { code, stdout } = await pull();
    expect([code, stdout]).toEqual([1, expect.stringContaining("left      fine.md")]);
    expect(notesIn(home.vault)).toEqual(before);
  });

  test.each<[string, Record<string, unknown>]>([
    ["a list that goes round", { list: listing([note("a.md")], "") }],
    ["a page that is too long", { list: listing(Array.from({ length: 1001 }, (_, at) => note(`${at}.md`))) }],
    ["versions that are none", { list: listing([{ ...note("a.md"), version: "HEAD" }]) }],
    ["words", { list: "<html>" }],
    ["nothing", { list: "" }],
    ["too few pieces", { list: listing([note("a.md")]), read: { pieces: [] } }],
    ["a piece without end", { list: listing([note("a.md")]), read: { pieces: [{ size: 100, bytes: "" }] } }],
    ["a note too large", { list: listing([note("a.md")]), read: { pieces: [{ size: 1e9, bytes: "AAAA" }] } }],
  ])("%s: refused in one sentence", async (_, answer) => {
    const before = notesIn(home.vault);
    answers = answer;
    const { code, stderr } = await pull();
    expect([code, stderr]).toEqual([1, expect.stringContaining("does not answer as this program does")]);
    expect(notesIn(home.vault)).toEqual(before);
  });

  test("an answer without end is cut off", async () => {
    answers = {
      list(response: import("node:http").ServerResponse) {
        const more = (): void => {
          while (!response.destroyed && response.write("x".repeat(1024 * 1024)));
        };
        response.on("drain", more);
        more();
      },
    };
    const { code, stderr } = await pull();
    expect([code, stderr]).toEqual([1, expect.stringContaining("does not answer as this program does")]);
  });

  test("an address without a vault, or with one of somebody else, is named", async () => {
    answers = {
      list(response: import("node:http").ServerResponse) {
        response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not_found"}');
      },
    };
    const { code, stderr } = await pull();
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("has no vault at this address that the token may open"),
    ]);
  });

  test("no redirect is followed, and the token goes nowhere else", async () => {
    answers = {
      list(response: import("node:http").ServerResponse) {
        response.writeHead(307, { location: `${base}/elsewhere/list` }).end();
      },
    };
    const { code, stderr } = await pull();
    expect([code, stderr]).toEqual([1, expect.stringContaining("could not be reached")]);
    for (const one of asked) expect(one).toEqual({ path: "/sync/list", token: "Bearer nw_secret" });
  });

  test.each([
    ["http://notes.example.org/garden", "unprotected"],
    ["https://me:secret@notes.example.org/garden", "NOTEWRIGHT_TOKEN"],
    ["https://notes.example.org/garden?token=nw_secret", "NOTEWRIGHT_TOKEN"],
  ])("%s is refused before anybody is called", async (url, said) => {
    expect(await pull(url)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    expect(asked).toEqual([]);
  });
});
