/** Signing in under two names at once: a Worker answers to its own domain and to that of workers.dev, and what one request is about is no business of another. */

import { expect, test } from "vitest";
import { handleIn, newVerifier } from "../../test/http/signing-in.ts";
import { openSql } from "../sqlite/node.ts";
import { openMembers } from "./members.ts";
import { openSigningIn } from "./signing-in.ts";

const NAMES = ["https://notewright.me.workers.dev", "https://notes.example.org"];
const REDIRECT = "https://client.example/cb";
const SECRET = "the secret of the owner";

test("each client goes from its registration to a token of the name that it called", async () => {
  const sql = await openSql(":memory:");
  const members = openMembers(
    sql,
    () => new Date(),
    () => undefined,
  );
  members.addWorkspace("garden");
  const server = openSigningIn({ sql, members, isOwner: async (secret) => secret === SECRET });
  /** Another request comes whenever one waits. */
  const ask = (base: string, path: string, body?: Record<string, string>, json = false): Promise<Response> =>
    server.at(new URL(base)).fetch(
      new Request(base + path, {
        headers: {
          host: new URL(base).host,
          ...(body
            ? { "content-type": json ? "application/json" : "application/x-www-form-urlencoded" }
            : {}),
        },
        ...(body
          ? { method: "POST", body: json ? JSON.stringify(body) : new URLSearchParams(body).toString() }
          : {}),
      }),
      path.replace(/\?.*/, ""),
    );
  const signIn = async (base: string, name: string): Promise<void> => {
    const metadata = { client_name: name, token_endpoint_auth_method: "none" };
    const made = await ask(
      base,
      "/oauth/register",
      { ...metadata, redirect_uris: [REDIRECT] } as never,
      true,
    );
    const { client_id: client } = (await made.json()) as { client_id: string };
    const { verifier, challenge } = newVerifier();
    const query = new URLSearchParams({
      response_type: "code",
      client_id: client,
      redirect_uri: REDIRECT,
      code_challenge: challenge,
      code_challenge_method: "S256",
      scope: "notes:read",
      resource: `${base}/garden/mcp`,
    });
    const page = await (await ask(base, `/authorize?${query}`, { secret: SECRET })).text();
    const form = { consent: handleIn(page), decision: "allow", name, rights: "read" };
    const location = new URL((await ask(base, "/authorize", form)).headers.get("location")!);
    expect(location.searchParams.get("iss")).toBe(base);
    const code = location.searchParams.get("code")!;
    const answer = await ask(base, "/oauth/token", {
      grant_type: "authorization_code",
      client_id: client,
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
    });
    const tokens = (await answer.json()) as { access_token: string };
    expect([base, answer.status, tokens]).toEqual([base, 200, expect.anything()]);
    expect(await server.at(new URL(base)).of(tokens.access_token)).toMatchObject({ name, vault: "garden" });
    // It is for the name under which it was asked for.
    const other = NAMES.find((each) => each !== base)!;
    expect(await server.at(new URL(other)).of(tokens.access_token)).toBeNull();
  };
  await Promise.all(Array.from({ length: 10 }, (_, at) => signIn(NAMES[at % 2]!, `App ${at}`)));
});
