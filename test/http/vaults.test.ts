/** Several vaults behind one server, and several clients at once: nothing of one reaches another. */

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, makeHome, runToEnd } from "../process.ts";
import { callTool, modern, serveHttp, type HttpServed } from "./served.ts";

const home = makeHome();
const office = join(home.folder, "office");
let served: HttpServed;
beforeAll(async () => {
  mkdirSync(office);
  writeFileSync(join(office, "Meeting.md"), "The word zeppelin stands here.\n");
  served = await serveHttp([], { home, vaults: [`home=${home.vault}`, `office=${office}`] });
});
afterAll(async () => {
  await served.end();
  home.remove();
});

describe("attack 26: several vaults", () => {
  const find = (vault: string, token: string) =>
    callTool(`${served.base}/${vault}/mcp`, token, "search_notes", { query: "zeppelin" });

  test("each has its routes, its notes and its metadata", async () => {
    expect(await find("office", served.token)).toContain("Meeting.md");
    expect(await find("home", served.token)).not.toContain("Meeting.md");
    const path = "/.well-known/oauth-protected-resource/office/mcp";
    expect(await (await fetch(served.base + path)).json()).toMatchObject({
      resource: `${served.base}/office/mcp`,
    });
    for (const unknown of ["/mcp", "/attic/mcp", "/office/attic"])
      expect((await fetch(served.base + unknown, modern(served.token, "tools/list"))).status).toBe(404);
  });

  test("a token for one is none for another", async () => {
    const token = await served.add("clerk", "--rights", "write", "--vault", office);
    expect(await find("office", token)).toContain("Meeting.md");
    for (const path of ["/home/mcp", "/home/mcp/wiki", "/home/"])
      expect((await fetch(served.base + path, modern(token, "tools/list"))).status).toBe(403);
  });

  test.each([
    [["a=x", "a=y"], /called "a"/],
    [["x", "y"], /needs a name/],
    [["mcp=x"], /route of the server/],
    [["A=x"], /needs a name/],
  ])("vaults %j are refused", async (vaults, said) => {
    const args = [command("notewright"), "serve", ...vaults, "--http", "0"];
    const { code, stderr } = await runToEnd(args, { environment: home.environment });
    expect(code).toBe(2);
    expect(stderr).toMatch(said);
  });
});

test("the list of tokens says what each may do and when it last called", async () => {
  const quiet = makeHome();
  const own = await serveHttp([], { home: quiet });
  await own.add("idle", "--rights", "read", "--tools", "wiki");
  await callTool(`${own.base}/mcp`, own.token, "search_notes", { query: "x" });
  expect(await own.end()).toBe(0);
  const list = async (...flags: string[]) =>
    (await runToEnd([command("notewright"), "token", "list", ...flags], { environment: quiet.environment }))
      .stdout;
  const [local, idle] = (await list("--json"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(local).toMatchObject({ name: "local", rights: "admin", lastUse: expect.stringMatching(/^\d{4}-/) });
  expect(idle).toMatchObject({ name: "idle", surfaces: ["wiki"], lastUse: null });
  expect(local).not.toHaveProperty("secret");
  expect(await list()).toMatch(/^local +admin +\d{4}-\d\d-\d\d \d\d:\d\d .*\nidle +read +never called/);
  quiet.remove();
});

test("attack 27: of many clients at once each gets its own answer", async () => {
  const CLIENTS = 60;
  const url = `${served.base}/home/mcp`;
  mkdirSync(join(home.vault, "Own"));
  for (let at = 0; at < CLIENTS; at++) writeFileSync(join(home.vault, `Own/${at}.md`), `only${at}only\n`);
  const tokens = [served.token, await served.add("second", "--rights", "read")];
  // All of them ask with the id 1, some under the same name.
  const answers = await Promise.all(
    Array.from({ length: CLIENTS }, (_, at) =>
      callTool(url, tokens[at % 2]!, "read_notes", { notes: [`Own/${at}.md`] }, `client ${at % 5}`),
    ),
  );
  for (const [at, answer] of answers.entries())
    expect(answer.match(/only\d+only/g)).toEqual([`only${at}only`]);
});

test.each([
  [["--http", "70000"], /port/],
  [["--http", "host"], /port/],
  [["--http", "0", "--public-url", "notes"], /--public-url/],
  [["--http", "0", "--allow-origin", "app"], /--allow-origin/],
  [["--http", "0", "--max-sockets", "many"], /--max-sockets/],
])("flags %j are refused with what to give", async (flags, said) => {
  cpSync("examples/garden", join(home.folder, "other"), { recursive: true });
  const args = [command("notewright"), "serve", join(home.folder, "other"), ...flags];
  const { code, stderr } = await runToEnd(args, { environment: home.environment });
  expect(code).toBe(2);
  expect(stderr).toMatch(said);
});
