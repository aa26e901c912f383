/** Signing in at the edge: the authorization server in the object of the accounts, with the official clients of both eras. */

import { beforeAll, describe, expect, test } from "vitest";
import { callTool, modern } from "../http/served.ts";
import {
  authorizeUrl,
  CLIENTS,
  consented,
  memory,
  newVerifier,
  registered,
  signedIn,
  signIn,
  tokenRequest,
  type Tokens,
} from "../http/signing-in.ts";
import { served } from "./deployed.ts";
import { openPage } from "./owners-page.ts";
import { OWNER_SECRET } from "./served.ts";

let owner: string;

beforeAll(async () => {
  await served.make("orchard");
  await served.make("market");
  owner = await served.member("orchard", "orcharder");
  await callTool(mcp(), owner, "write_note", { path: "Beds/Rain.md", text: "# Rain\n\nfern and moss\n" });
  await callTool(mcp(), owner, "write_note", { path: "Shed.md", text: "# Shed\n\nfern in a pot\n" });
});

const mcp = (path = "/orchard/mcp"): string => served.base + path;
const entered = (form: Record<string, string>, parameters: Record<string, string | undefined> = {}) =>
  signedIn(served.base, form, { resource: mcp(), ...parameters }, OWNER_SECRET);
const statusOf = async (token: string, path = "/orchard/mcp"): Promise<number> =>
  (await fetch(mcp(path), modern(token, "tools/list"))).status;

describe.each(CLIENTS)("the official client %s", (version, makeClient, makeTransport) => {
  test("goes from 401 to a tool call; read-only holds; the owner ends it at once", async () => {
    const { kept, provider } = memory(`Official ${version}`);
    const url = new URL(mcp());
    const transport = makeTransport(url, provider);
    await expect(makeClient().connect(transport as never)).rejects.toThrow(/[Uu]nauthorized/);
    const name = `Reader ${version}`;
    const answer = await consented(kept.url!, { rights: "read", name }, OWNER_SECRET);
    expect(answer.searchParams.get("iss")).toBe(served.base);
    await (version === "1.x"
      ? transport.finishAuth(answer.searchParams.get("code")!)
      : transport.finishAuth(answer.searchParams as never));
    const client = makeClient();
    await client.connect(makeTransport(url, provider) as never);
    const found = await client.callTool({ name: "search_notes", arguments: { query: "fern" } });
    expect(JSON.stringify(found)).toContain("Rain.md");
    const writing = client.callTool({ name: "write_note", arguments: { path: "No.md", text: "x" } });
    await expect(writing).rejects.toThrow();
    const { access_token: access, refresh_token: refresh } = kept.tokens as Tokens;
    const path = `/workspaces/orchard/members/${encodeURIComponent(name)}`;
    expect((await served.admin("DELETE", path)).status).toBe(200);
    expect(await statusOf(access)).toBe(401);
    const refreshed = await tokenRequest(served.base, {
      grant_type: "refresh_token",
      refresh_token: refresh,
      client_id: (kept.client as { client_id: string }).client_id,
    });
    expect(await refreshed.json()).toMatchObject({ error: "invalid_grant" });
    await client.close();
  });
});

test("a consent is for one workspace, its folders and its rights; the name is the author", async () => {
  const { tokens } = await entered({ name: "Anna by app", folders: "Beds" });
  const token = tokens.access_token;
  expect(await callTool(mcp(), token, "search_notes", { query: "fern" })).not.toContain("Shed.md");
  await callTool(mcp(), token, "write_note", { path: "Beds/Hers.md", text: "hers" });
  expect(await callTool(mcp(), owner, "get_history", { note: "Beds/Hers.md" })).toContain("Anna by app");
  for (const path of ["/orchard", "/orchard/mcp", "/orchard/mcp/wiki"])
    expect(await statusOf(token, path)).toBe(200);
  expect(await statusOf(token, "/market/mcp")).toBe(404);
});

test("an app that may propose does so, and keeps to that when its token is renewed; the owner accepts at the page", async () => {
  const { client, tokens } = await entered({ name: "Pocket", rights: "propose" });
  const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: client };
  const next = (await (await tokenRequest(served.base, form)).json()) as Tokens;
  const note = { path: "Pocket.md", text: "from the pocket" };
  expect(await callTool(mcp(), next.access_token, "write_note", note)).toContain("Not written yet");
  const read = { notes: ["Pocket.md"] };
  expect(await callTool(mcp(), owner, "read_notes", read)).toContain("note_missing");
  const page = await openPage(served.base, "orchard");
  const [id] = await page.waiting();
  await page.accept(id!);
  expect(await callTool(mcp(), owner, "read_notes", read)).toContain("from the pocket");
  expect(await callTool(mcp(), owner, "get_history", { note: "Pocket.md" })).toContain(
    "(Pocket, write_note, accepted by owner)",
  );
});

test("a second consent of the same client, for another workspace, leaves the first", async () => {
  const first = await entered({ name: "Both" });
  const resource = mcp("/market/mcp");
  const second = await entered({ name: "Both" }, { client_id: first.client, resource });
  expect(await statusOf(first.tokens.access_token)).toBe(200);
  expect(await statusOf(second.tokens.access_token, "/market/mcp")).toBe(200);
});

test("a call beyond its scope is told which it needs, at the address that the client called", async () => {
  const { tokens } = await entered({ name: "reads", rights: "read" });
  const init = modern(tokens.access_token, "tools/call", {
    name: "write_note",
    arguments: { path: "No.md", text: "x" },
  });
  const answer = await fetch(mcp(), init);
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
    403,
    `Bearer error="insufficient_scope", resource_metadata="${mcp("/.well-known/oauth-protected-resource/orchard/mcp")}", scope="notes:read notes:write"`,
  ]);
});

test("refresh tokens rotate; a client that gives its access back ends its token and its streams", async () => {
  const { client, tokens } = await entered({ name: "leaving" });
  const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: client };
  const next = (await (await tokenRequest(served.base, form)).json()) as Tokens;
  expect(next.refresh_token).not.toBe(tokens.refresh_token);
  const listen = { notifications: { resourcesListChanged: true } };
  const listening = await fetch(mcp(), modern(next.access_token, "subscriptions/listen", listen));
  expect(listening.status).toBe(200);
  const ended = listening.text();
  const back = { token: next.refresh_token, client_id: client };
  expect((await tokenRequest(served.base, back, "/oauth/revoke")).status).toBe(200);
  expect(await statusOf(next.access_token)).toBe(401);
  await ended;
});

test("under two names at once: each client gets the token of the name that it called", async () => {
  const { port } = new URL(served.base);
  const names = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  // The library knows its own addresses: a request that it takes for another server's is answered in no words of it.
  const form = { grant_type: "authorization_code", client_id: "nobody", code: "x".repeat(2000) };
  const refused = async (_: unknown, at: number): Promise<void> => {
    const answer = await tokenRequest(names[at % 2]!, form);
    expect([at, await answer.text()]).toEqual([at, expect.stringContaining("invalid_")]);
  };
  // A few at a time: the runtime closes connections that are left over.
  for (let round = 0; round < 30; round++) await Promise.all(Array.from({ length: 6 }, refused));
  // No more than 20 an hour may register.
  const rounds = Array.from({ length: 4 }, (_, at) => ({ base: names[at % 2]!, name: `Twice ${at}` }));
  await Promise.all(
    rounds.map(async ({ base, name }) => {
      const resource = `${base}/orchard/mcp`;
      const { tokens } = await signedIn(base, { name, rights: "read" }, { resource }, OWNER_SECRET);
      const answer = await fetch(resource, modern(tokens.access_token, "tools/list"));
      expect([name, answer.status]).toEqual([name, 200]);
    }),
  );
});

test("45: a code is used once, also at once", async () => {
  const client = await registered(served.base);
  const { verifier, challenge } = newVerifier();
  const url = authorizeUrl(served.base, { client_id: client, code_challenge: challenge, resource: mcp() });
  const code = (await consented(url, { name: "once" }, OWNER_SECRET)).searchParams.get("code")!;
  const form = {
    grant_type: "authorization_code",
    client_id: client,
    code,
    code_verifier: verifier,
    redirect_uri: url.searchParams.get("redirect_uri")!,
  };
  const answers = await Promise.all(Array.from({ length: 5 }, () => tokenRequest(served.base, form)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
});

test("a one-time code signs in once; a wrong secret does not", async () => {
  const client = await registered(served.base);
  const challenge = newVerifier().challenge;
  const url = authorizeUrl(served.base, { client_id: client, code_challenge: challenge, resource: mcp() });
  expect((await signIn(url, "wrong")).status).toBe(401);
  const { body } = await served.admin("POST", "/codes");
  expect((await signIn(url, body["code"] as string)).status).toBe(200);
  expect((await signIn(url, body["code"] as string)).status).toBe(401);
});

test("110: signing in tells nobody which workspaces there are", async () => {
  const client = await registered(served.base);
  const challenge = newVerifier().challenge;
  const pageOf = async (id: string) => {
    const resource = mcp(`/${id}/mcp`);
    const url = authorizeUrl(served.base, { client_id: client, code_challenge: challenge, resource });
    const response = await fetch(url);
    return [response.status, (await response.text()).replace(/nonce="[^"]*"/, "")];
  };
  expect(await pageOf("orchard")).toEqual(await pageOf("nobody"));
  expect((await pageOf("orchard"))[0]).toBe(200);
  const resource = mcp("/nobody/mcp");
  const url = authorizeUrl(served.base, { client_id: client, code_challenge: challenge, resource });
  const asked = await signIn(url, OWNER_SECRET);
  expect([asked.status, await asked.text()]).toEqual([400, expect.stringContaining("There are no notes")]);
  const about = await (await fetch(mcp("/.well-known/oauth-authorization-server"))).text();
  expect(about).not.toContain("orchard");
  expect(JSON.parse(about)).toMatchObject({ issuer: served.base, token_endpoint: mcp("/oauth/token") });
});
