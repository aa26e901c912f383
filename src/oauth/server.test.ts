/** The authorization server without sockets: behind a proxy, over time, and with a client that has a metadata document. */

import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CERTIFICATE, KEY } from "../../test/http/certificate.ts";
import { handleIn, newVerifier } from "../../test/http/signing-in.ts";
import type { Identity } from "../identity/identity.ts";
import { openSql } from "../sqlite/node.ts";
import { openClients } from "./clients.ts";
import { documentFetcher } from "./fetch-document.ts";
import { newCode, ON_NODE, openOwner, setPassphrase, type Passphrases } from "./owner.ts";
import { listed } from "./resources.ts";
import { openOAuth } from "./server.ts";
import { CLIENT, openStore } from "./store.ts";

const BASE = "https://notes.example.org/deep";
const REDIRECT = "https://client.example/cb";
const passphrases: Passphrases = { hash: async (text) => text, matches: async (text, kept) => text === kept };

const open = async (fetchDocument = documentFetcher()) => {
  const store = openStore(await openSql(":memory:"), Date.now);
  await setPassphrase(store, passphrases, "right");
  let known: Identity[] = [];
  const server = openOAuth({
    store,
    identities: {
      list: () => known,
      async change(edit) {
        known = edit(known);
      },
    },
    owner: openOwner(store, passphrases, Date.now),
    words: ON_NODE,
    fetchDocument,
    resources: (base) => listed([{ address: `${base.href}/mcp`, place: "/notes", title: "notes" }]),
    foldersOf: () => null,
    now: Date.now,
  });
  const oauth = server.at(new URL(BASE));
  /** As it comes from a proxy that knows nothing of names. */
  const ask = (path: string, form?: Record<string, string>, host = "127.0.0.1:8787"): Promise<Response> =>
    oauth.fetch(
      new Request(`http://${host}${path}`, {
        headers: { host, ...(form ? { "content-type": "application/x-www-form-urlencoded" } : {}) },
        ...(form ? { method: "POST", body: new URLSearchParams(form).toString() } : {}),
      }),
      path.replace(/\?.*/, ""),
    );
  return { server, oauth, store, ask, identities: () => known };
};

describe("87: behind a proxy", () => {
  test("every address is the public one", async () => {
    const { ask } = await open();
    const about = await (await ask("/.well-known/oauth-authorization-server")).json();
    expect(about).toMatchObject({
      issuer: BASE,
      authorization_endpoint: `${BASE}/authorize`,
      token_endpoint: `${BASE}/oauth/token`,
      registration_endpoint: `${BASE}/oauth/register`,
      revocation_endpoint: `${BASE}/oauth/revoke`,
    });
  });

  test("a name of this computer in its network, where there is no TLS, is refused", async () => {
    const { ask } = await open();
    expect((await ask("/authorize", undefined, "192.168.1.5:8787")).status).toBe(403);
    expect((await ask("/oauth/token", {}, "192.168.1.5:8787")).status).toBe(403);
    expect((await ask("/authorize", undefined, "notes.example.org")).status).toBe(400);
  });
});

describe("a client with a metadata document", () => {
  let server: Server;
  let fetched = 0;
  let id = "";
  let redirects = [REDIRECT];
  beforeAll(async () => {
    server = createServer({ key: KEY, cert: CERTIFICATE }, (_, answer) => {
      fetched++;
      answer.end(JSON.stringify({ client_id: id, client_name: "Documented", redirect_uris: redirects }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    id = `https://client.example:${(server.address() as AddressInfo).port}/client.json`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const near = documentFetcher({ resolve: async () => ["127.0.0.1"], isPublic: () => true, ca: CERTIFICATE });

  test("goes from its address to a token; it is fetched for each sign-in and at no other time", async () => {
    const { oauth, store, ask, identities } = await open(near);
    const { verifier, challenge } = newVerifier();
    const query = new URLSearchParams({
      response_type: "code",
      client_id: id,
      redirect_uri: REDIRECT,
      code_challenge: challenge,
      code_challenge_method: "S256",
      scope: "notes:read",
    });
    const path = `/authorize?${query}`;
    expect((await ask(path)).status).toBe(200);
    expect((await ask(path, { secret: "wrong" })).status).toBe(401);
    expect(fetched).toBe(0);
    const page = await (await ask(path, { secret: await newCode(store) })).text();
    expect(fetched).toBe(1);
    expect(page).toContain("Published by <strong>client.example</strong>");
    expect(page).toContain('value="Documented"');
    expect(page).toMatch(/value="read"\s+checked/);
    const form = { consent: handleIn(page), decision: "allow", name: "Documented", rights: "read" };
    const location = new URL((await ask("/authorize", form)).headers.get("location")!);
    expect(location.searchParams.get("iss")).toBe(BASE);
    const answer = await ask("/oauth/token", {
      grant_type: "authorization_code",
      client_id: id,
      code: location.searchParams.get("code")!,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
    });
    const tokens = (await answer.json()) as { access_token: string; refresh_token: string };
    expect(await oauth.of(tokens.access_token)).toMatchObject({
      name: "Documented",
      rights: "read",
      vault: "/notes",
    });
    const refresh = { grant_type: "refresh_token", client_id: id, refresh_token: tokens.refresh_token };
    expect((await ask("/oauth/token", refresh)).status).toBe(200);
    expect(fetched).toBe(1);
    expect(identities()).toHaveLength(1);

    // The document has changed: what it says now counts.
    redirects = ["https://client.example/elsewhere"];
    const later = await ask(path, { secret: await newCode(store) });
    expect(later.status).toBe(400);
    expect(store.values(CLIENT)).toHaveLength(1);
  });
});

test("86: at 1,000 clients the oldest without a grant go first", async () => {
  let time = Date.now();
  const store = openStore(await openSql(":memory:"), () => time);
  const clients = openClients(store, documentFetcher(), () => time);
  for (let at = 0; at < 1000; at++) {
    time += 200_000;
    await store.put(`${CLIENT}c${at}`, "{}");
  }
  await store.put("grant:owner:g", JSON.stringify({ clientId: "c0" }));
  time += 3_600_000;
  expect(clients.refuse({})).toBeNull();
  expect(await store.get(`${CLIENT}c0`)).toBe("{}");
  expect(await store.get(`${CLIENT}c1`)).toBeNull();
  expect(await store.get(`${CLIENT}c2`)).toBe("{}");
  expect(store.values(CLIENT)).toHaveLength(999);
});

test("what has expired is not there, and a key keeps the time it was first put in", async () => {
  let time = 1000;
  const store = openStore(await openSql(":memory:"), () => time);
  await store.put("a:1", "x", { expirationTtl: 10, metadata: { m: 1 } });
  await store.put("a:2", "y", { expiration: 100 });
  await store.put("b:1", "z");
  expect(await store.list({ prefix: "a:", limit: 1 })).toEqual({
    keys: [{ name: "a:1", metadata: { m: 1 } }],
    list_complete: false,
    cursor: "a:1",
  });
  expect((await store.list({ prefix: "a:", cursor: "a:1" })).keys).toEqual([{ name: "a:2" }]);
  time = 12_000;
  await store.put("a:2", "again", { expiration: 100 });
  expect(await store.get("a:1")).toBeNull();
  expect(store.madeSince("a:", 11_000)).toBe(0);
  expect(store.values("a:")).toEqual([expect.objectContaining({ key: "a:2", value: "again", made: 1000 })]);
  expect(store.take("b:1")).toBe("z");
  expect(store.take("b:1")).toBeNull();
});
