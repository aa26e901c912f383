/** Signing in by OAuth, from a real socket: from 401 to a tool call with the official clients of both protocol eras, what the owner chose, and how it ends. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, runToEnd } from "../process.ts";
import { callTool, modern, type HttpServed } from "./served.ts";
import {
  authorizeUrl,
  CLIENTS,
  consented,
  memory,
  newVerifier,
  serveOAuth,
  signedIn,
  signIn,
  tokenRequest,
  type Tokens,
} from "./signing-in.ts";

let served: HttpServed;
beforeAll(async () => {
  served = await serveOAuth();
});
afterAll(async () => {
  await served.end();
  served.home.remove();
});

const mcp = (path = "/mcp"): string => served.base + path;
const notewright = (...args: string[]) =>
  runToEnd([command("notewright"), ...args], { environment: served.home.environment });
const statusOf = async (token: string): Promise<number> =>
  (await fetch(mcp(), modern(token, "tools/list"))).status;

describe.each(CLIENTS)("the official client %s", (version, makeClient, makeTransport) => {
  test("goes from 401 to a tool call; read-only holds; revoking ends it at once", async () => {
    const { kept, provider } = memory(`Official ${version}`);
    const url = new URL(mcp());
    const transport = makeTransport(url, provider);
    await expect(makeClient().connect(transport as never)).rejects.toThrow(/[Uu]nauthorized/);
    const answer = await consented(kept.url!, { rights: "read", name: `Reader ${version}` });
    expect(answer.searchParams.get("state")).toBe("s1");
    expect(answer.searchParams.get("iss")).toBe(served.base);
    await (version === "1.x"
      ? transport.finishAuth(answer.searchParams.get("code")!)
      : transport.finishAuth(answer.searchParams as never));

    const client = makeClient();
    await client.connect(makeTransport(url, provider) as never);
    const found = await client.callTool({ name: "search_notes", arguments: { query: "garden" } });
    expect(JSON.stringify(found)).toContain("Rain garden");
    const writing = client.callTool({ name: "write_note", arguments: { path: "No.md", text: "x" } });
    await expect(writing).rejects.toThrow();
    expect(() => statSync(join(served.home.vault, "No.md"))).toThrow();

    const list = await notewright("token", "list");
    expect(list.stdout).toMatch(new RegExp(`Reader ${version} +read .*signed in by OAuth`));
    expect((await notewright("token", "remove", `Reader ${version}`)).code).toBe(0);
    const { access_token: access, refresh_token: refresh } = kept.tokens as Tokens;
    expect(await statusOf(access)).toBe(401);
    const refreshed = await tokenRequest(served.base, {
      grant_type: "refresh_token",
      refresh_token: refresh,
      client_id: (kept.client as { client_id: string }).client_id,
    });
    expect(await refreshed.json()).toMatchObject({ error: "invalid_grant" });
    await client.close();
  });

  test.each(["/", "/mcp/wiki"])("signs in at %s of localhost, the name that it was given", async (path) => {
    const { kept, provider } = memory(`Local ${version} ${path}`);
    const url = new URL(path, served.base.replace("127.0.0.1", "localhost"));
    const transport = makeTransport(url, provider);
    await expect(makeClient().connect(transport as never)).rejects.toThrow(/[Uu]nauthorized/);
    expect(kept.url!.searchParams.get("resource")).toBe(url.href);
    const answer = await consented(kept.url!, {
      rights: "read",
      name: `Local ${version} ${path.slice(1, 4)}`,
    });
    await (version === "1.x"
      ? transport.finishAuth(answer.searchParams.get("code")!)
      : transport.finishAuth(answer.searchParams as never));
    const client = makeClient();
    await client.connect(makeTransport(url, provider) as never);
    await client.close();
  });
});

test("the name that the owner chose is the author", async () => {
  const { tokens } = await signedIn(served.base, { name: "Anna by app" });
  await callTool(mcp(), tokens.access_token, "write_note", { path: "Of an app.md", text: "hers" });
  const history = await callTool(mcp(), served.token, "get_history", { note: "Of an app.md" });
  expect(history).toContain("Anna by app");
});

test("a second consent to the same client, under the same name, ends the first", async () => {
  const first = await signedIn(served.base, { name: "again" });
  const second = await signedIn(served.base, { name: "again" }, { client_id: first.client });
  expect(await statusOf(first.tokens.access_token)).toBe(401);
  expect(await statusOf(second.tokens.access_token)).toBe(200);
});

test("what a client was given before is what the page offers first", async () => {
  const { client } = await signedIn(served.base, {
    name: "before",
    rights: "read",
    folders: "Projects\nIdeas",
  });
  const parameters = { client_id: client, code_challenge: newVerifier().challenge };
  const page = await (await signIn(authorizeUrl(served.base, parameters))).text();
  expect(page).toMatch(/value="read"\s+checked/);
  expect(page).toMatch(/<textarea[^>]*>Projects\nIdeas<\/textarea/);
  expect(page).toContain('value="before"');
});

test("a token serves every address of its vault", async () => {
  const { tokens } = await signedIn(served.base, { name: "everywhere" }, { resource: mcp("/mcp/wiki") });
  for (const path of ["/", "/mcp", "/mcp/native", "/mcp/wiki", "/mcp/obsidian"])
    expect((await fetch(mcp(path), modern(tokens.access_token, "tools/list"))).status).toBe(200);
});

test("consent for one folder, read-only, holds afterwards", async () => {
  const form = { name: "one folder", rights: "read", folders: " Projects/ \n" };
  const { access_token: token } = (await signedIn(served.base, form)).tokens;
  expect(await callTool(mcp(), token, "search_notes", { query: "garden" })).toContain("Rain garden");
  expect(await callTool(mcp(), token, "read_notes", { notes: ["Plants/Garlic.md"] })).toMatch(
    /^note_missing: /,
  );
  expect(await callTool(mcp(), token, "search_notes", { query: "garlic" })).not.toContain("Plants/");
  const call = { name: "write_note", arguments: { path: "Projects/No.md", text: "x" } };
  expect((await fetch(mcp(), modern(token, "tools/call", call))).status).toBe(403);
  expect((await notewright("token", "list")).stdout).toMatch(/one folder +read .*  Projects  /);
});

test("a folder that cannot be one is asked for again", async () => {
  await expect(signedIn(served.base, { name: "outside", folders: "../elsewhere" })).rejects.toThrow(
    "A folder is named",
  );
});

test("a call beyond its scope: 403, and which scope it needs", async () => {
  const { tokens } = await signedIn(served.base, { name: "reads", rights: "read" });
  expect(tokens.scope).toBe("notes:read");
  const call = { name: "write_note", arguments: { path: "No.md", text: "x" } };
  const answer = await fetch(mcp(), modern(tokens.access_token, "tools/call", call));
  expect(answer.status).toBe(403);
  expect(answer.headers.get("www-authenticate")).toBe(
    `Bearer error="insufficient_scope", resource_metadata="${mcp("/.well-known/oauth-protected-resource/mcp")}", scope="notes:read notes:write"`,
  );
  const tools = await fetch(mcp(), modern(tokens.access_token, "tools/list"));
  expect(await tools.text()).not.toContain("write_note");
});

test("a token for less than was granted does less, also beside one for all of it", async () => {
  const { client, tokens } = await signedIn(served.base, { name: "both" });
  expect(await callTool(mcp(), tokens.access_token, "write_note", { path: "Yes.md", text: "x" })).toContain(
    "Yes",
  );
  const less = (await (
    await tokenRequest(served.base, {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      client_id: client,
      scope: "notes:read",
    })
  ).json()) as Tokens;
  expect(less.scope).toBe("notes:read");
  const call = { name: "write_note", arguments: { path: "No.md", text: "x" } };
  expect((await fetch(mcp(), modern(less.access_token, "tools/call", call))).status).toBe(403);
  expect((await fetch(mcp(), modern(tokens.access_token, "tools/call", call))).status).toBe(200);
});

test("refresh tokens rotate", async () => {
  const { client, tokens } = await signedIn(served.base, { name: "rotating" });
  const refresh = async (token: string) => {
    const form = { grant_type: "refresh_token", refresh_token: token, client_id: client };
    return (await (await tokenRequest(served.base, form)).json()) as Tokens & { error?: string };
  };
  const second = await refresh(tokens.refresh_token);
  expect(second.refresh_token).not.toBe(tokens.refresh_token);
  const third = await refresh(second.refresh_token);
  expect(await statusOf(third.access_token)).toBe(200);
  expect((await refresh(tokens.refresh_token)).error).toBe("invalid_grant");
});

test("a client gives its access back: its token, its streams and its identity end", async () => {
  const { client, tokens } = await signedIn(served.base, { name: "leaving" });
  const listen = modern(tokens.access_token, "subscriptions/listen", {
    notifications: { resourcesListChanged: true },
  });
  const listening = await fetch(mcp(), listen);
  expect(listening.status).toBe(200);
  const ended = listening.text();
  const form = { token: tokens.refresh_token, client_id: client };
  expect((await tokenRequest(served.base, form, "/oauth/revoke")).status).toBe(200);
  expect(await statusOf(tokens.access_token)).toBe(401);
  await ended;
  expect((await notewright("token", "list")).stdout).not.toContain("leaving");
});

test("the metadata says what there is", async () => {
  const about = await (await fetch(mcp("/.well-known/oauth-authorization-server"))).json();
  expect(about).toMatchObject({
    issuer: served.base,
    authorization_endpoint: mcp("/authorize"),
    token_endpoint: mcp("/oauth/token"),
    registration_endpoint: mcp("/oauth/register"),
    revocation_endpoint: mcp("/oauth/revoke"),
    scopes_supported: ["notes:read", "notes:write"],
    code_challenge_methods_supported: ["S256"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
  const resource = await (await fetch(mcp("/.well-known/oauth-protected-resource/mcp"))).json();
  expect(resource).toMatchObject({ authorization_servers: [served.base] });
});

test("what is kept is closed to others, and holds no secret as it is", async () => {
  const { tokens, code } = await signedIn(served.base, { name: "kept" });
  const folder = join(served.home.folder, ".local/state/notewright");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of ["auth.db", "auth.db-wal"]) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(join(folder, name), "latin1");
    for (const secret of [tokens.access_token, tokens.refresh_token, code, "four words"])
      expect(bytes.includes(secret)).toBe(false);
  }
  expect(served.logged()).not.toContain(tokens.access_token);
});
