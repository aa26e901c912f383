/** The commands `push` and `pull`, against the server that `serve --http` starts. */

import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { named, serveInProcess, type InProcess } from "./http/in-process.ts";
import { openCarrier, throughEverything, type Carrier } from "./carrying.ts";
import { MOST } from "../src/sync/side.ts";
import { openVault, type TestVault } from "./vault.ts";

const real = globalThis.fetch;
let copy: TestVault;
let server: InProcess;
let carrier: Carrier;
beforeEach(async () => {
  copy = await openVault({ folder: true });
  const people = [named("admin"), named("writer", { rights: "write" })];
  server = await serveInProcess({}, people, undefined, copy.notebook);
  carrier = openCarrier(server.base, "admin");
});
afterEach(async () => {
  carrier.remove();
  await server.close();
  await copy.close();
});

test("a folder pushed, edited on both sides, pushed and pulled", async () => {
  await throughEverything(carrier, 40, async (path) =>
    (await copy.notebook.log({ path: path as never, limit: 9 })).map(({ author }) => author),
  );
});

test("a name that changed only in case goes over with its new text, among however many new notes", async () => {
  carrier.here("Note.md", "one\n");
  carrier.here("Folder/Deep.md", "deep\n");
  await carrier.push();
  carrier.here("Note.md", null);
  carrier.here("note.md", "one\ntwo\n");
  carrier.here("Folder/Deep.md", null);
  carrier.here("folder/Deep.md", "deeper\n");
  // More than one lot, so that removals come in another than new notes.
  for (let at = 0; at < 2 * MOST; at++) carrier.here(`zz ${at}.md`, `${at}\n`);
  const pushed = await carrier.push();
  const there = await carrier.copy();
  expect(there["note.md"]).toBe("one\ntwo\n");
  expect(there["Note.md"]).toBeUndefined();
  // The spelling of a folder is left to a person; no text goes for it.
  expect(pushed.stdout + pushed.stderr).toContain("The spelling of a folder cannot be changed");
  expect(there["Folder/Deep.md"]).toBe("deep\n");
});

describe("what a person sees", () => {
  test("a dry run shows what would go where, and changes nothing on either side", async () => {
    carrier.here("a.md", "a\n");
    carrier.here("b/c.md", "c\n");
    const shown = await carrier.push("--dry-run");
    expect(shown.stdout).toBe("create    a.md\ncreate    b/c.md\n");
    expect(shown.stderr).toContain(`This would push to ${server.base}: 2 created. Nothing was changed.`);
    expect(await carrier.copy()).toEqual({});
    expect(readdirSync(carrier.vault).toSorted()).toEqual(["a.md", "b"]);
    const json = await carrier.push("--dry-run", "--json");
    expect(JSON.parse(json.stdout.split("\n")[0]!)).toEqual({
      do: "create",
      path: "a.md",
      from: null,
      copy: null,
      reason: null,
    });
  });

  test("what waits for the other way is said, with the command that brings it", async () => {
    carrier.here("a.md", "a\n");
    await carrier.push();
    await carrier.there("new.md", "new\n");
    const { stderr } = await carrier.push();
    expect(stderr).toContain("There is nothing to push");
    expect(stderr).toContain(`1 changed on the other side: notewright pull ${server.base} ${carrier.vault}`);
  });

  test("files that are no notes are counted, and stay", async () => {
    carrier.here("a.md", "![[i.png]]\n");
    writeFileSync(join(carrier.vault, "i.png"), "image");
    expect((await carrier.push()).stderr).toContain("1 other file (images, PDFs …) stays where it is");
  });

  test("many removals are asked for; without an answer nothing is changed", async () => {
    for (let at = 0; at < 30; at++) carrier.here(`${at}.md`, `${at}\n`);
    await carrier.push();
    for (let at = 0; at < 4; at++) carrier.here(`${at}.md`, null);
    const refused = await carrier.push();
    const question = /4 of 30 notes would be removed there, .* Nobody is here to say yes: .* Add --yes/;
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(question) });
    expect(Object.keys(await carrier.copy())).toHaveLength(30);
    expect(await carrier.push("--yes")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("4 removed"),
    });
    expect(Object.keys(await carrier.copy())).toHaveLength(26);
    // A few go without a question.
    for (const at of [4, 5]) carrier.here(`${at}.md`, null);
    expect((await carrier.push()).stderr).toContain("2 removed");
  });

  test("without what was agreed on nothing is removed, and notes that differ are kept twice", async () => {
    carrier.here("a.md", "a\n");
    carrier.here("b.md", "b\n");
    await carrier.push();
    const state = join(carrier.vault, "../state/notewright/copies");
    const [file] = readdirSync(state);
    expect(statSync(join(state, file!)).mode & 0o077).toBe(0);
    expect(readFileSync(join(state, file!), "utf8")).not.toContain("admin");
    writeFileSync(join(state, file!), "");
    carrier.here("a.md", null);
    carrier.here("b.md", "b here\n");
    await carrier.push("--yes");
    await carrier.pull();
    expect(Object.values(carrier.notes()).toSorted()).toEqual(["a\n", "b\n", "b here\n"].toSorted());
    expect(await carrier.copy()).toEqual(carrier.notes());
  });
});

test("two vaults that both hold notes and never met are brought together once somebody says so", async () => {
  await carrier.there("there.md", "there\n");
  carrier.here("here.md", "here\n");
  carrier.here("also here.md", "here\n");
  const met = "These two never met: 2 notes would come to the 1 that is there.";
  expect(await carrier.push("--dry-run")).toMatchObject({ code: 0, stderr: expect.stringContaining(met) });
  expect(await carrier.push()).toMatchObject({ code: 2, stderr: expect.stringContaining(`${met} Go on?`) });
  expect(Object.keys(await carrier.copy())).toEqual(["there.md"]);
  expect(await carrier.push("--yes")).toMatchObject({ code: 0 });
  // They have met now.
  expect(await carrier.pull()).toMatchObject({ code: 0, stderr: expect.not.stringContaining("never met") });
  expect(carrier.notes()).toEqual(await carrier.copy());
});

test("names that the server does not take are told by a dry run, too, and keep no other note from going over", async () => {
  await carrier.there("Daily/one.md", "one\n");
  const [composed, decomposed] = ["both/\u00fc.md", "both/u\u0308.md"];
  for (const path of [composed, decomposed, "daily/two.md", "back\\slash.md"])
    carrier.here(path, `${path}\n`);
  for (let at = 0; at < 9; at++) carrier.here(`zz ${at}.md`, `${at}\n`);
  const calls: string[] = [];
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async (url, how) => {
    calls.push(String(url));
    return real(url, how);
  });
  const dry = await carrier.push("--dry-run");
  const pushed = await carrier.push("--yes");
  fetched.mockRestore();
  const left = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("left"));
  expect(left(pushed.stdout)).toEqual([
    expect.stringMatching(/^left {6}back.*slash\.md \(.*backslash/),
    expect.stringMatching(/^left {6}daily\/two\.md \(There is a folder "Daily"/),
    expect.stringMatching(`^left {6}${decomposed} \\(There is already a note .* differs only in spelling`),
  ]);
  expect(left(dry.stdout)).toEqual(left(pushed.stdout));
  expect([dry.code, pushed.code]).toEqual([1, 1]);
  expect(calls.filter((url) => url.endsWith("/push"))).toHaveLength(1);
  expect(Object.keys(await carrier.copy())).toEqual(
    ["Daily/one.md", composed, ...Array.from({ length: 9 }, (_, at) => `zz ${at}.md`)].toSorted(),
  );
  // None of it is forgotten the next time.
  expect(left((await carrier.push()).stdout)).toEqual(left(pushed.stdout));
});

test("one note that only the server refuses is left; the others go over together", async () => {
  carrier.here("a.md", "a\n");
  await carrier.push();
  for (let at = 0; at < 2 * MOST; at++) carrier.here(`n ${at}.md`, `${at}\n`);
  // It comes there while this runs.
  let raced = false;
  const calls: string[] = [];
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async (url, how) => {
    if (String(url).endsWith("/push")) {
      calls.push(String(url));
      if (!raced) {
        raced = true;
        await copy.put("n 7.md", "of somebody else\n");
      }
    }
    return real(url, how);
  });
  const pushed = await carrier.push();
  fetched.mockRestore();
  expect(pushed).toMatchObject({
    code: 1,
    stdout: "left      n 7.md (it changed while this ran; run it again)\n",
    stderr: expect.stringContaining("127 created"),
  });
  expect(calls).toHaveLength(3);
});

describe("refused", () => {
  test.each([
    [["push"], "takes a folder and an address"],
    [["push", "."], "takes a folder and an address"],
    [["pull", ".", "https://a.example", "https://b.example"], "takes a folder and an address"],
    [["push", ".", "http://notes.example.org/"], "unprotected"],
    [["push", ".", "http:/"], "is no address"],
  ])("%s", async (args, said) => {
    expect(await carrier.run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  });

  test("without a token, with a token file that others may open, and with too few rights", async () => {
    carrier.here("a.md", "a\n");
    const file = join(carrier.vault, "../token");
    writeFileSync(file, "admin\n");
    chmodSync(file, 0o644);
    const open = await carrier.push("--token-file", file);
    expect(open).toMatchObject({ code: 1, stderr: expect.stringContaining("Run chmod 600") });
    chmodSync(file, 0o600);
    expect((await carrier.push("--token-file", file)).code).toBe(0);
    for (const [token, said] of [
      ["", "NOTEWRIGHT_TOKEN"],
      ["two words", "That is no token"],
      ["writer", "admin rights"],
      ["stranger", "not known here"],
    ] as const) {
      const other = openCarrier(server.base, token);
      other.here("b.md", "b\n");
      expect((await other.push()).stderr).toContain(said);
      other.remove();
    }
    expect(Object.keys(await carrier.copy())).toEqual(["a.md"]);
  });

  test("a server that is not there, and one that is no server of ours", async () => {
    const gone = openCarrier("http://127.0.0.1:9", "admin");
    expect(await gone.pull()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("could not be reached"),
    });
    gone.remove();
    const other = openCarrier(`${server.base}/elsewhere`, "admin");
    expect((await other.pull()).stderr).toContain("has no vault at this address");
    other.remove();
  });
});
