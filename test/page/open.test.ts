/** The server side of the page: keys and tokens, who is let in, what every answer forbids, and the command that opens it. */

import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, makeHome, type Home } from "../process.ts";
import { openVault, type Opened } from "./opened.ts";

let opened: Opened;
beforeAll(async () => {
  opened = await openVault();
});
afterAll(() => opened.end());

const HTML = { accept: "text/html,application/xhtml+xml" };

describe("the document", () => {
  test("has a policy that lets nothing in from elsewhere, with another nonce each time", async () => {
    const [first, second] = await Promise.all([1, 2].map(() => fetch(opened.base, { headers: HTML })));
    const policy = first!.headers.get("content-security-policy")!;
    expect(policy.replace(/nonce-[\w+/=]+/, "nonce-…")).toBe(
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'nonce-…'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'",
    );
    expect(second!.headers.get("content-security-policy")).not.toBe(policy);
    expect(first!.headers.get("x-content-type-options")).toBe("nosniff");
    expect(first!.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await first!.text()).toContain(/nonce-([\w+/=]+)/.exec(policy)![1]!);
  });

  test("names files by their hash, which may be kept; nothing else of the folder is served", async () => {
    const html = await (await fetch(opened.base, { headers: HTML })).text();
    const [script = ""] = /assets\/[\w-]+\.js/.exec(html) ?? [];
    const answer = await fetch(opened.base + script);
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect(answer.headers.get("content-type")).toContain("text/javascript");
    for (const path of [
      "assets/..%2Findex.html",
      "assets/made-from.txt",
      "assets/../../package.json",
      "made-from.txt",
    ])
      expect((await fetch(opened.base + path, { headers: HTML })).status, path).toBe(404);
  });

  test("clients of the protocol still find their tools at the same address", async () => {
    expect((await fetch(opened.base, { method: "POST", body: "{}" })).status).toBe(401);
    expect((await fetch(opened.base, { headers: { accept: "text/event-stream" } })).status).toBe(401);
  });
});

describe("the API", () => {
  test("takes page tokens only: no identity's token, no key, none", async () => {
    const identity = await opened.identity("someone-else", "--rights", "admin");
    for (const token of [identity, "", "nw_wrong"])
      expect((await opened.api(token, "hello")).status, token).toBe(401);
    const page = await opened.token();
    expect((await opened.api(page, "hello")).status).toBe(200);
    expect(
      (await fetch(`${opened.base}mcp`, { method: "POST", headers: { authorization: `Bearer ${page}` } }))
        .status,
    ).toBe(401);
    expect((await opened.api(page, "key")).status).toBe(401);
  });

  test("refuses pages of other origins, also of other ports of this computer", async () => {
    const token = await opened.token();
    const from = (headers: Record<string, string>) =>
      fetch(`${opened.base}api/hello`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        body: "{}",
      });
    expect((await from({ origin: "http://127.0.0.1:1" })).status).toBe(403);
    expect((await from({ origin: "null" })).status).toBe(403);
    expect((await from({ "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await from({ origin: new URL(opened.base).origin })).status).toBe(200);
  });

  test("says what was wrong, by code and in a sentence", async () => {
    const token = await opened.token();
    const refused = async (name: string, input: object): Promise<{ status: number; code: string }> => {
      const answer = await opened.api(token, name, input);
      const { code, message } = (await answer.json()) as { code: string; message: string };
      expect(message).toMatch(/\.$/);
      return { status: answer.status, code };
    };
    expect(await refused("change", { id: "ffffffff" })).toEqual({ status: 422, code: "revision_missing" });
    expect(await refused("note", { path: "../x.md" })).toEqual({ status: 422, code: "path_refused" });
    expect(await refused("note", { path: "No.md" })).toEqual({ status: 422, code: "note_missing" });
    expect(await refused("search", { query: 1 })).toEqual({ status: 422, code: "input_refused" });
    expect((await opened.api(token, "nothing")).status).toBe(404);
    expect(
      (await fetch(`${opened.base}api/hello`, { headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(405);
  });
});

describe("the command", () => {
  test("hands the browser a file of mode 0600 with a key that is used up by the page; Ctrl-C ends it and removes the file", async () => {
    const home = makeHome();
    const { seen, child, ended } = opensWith(home, "--http", "127.0.0.1:0");
    const { mode, file, text } = await seen();
    expect(mode).toBe("600");
    const [, base, key] = /url=(http:\/\/127\.0\.0\.1:\d+\/)#key=([\w-]+)"/.exec(text)!;
    const enter = () =>
      fetch(`${base}api/enter`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ key }),
      });
    expect([(await enter()).status, (await enter()).status]).toEqual([200, 401]);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 0 });
    expect(existsSync(file)).toBe(false);
    home.remove();
  });

  test("where a server runs already it says that it ends by itself; Ctrl-C removes the file as well", async () => {
    const { seen, child, ended } = opensWith(opened.home);
    const { file, text } = await seen();
    expect(text).toContain(`url=${opened.base}#key=`);
    child.kill("SIGINT");
    const { code, errors } = await ended;
    expect({ code, errors }).toEqual({
      code: 0,
      errors: expect.stringContaining("This command ends by itself within a minute."),
    });
    expect(existsSync(file)).toBe(false);
    expect((await fetch(opened.base, { headers: HTML })).status).toBe(200);
  });
});

/** `notewright open` with a browser that notes which file it was handed, with which mode and text. */
const opensWith = (home: Home, ...flags: string[]) => {
  const note = join(home.folder, `seen-${flags.length}`);
  const browser = join(home.folder, "browser");
  writeFileSync(
    browser,
    `#!/bin/sh\n(stat -c %a "$1"; echo "$1"; cat "$1") > ${note}.part\nmv ${note}.part ${note}\n`,
  );
  chmodSync(browser, 0o755);
  const child = spawn(process.execPath, [command("notewright"), "open", home.vault, ...flags], {
    env: { ...home.environment, XDG_STATE_HOME: join(home.folder, "state"), BROWSER: browser },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const ended = new Promise<{ code: number | null; errors: string }>((done) =>
    child.on("close", (code) => done({ code, errors })),
  );
  const seen = async () => {
    while (!existsSync(note)) await new Promise((done) => setTimeout(done, 20));
    const [mode = "", file = "", ...text] = readFileSync(note, "utf8").split("\n");
    return { mode, file, text: text.join("\n") };
  };
  return { seen, child, ended };
};

/** Bytes as they are sent compressed, of the document's own scripts and styles, and of others by their name. */
const gzipped = (names: readonly string[]): number =>
  names.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join("dist/web/assets", name)), { level: 9 }).length,
    0,
  );
const named = (html: string): string[] =>
  [...html.matchAll(/assets\/([\w.-]+)/g)].map(([, name = ""]) => name);

/** The files that a script imports when it is loaded, and those of the screen of that name. */
const loaded = (screens: readonly string[]): string[] => {
  const all = readdirSync("dist/web/assets");
  const found = new Set(named(readFileSync("dist/web/index.html", "utf8")));
  for (const screen of screens)
    found.add(all.find((name) => name.startsWith(`${screen}-`) && name.endsWith(".js"))!);
  for (const name of found)
    for (const [, other = ""] of readFileSync(join("dist/web/assets", name), "utf8").matchAll(
      /(?:from|import)\s*"\.\/([\w.-]+)"/g,
    ))
      found.add(other);
  return [...found];
};

test("what a page loads is small: 95 kB to read a note, 235 kB to edit one", () => {
  expect(loaded(["note"]).length).toBeGreaterThan(3);
  expect(gzipped(loaded(["note"]))).toBeLessThan(95_000);
  expect(gzipped(loaded(["note", "edit"]))).toBeLessThan(235_000);
});
