/** The Worker as it is deployed: who is let in where, in both eras of the protocol, and how the owner decides over it. */

import { connect } from "node:net";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, test } from "vitest";
import { modern } from "../http/served.ts";
import { served } from "./deployed.ts";
import { call, called, OWNER_SECRET } from "./served.ts";

const tokens: Record<string, string> = {};

beforeAll(async () => {
  await served.make("garden");
  await served.make("office");
  tokens["gardener"] = await served.member("garden", "gardener");
  tokens["clerk"] = await served.member("office", "clerk");
});

const at = (path: string): string => served.base + path;
const asked = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(at(path), init);
  const headers = [...response.headers].filter(([name]) => name !== "date");
  return { status: response.status, headers, body: await response.text() };
};
const withToken = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

describe("110: who may not know whether there is a workspace is not told", () => {
  test("without a token every well-formed id is answered alike, with 401 and a challenge", async () => {
    for (const path of ["", "/", "/mcp", "/mcp/wiki", "/history.bundle"]) {
      const there = await asked(`/garden${path}`);
      const missing = await asked(`/nobody${path}`);
      expect(there.status).toBe(401);
      expect(JSON.stringify(missing).replaceAll("nobody", "garden")).toBe(JSON.stringify(there));
    }
    const { headers } = await asked("/garden/mcp");
    expect(Object.fromEntries(headers)["www-authenticate"]).toBe(
      `Bearer resource_metadata="${at("/.well-known/oauth-protected-resource/garden/mcp")}", scope="notes:read notes:write"`,
    );
  });

  test("to a member of another one, and to nobody's token", async () => {
    for (const path of ["/mcp", "", "/mcp/cairn", "/history.bundle"]) {
      const clerk = withToken(tokens["clerk"]!);
      const there = await asked(`/garden${path}`, clerk);
      expect([there.status, there]).toEqual([404, await asked(`/nobody${path}`, clerk)]);
    }
    const wrong = withToken("nw_nobody");
    const answers = [await asked("/garden/mcp", wrong), await asked("/nobody/mcp", wrong)];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  test("what is no id, or a route of ours, is nowhere", async () => {
    for (const path of ["/ab/mcp", "/Garden/mcp", "/oauth/mcp", "/mcp", "/garden/mcp/nothing", "/garden/x"])
      expect([path, (await asked(path, withToken(tokens["gardener"]!))).status]).toEqual([path, 404]);
    // The bare address says what runs there, and not which workspaces there are.
    expect(await asked("/")).toMatchObject({
      status: 200,
      body: "Notewright runs here. A workspace is at /ID/.\n",
    });
  });

  test("the metadata of every resource is there", async () => {
    for (const id of ["garden", "nobody"]) {
      const { status, body } = await asked(`/.well-known/oauth-protected-resource/${id}/mcp/wiki`);
      expect([status, JSON.parse(body)]).toMatchObject([200, { resource: at(`/${id}/mcp/wiki`) }]);
    }
  });
});

test("a refusal does not wait for the body", async () => {
  const { hostname, port } = new URL(served.base);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /garden/mcp HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
  );
  const [first] = (
    await new Promise<string>((done) => socket.once("data", (chunk) => done(String(chunk))))
  ).split("\r\n");
  socket.destroy();
  expect(first).toContain("401");
});

test("111: what an object is handed cannot be brought along", async () => {
  const identity = {
    name: "x",
    vault: null,
    secret: null,
    made: "",
    rights: "admin",
    folders: "all",
    surfaces: "all",
  };
  const handed = encodeURIComponent(JSON.stringify({ workspace: "garden", identity, base: served.base }));
  const { status } = await asked("/garden/mcp", { headers: { "notewright-handed": handed } });
  expect(status).toBe(401);
  const reader = await served.member("garden", "reader", "read");
  const init = modern(reader, "tools/call", { name: "write_note", arguments: { path: "x.md", text: "x" } });
  const response = await fetch(at("/garden/mcp"), {
    ...init,
    headers: { ...(init.headers as Record<string, string>), "notewright-handed": handed },
  });
  expect(await response.text()).toContain('"isError":true');
});

test("pages of other origins are refused on every route", async () => {
  for (const path of ["/garden/mcp", "/healthz", "/admin/workspaces"])
    expect((await asked(path, { headers: { origin: "https://evil.example" } })).status).toBe(403);
  expect((await asked("/healthz")).status).toBe(200);
});

test("the client of the older era begins a session, writes, and is told of changes", async () => {
  const client = new OldClient({ name: "old", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${tokens["gardener"]}` } };
  const transport = new OldTransport(new URL(at("/garden/mcp")), { requestInit });
  await client.connect(transport as never);
  expect(transport.sessionId).toMatch(/^[0-9a-f]{32}$/);
  await client.callTool({ name: "write_note", arguments: { path: "Old.md", text: "# Old\n\nfern\n" } });
  const newer = await served.connect("garden", "native", tokens["gardener"]!);
  expect(await call(newer, "search_notes", { query: "fern" })).toContain("Old.md");
  expect(await call(newer, "get_history", { note: "Old.md" })).toContain("gardener");
  // A session is its identity's alone.
  const other = await served.member("garden", "another");
  const stolen = await asked("/garden/mcp", {
    method: "POST",
    headers: {
      authorization: `Bearer ${other}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-session-id": transport.sessionId!,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  expect(stolen.status).toBe(404);
  await client.close();
});

test("rights and folders hold", async () => {
  const native = await served.connect("office", "native", tokens["clerk"]!);
  await call(native, "write_note", { path: "Open/a.md", text: "# A\n\nledger\n" });
  await call(native, "write_note", { path: "Closed/b.md", text: "# B\n\nledger\n" });
  const kept = await served.connect(
    "office",
    "native",
    await served.member("office", "kept", "write", ["Open"]),
  );
  const found = await call(kept, "search_notes", { query: "ledger" });
  expect([found.includes("Open/a.md"), found.includes("Closed")]).toEqual([true, false]);
  const refused = await called(kept, "write_note", { path: "Closed/c.md", text: "x" });
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining("path_refused")]);
  const reader = await served.connect("office", "native", await served.member("office", "reads", "read"));
  expect((await reader.listTools()).tools.map(({ name }) => name)).not.toContain("write_note");
});

test("112: a removed member is refused with the next request, and its streams end", async () => {
  const leaving = await served.member("garden", "leaving");
  const listen = modern(leaving, "subscriptions/listen", { notifications: { resourcesListChanged: true } });
  const listening = await fetch(at("/garden/mcp"), listen);
  expect(listening.status).toBe(200);
  const ended = listening.text();
  expect((await served.admin("DELETE", "/workspaces/garden/members/leaving")).status).toBe(200);
  expect((await fetch(at("/garden/mcp"), modern(leaving, "tools/list"))).status).toBe(401);
  await ended;
  // Whoever comes again under the same name is somebody else, and let in.
  const again = await served.member("garden", "leaving");
  expect((await fetch(at("/garden/mcp"), modern(again, "tools/list"))).status).toBe(200);
});

describe("113: the owner's secret", () => {
  test("opens the owner's calls alone, and nothing else opens them", async () => {
    for (const secret of ["wrong", tokens["gardener"]!])
      expect((await served.admin("POST", "/workspaces", { id: "theirs" }, secret)).status).toBe(401);
    expect((await asked("/admin/workspaces", { method: "POST" })).status).toBe(401);
    expect((await asked("/garden/mcp", withToken(OWNER_SECRET))).status).toBe(401);
  });
});

test("days are those of the workspace's time zone", async () => {
  const token = await (async () => {
    await served.make("zones", "Pacific/Kiritimati");
    return served.member("zones", "traveller");
  })();
  const day = async (): Promise<string> => {
    const cairn = await served.connect("zones", "cairn", token);
    return /\d{4}-\d\d-\d\d/.exec(await call(cairn, "cairn_daily", { op: "append", content: "here" }))![0];
  };
  const east = await day();
  const { status } = await served.admin("PATCH", "/workspaces/zones", { timezone: "Pacific/Pago_Pago" });
  expect(status).toBe(200);
  // Twenty-five hours lie between the two.
  expect((await day()) < east).toBe(true);
});

test("an index is made anew, and finds what it found", async () => {
  const native = await served.connect("office", "native", tokens["clerk"]!);
  await call(native, "write_note", { path: "again.md", text: "# Again\n\nmarmalade\n" });
  expect((await served.admin("POST", "/workspaces/office/rebuild-index")).status).toBe(202);
  const after = await served.connect("office", "native", tokens["clerk"]!);
  expect(await call(after, "search_notes", { query: "marmalade" })).toContain("again.md");
});
