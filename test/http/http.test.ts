/** The server over HTTP, from a real socket: its routes, its guards, identities and their rights, sessions that outlive a request. */

import { execFileSync } from "node:child_process";
import { readFileSync, statSync, chmodSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, runToEnd } from "../process.ts";
import { callTool, modern, serveHttp, type HttpServed } from "./served.ts";

let served: HttpServed;
beforeAll(async () => {
  served = await serveHttp(["--allow-origin", "https://app.example.org"]);
});
afterAll(async () => {
  await served.end();
  served.home.remove();
});

const mcp = (path = "/mcp"): string => served.base + path;
/** What `fetch` would not send: any Host. */
const status = (headers: Record<string, string>, path = "/mcp", method = "POST"): Promise<number> =>
  new Promise((done, failed) => {
    const asked = request({ host: "127.0.0.1", port: served.port, path, method, headers }, (answer) => {
      answer.resume();
      done(answer.statusCode!);
    });
    asked.on("error", failed);
    asked.end();
  });

describe("routes", () => {
  test.each(["/mcp", "/mcp/native", "/"])("%s is the native surface", async (path) => {
    expect(await callTool(mcp(path), served.token, "search_notes", { query: "garden" })).toContain(
      "Rain garden",
    );
  });

  test("every surface has its route", async () => {
    const names = await Promise.all(
      ["obsidian", "bridges", "wiki", "cairn", "notes"].map(async (surface) => {
        const answer = await fetch(mcp(`/mcp/${surface}`), modern(served.token, "tools/list"));
        const { result } = (await answer.json()) as { result: { tools: { name: string }[] } };
        return result.tools[0]!.name;
      }),
    );
    expect(new Set(names).size).toBe(5);
  });

  test.each([
    ["GET", "/healthz", 200],
    ["GET", "/.well-known/oauth-protected-resource", 200],
    ["GET", "/.well-known/oauth-protected-resource/mcp", 200],
    ["GET", "/.well-known/oauth-protected-resource/mcp/wiki", 200],
    ["GET", "/.well-known/oauth-authorization-server", 404],
    ["GET", "/authorize", 404],
    ["POST", "/oauth/token", 404],
    ["POST", "/oauth/register", 404],
    ["POST", "/mcp/unknown", 404],
    ["POST", "/other", 404],
    ["PUT", "/mcp", 405],
    ["GET", "/mcp", 405],
    ["DELETE", "/mcp", 405],
  ])("%s %s is answered with %i", async (method, path, expected) => {
    const headers = { authorization: `Bearer ${served.token}` };
    expect((await fetch(mcp(path), { method, headers })).status).toBe(expected);
  });

  test("the metadata names the resource it was asked for", async () => {
    const answer = await fetch(mcp("/.well-known/oauth-protected-resource/mcp/wiki"));
    expect(await answer.json()).toMatchObject({ resource: mcp("/mcp/wiki") });
    const root = await fetch(mcp("/.well-known/oauth-protected-resource"));
    expect(await root.json()).toMatchObject({ resource: mcp("/") });
    const near = mcp("/.well-known/oauth-protected-resource/mcp").replace("127.0.0.1", "localhost");
    expect(await (await fetch(near)).json()).toMatchObject({
      resource: mcp("/mcp").replace("127.0.0.1", "localhost"),
    });
  });
});

describe("attack 24: the guard", () => {
  test.each([
    [{ host: "evil.example" }, 403],
    [{ host: "127.0.0.1.evil.example" }, 403],
    [{ host: "localhost:1" }, 401],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "file://" }, 403],
    [{ origin: "https://app.example.org" }, 401],
    [{ origin: "http://localhost:3000" }, 401],
    [{ "x-forwarded-host": "evil.example", host: "evil.example" }, 403],
  ])("headers %j are answered with %i", async (headers, expected) => {
    expect(await status(headers as Record<string, string>)).toBe(expected);
    if (expected === 403)
      expect(await status(headers as Record<string, string>, "/healthz", "GET")).toBe(403);
  });

  test("without a token: 401, and where to learn more", async () => {
    const answer = await fetch(mcp("/mcp/wiki"), { method: "POST" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${mcp("/.well-known/oauth-protected-resource/mcp/wiki")}", scope="notes:read notes:write"`,
    );
  });

  test("a token in the address is none", async () => {
    const { headers, ...rest } = modern("", "tools/list");
    const { authorization: _, ...without } = headers as Record<string, string>;
    const address = mcp(`/mcp?access_token=${served.token}&token=${served.token}`);
    expect((await fetch(address, { ...rest, headers: without })).status).toBe(401);
  });

  test("attack 23: a browser's question before it calls", async () => {
    const headers = {
      origin: "https://app.example.org",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,mcp-method,mcp-name,mcp-session-id",
    };
    const answer = await fetch(mcp(), { method: "OPTIONS", headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example.org");
    for (const name of ["authorization", "mcp-method", "mcp-name", "mcp-session-id"])
      expect(answer.headers.get("access-control-allow-headers")).toContain(name);
    const called = await fetch(mcp(), { method: "POST", headers: { origin: headers.origin } });
    expect(called.headers.get("access-control-expose-headers")).toContain("www-authenticate");
    const near = await fetch(mcp(), {
      method: "OPTIONS",
      headers: { ...headers, origin: "http://localhost:1" },
    });
    expect(near.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("attack 25: identities", () => {
  const file = (): string => join(served.home.environment["XDG_CONFIG_HOME"]!, "notewright/identities.json");

  test("a token is kept as its hash, in a file that only its user can read", async () => {
    const token = await served.add("kept", "--rights", "read");
    expect(token).toMatch(/^nw_[\w-]{43}$/);
    expect(readFileSync(file(), "utf8")).not.toContain(token);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(served.logged()).not.toContain(token);
  });

  test("rights: reading tools, all but rules, all", async () => {
    const tools = async (token: string, surface: string): Promise<string[]> => {
      const answer = await fetch(mcp(`/mcp/${surface}`), modern(token, "tools/list"));
      const { result } = (await answer.json()) as { result: { tools: { name: string }[] } };
      return result.tools.map(({ name }) => name);
    };
    const [reader, writer] = [
      await served.add("reader", "--rights", "read"),
      await served.add("writer", "--rights", "write"),
    ];
    expect(await tools(reader, "bridges")).not.toContain("add_knowledge_base");
    expect(await tools(reader, "native")).not.toContain("write_note");
    expect(await tools(writer, "bridges")).not.toContain("add_knowledge_base");
    expect(await tools(served.token, "bridges")).toContain("add_knowledge_base");
    const note = { path: "By reader.md", text: "x" };
    expect(await callTool(mcp(), reader, "write_note", note)).toMatch(/^read_only: /);
    const rules = { do: "add_base", base: "b", folder: "Projects", description: "d", guide: "g" };
    expect(await callTool(mcp(), reader, "manage_rules", rules)).toMatch(/^read_only: .*reading only/);
    expect(await callTool(mcp(), writer, "manage_rules", rules)).toMatch(/^read_only: .*rules/);
    expect(await callTool(mcp(), writer, "manage_rules", { do: "list" })).not.toMatch(/^read_only/);
    expect(await callTool(mcp(), writer, "write_note", { path: "By writer.md", text: "x" })).toContain(
      "By writer.md",
    );
  });

  test("the identity is the author, and its program a trailer", async () => {
    const token = await served.add("Anna", "--rights", "write");
    await callTool(mcp(), token, "write_note", { path: "Of Anna.md", text: "hers" }, "Pocket client");
    expect(await callTool(mcp(), served.token, "get_history", { note: "Of Anna.md" })).toContain("Anna");
    const git = ["--git-dir", join(served.home.vault, ".notewright/history.git"), "log", "--format=%an %b"];
    const log = () => execFileSync("git", git, { encoding: "utf8" });
    await expect.poll(log, { timeout: 20_000 }).toMatch(/^Anna [\s\S]*?Program: Pocket client/m);
  });

  test("only these tools", async () => {
    const token = await served.add("wiki only", "--rights", "write", "--tools", "wiki");
    expect((await fetch(mcp("/mcp/wiki"), modern(token, "tools/list"))).status).toBe(200);
    expect((await fetch(mcp("/mcp"), modern(token, "tools/list"))).status).toBe(403);
  });

  test("a token kept to a folder sees and changes nothing else", async () => {
    const owner = (tool: string, input: object) => callTool(mcp(), served.token, tool, input);
    await owner("write_note", { path: "Team/Plan.md", text: "A zeppelin by [[Treasure]]" });
    await owner("write_note", { path: "Private/Treasure.md", text: "A zeppelin, and [[Plan]]" });
    const token = await served.add(
      "team",
      "--rights",
      "write",
      "--folder",
      "Team",
      "--folder",
      "Nowhere yet",
    );
    const team = (tool: string, input: object) => callTool(mcp(), token, tool, input);
    expect(await team("search_notes", { query: "zeppelin" })).toMatch(/^1 note\.\nTeam\/Plan/);
    expect(await team("list_notes", { what: "notes" })).toMatch(/^1 note\.\nTeam\/Plan\.md/);
    for (const missing of ["Private/Treasure.md", "Private/Nothing.md"])
      expect(await team("read_notes", { notes: [missing] })).toContain(`There is no note "${missing}"`);
    expect(await team("get_history", {})).not.toContain("Treasure");
    const refused = await team("write_note", { path: "Private/Mine.md", text: "x" });
    expect(refused).toContain('lies outside the folders that you may use. Give a path in "Team"');
    const moved = await team("move_notes", { moves: [{ from: "Team/Plan.md", to: "Team/Scheme.md" }] });
    expect(moved).toContain("Links in notes outside your folders were changed with it.");
    expect(moved).not.toContain("Treasure");
    expect(await owner("read_notes", { notes: ["Private/Treasure.md"] })).toContain("[[Scheme]]");
  });

  test("a removed token is refused with the next request, and its streams end", async () => {
    const token = await served.add("gone", "--rights", "read");
    const listening = await fetch(
      mcp(),
      modern(token, "subscriptions/listen", { notifications: { resourcesListChanged: true } }),
    );
    expect(listening.status).toBe(200);
    const ended = listening.text();
    const args = [command("notewright"), "token", "remove", "gone"];
    expect((await runToEnd(args, { environment: served.home.environment })).code).toBe(0);
    expect((await fetch(mcp(), modern(token, "tools/list"))).status).toBe(401);
    await ended;
  });

  test("a file that others can write lets nobody in", async () => {
    chmodSync(file(), 0o666);
    expect((await fetch(mcp(), modern(served.token, "tools/list"))).status).not.toBe(200);
    chmodSync(file(), 0o600);
    expect((await fetch(mcp(), modern(served.token, "tools/list"))).status).toBe(200);
  });
});

describe("sessions", () => {
  test("the opening block comes once for a client, and again after it discovers anew", async () => {
    const url = mcp("/mcp/obsidian");
    const list = (client: string) => callTool(url, served.token, "list_notes", {}, client);
    const [first, second] = [await list("one"), await list("one")];
    expect(first.length).toBeGreaterThan(second.length);
    expect((await list("two")).length).toBe(first.length);
    await fetch(url, modern(served.token, "server/discover", {}, "one"));
    expect((await list("one")).length).toBe(first.length);
  });

  test("undo of one's own work finds it in a later request, and not that of another chat", async () => {
    await callTool(mcp(), served.token, "write_note", { path: "Mine.md", text: "mine" }, "undoer");
    await callTool(mcp(), served.token, "write_note", { path: "Theirs.md", text: "theirs" }, "other");
    const undone = await callTool(mcp(), served.token, "undo_changes", { last: 1 }, "undoer");
    expect(undone).toContain("Mine.md");
    expect(undone).not.toContain("Theirs.md");
  });

  test("what one client appends at once is all kept", async () => {
    const append = (at: number) =>
      callTool(mcp(), served.token, "edit_notes", {
        create: true,
        edits: [{ note: "Order.md", do: "append", text: `${at}` }],
      });
    await append(0);
    await Promise.all(Array.from({ length: 20 }, (_, at) => append(at + 1)));
    const numbers = readFileSync(join(served.home.vault, "Order.md"), "utf8").trim().split(/\s+/);
    expect(numbers.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, at) => at));
  });

  test("attack 27: a session of the older protocol belongs to its identity", async () => {
    const hello = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "old", version: "1" } },
    };
    const headers = (token: string, id?: string) => ({
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(id === undefined ? {} : { "mcp-session-id": id }),
    });
    const begun = await fetch(mcp(), {
      method: "POST",
      headers: headers(served.token),
      body: JSON.stringify(hello),
    });
    const id = begun.headers.get("mcp-session-id")!;
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    await begun.text();
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
    const asked = async (token: string, session?: string) => {
      const answer = await fetch(mcp(), { method: "POST", headers: headers(token, session), body: ping });
      await answer.text();
      return answer.status;
    };
    expect(await asked(served.token, id)).toBe(200);
    const stranger = await served.add("stranger", "--rights", "admin");
    expect(await asked(stranger, id)).toBe(404);
    expect(await asked(served.token, "0".repeat(32))).toBe(404);
    expect(await asked(served.token)).toBe(400);
    const ended = await fetch(mcp(), { method: "DELETE", headers: headers(served.token, id) });
    expect(ended.status).toBe(200);
    expect(await asked(served.token, id)).toBe(404);
  });
});

test("wrong tokens are slowed and then told to wait; a right one is served all the same", async () => {
  const codes: number[] = [];
  for (let at = 0; at < 12; at++) codes.push((await fetch(mcp(), modern(`nw_${at}`, "tools/list"))).status);
  expect(codes[0]).toBe(401);
  expect(codes.at(-1)).toBe(429);
  expect((await fetch(mcp(), modern(served.token, "tools/list"))).status).toBe(200);
});
