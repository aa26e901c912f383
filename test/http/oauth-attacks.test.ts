/** Attacks on signing in, from a real socket. The numbers are those of SECURITY.md. */

import { createServer } from "node:net";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authFile } from "../../src/oauth/auth-file.ts";
import { openSql } from "../../src/sqlite/node.ts";
import { command, makeHome, runToEnd } from "../process.ts";
import { modern, serveHttp, type HttpServed } from "./served.ts";
import {
  authorizeUrl,
  consented,
  decide,
  handleIn,
  newVerifier,
  PASSPHRASE,
  REDIRECT,
  register,
  registered,
  serveOAuth,
  signedIn,
  signIn,
  tokenRequest,
} from "./signing-in.ts";

let served: HttpServed;
let client: string;
const { verifier, challenge } = newVerifier();
beforeAll(async () => {
  served = await serveOAuth();
  client = await registered(served.base);
});
afterAll(async () => {
  await served.end();
  served.home.remove();
});

const asking = (parameters: Record<string, string | undefined> = {}): URL =>
  authorizeUrl(served.base, { client_id: client, code_challenge: challenge, ...parameters });
const statusOf = async (token: string, base = `${served.base}/mcp`): Promise<number> =>
  (await fetch(base, modern(token, "tools/list"))).status;
const exchange = (code: string, more: Record<string, string> = {}): Promise<Response> =>
  tokenRequest(served.base, {
    grant_type: "authorization_code",
    client_id: client,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
    ...more,
  });
const newCode = async (name: string): Promise<string> =>
  (await consented(asking(), { name })).searchParams.get("code")!;

describe("80: codes and tokens", () => {
  test("a code that comes twice: the second time in vain, and the first token dies", async () => {
    const code = await newCode("replayed");
    const { access_token: token } = (await (await exchange(code)).json()) as { access_token: string };
    expect(await statusOf(token)).toBe(200);
    expect(await (await exchange(code)).json()).toMatchObject({ error: "invalid_grant" });
    expect(await statusOf(token)).toBe(401);
    const list = await runToEnd([command("notewright"), "token", "list"], {
      environment: served.home.environment,
    });
    expect(list.stdout).not.toContain("replayed");
  });

  test("twenty exchanges of one code at once: at most one has a token, and it dies", async () => {
    const code = await newCode("raced");
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(code)));
    const given = answers.filter(({ ok }) => ok);
    expect(given.length).toBe(1);
    const { access_token: token } = (await given[0]!.json()) as { access_token: string };
    expect(await statusOf(token)).toBe(401);
  });

  test("a code of somebody else, with another verifier, for another redirect", async () => {
    const code = await newCode("stolen");
    const other = await registered(served.base);
    const wrong: Record<string, string>[] = [
      { client_id: other },
      { code_verifier: newVerifier().verifier },
      { code_verifier: "" },
      { redirect_uri: "http://127.0.0.1:8999/other" },
    ];
    for (const more of wrong) expect((await exchange(code, more)).ok).toBe(false);
    expect((await exchange(code)).ok).toBe(true);
  });

  test("an expired, a foreign and a garbled token", async () => {
    const { tokens } = await signedIn(served.base, { name: "expired" }, { client_id: client });
    const [, grant] = tokens.access_token.split(":");
    expect(await statusOf(tokens.access_token)).toBe(200);
    const sql = await openSql(authFile(served.home.environment, served.home.folder));
    sql.run(
      "UPDATE kept SET value = json_set(value, '$.expiresAt', 1) WHERE key LIKE ?",
      `token:owner:${grant}:%`,
    );
    sql.close();
    expect(await statusOf(tokens.access_token)).toBe(401);
    for (const token of [
      `owner:${grant}:${"x".repeat(32)}`,
      "owner:x:y",
      "a:b:c:d",
      "::",
      tokens.refresh_token,
    ])
      expect(await statusOf(token)).not.toBe(200);
  });

  test("a token in the address is none", async () => {
    const { tokens } = await signedIn(served.base, { name: "in the address" }, { client_id: client });
    const { headers, ...rest } = modern("", "tools/list");
    const { authorization: _, ...without } = headers as Record<string, string>;
    const address = `${served.base}/mcp?access_token=${encodeURIComponent(tokens.access_token)}`;
    expect((await fetch(address, { ...rest, headers: without })).status).toBe(401);
  });
});

describe("81: requests that lead elsewhere", () => {
  const WRONG: [string, Record<string, string | undefined>][] = [
    ["a redirect that is not registered", { redirect_uri: "http://127.0.0.1:8999/evil" }],
    ["a redirect to another host", { redirect_uri: "https://evil.example/callback" }],
    ["a redirect that runs code", { redirect_uri: "javascript:alert(1)" }],
    ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }],
    ["PKCE without hashing", { code_challenge_method: "plain" }],
    ["another resource", { resource: "http://127.0.0.1:1/mcp" }],
    ["an unknown client", { client_id: "nobody" }],
    ["no client", { client_id: undefined }],
    ["the implicit grant", { response_type: "token" }],
  ];
  test.each(WRONG)("%s: a page, and nobody is sent anywhere", async (_, parameters) => {
    const answer = await fetch(asking(parameters), { redirect: "manual" });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("location")).toBeNull();
    expect(handleIn(await (await signIn(asking(parameters))).text())).toBe("");
  });

  test("a client with a secret needs PKCE, too", async () => {
    const id = await registered(served.base, { token_endpoint_auth_method: "client_secret_post" });
    const parameters = { client_id: id, code_challenge: undefined, code_challenge_method: undefined };
    expect((await fetch(asking(parameters), { redirect: "manual" })).status).toBe(400);
    const answer = await signIn(asking(parameters));
    expect(new URL(answer.headers.get("location")!).searchParams.get("error")).toBe("invalid_request");
  });

  test("redirects that cannot be registered", async () => {
    for (const uri of [
      "javascript:alert(1)",
      "http://evil.example/cb",
      "data:text/html,x",
      "https://a@b.example/",
    ])
      expect((await register(served.base, { redirect_uris: [uri] })).status).toBe(400);
  });
});

describe("82: the pages", () => {
  test("a client's name is text, however it is written", async () => {
    const name = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>\u202E\u0000\n${"x".repeat(500)}`;
    const id = await registered(served.base, { client_name: name });
    const page = await (await signIn(asking({ client_id: id }))).text();
    expect(page).toContain("&lt;script&gt;");
    expect(page).not.toMatch(/<script|<img|\u202E|x{100}/);
  });

  test("no script, no frame, no cookie, nothing from elsewhere, not kept", async () => {
    for (const answer of [await fetch(asking()), await signIn(asking())]) {
      const policy = answer.headers.get("content-security-policy")!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script|unsafe|form-action/);
      expect(answer.headers.get("set-cookie")).toBeNull();
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.text()).not.toContain("<script");
    }
  });

  test("what the owner needs to know stands on it", async () => {
    const page = await (await signIn(asking())).text();
    expect(page).toContain("Pocket client");
    expect(page).toContain("Nobody vouches for that.");
    expect(page).toContain("<strong>127.0.0.1</strong>");
    expect(page).toContain("Any program on this computer");
    const id = await registered(served.base, { redirect_uris: ["https://app.example/cb"] });
    const away = await (
      await signIn(asking({ client_id: id, redirect_uri: "https://app.example/cb" }))
    ).text();
    expect(away).toContain("<strong>app.example</strong>");
    expect(away).not.toContain('class="warning"');
  });
});

describe("83: forms of other pages", () => {
  test.each(["https://evil.example", "http://127.0.0.1:1", "http://localhost:3000", "null"])(
    "Origin %s is refused",
    async (origin) => {
      expect((await signIn(asking(), PASSPHRASE, origin)).status).toBe(403);
    },
  );

  test("a handle works once, and only as it was given", async () => {
    const page = await (await signIn(asking(), PASSPHRASE, served.base)).text();
    expect(handleIn(page)).toMatch(/^[0-9a-f]{64}$/);
    const denied = await decide(page, served.base, { decision: "deny" });
    expect(new URL(denied.headers.get("location")!).searchParams.get("error")).toBe("access_denied");
    expect((await decide(page, served.base, {})).status).toBe(400);
    expect((await decide(page, served.base, { consent: "0".repeat(64) })).status).toBe(400);
  });

  test("a name of somebody else's is not given twice", async () => {
    const page = await (await signIn(asking())).text();
    const answer = await decide(page, served.base, { name: "local" });
    expect(answer.status).toBe(400);
    const again = await answer.text();
    expect(again).toContain("already");
    expect((await decide(again, served.base, { name: "not local" })).status).toBe(303);
  });
});

describe("84: passphrases", () => {
  test("a wrong one is delayed, guesses at once too, and a code signs in meanwhile", async () => {
    const other = await serveOAuth();
    const url = authorizeUrl(other.base, {
      client_id: await registered(other.base),
      code_challenge: challenge,
    });
    // First, because a command takes longer to start than the delay lasts where the machine is busy.
    const args = [command("notewright"), "owner", "--code"];
    const { stdout } = await runToEnd(args, { environment: other.home.environment });
    const code = stdout.trim();
    expect(code).toMatch(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/);
    const codes = (await Promise.all(Array.from({ length: 10 }, (_, at) => signIn(url, `guess ${at}`)))).map(
      ({ status }) => status,
    );
    expect(codes.filter((code) => code === 401).length).toBe(1);
    expect(codes.filter((code) => code === 429).length).toBe(9);
    const waiting = await signIn(url);
    expect(waiting.status).toBe(429);
    expect(Number(waiting.headers.get("retry-after"))).toBeLessThanOrEqual(30);
    expect((await signIn(url, code.toLowerCase())).status).toBe(200);
    expect((await signIn(url, code)).status).toBe(429);
    expect(other.logged()).not.toContain(code);
    await other.end();
    other.home.remove();
  });

  test("the command sets one, keeps its hash, and refuses a short one", async () => {
    const other = await serveHttp(["--oauth"]);
    const url = authorizeUrl(other.base, {
      client_id: await registered(other.base),
      code_challenge: challenge,
    });
    expect(other.logged()).toContain("notewright owner");
    expect((await signIn(url, "")).status).toBe(403);
    const owner = (input: string) =>
      runToEnd([command("notewright"), "owner"], { environment: other.home.environment, input });
    expect((await owner("short\n")).code).toBe(2);
    expect((await owner("correct horse battery\n")).code).toBe(0);
    expect((await signIn(url, "correct horse battery")).status).toBe(200);
    await other.end();
    other.home.remove();
  });
});

test("a file of sign-ins that is damaged, or that others may read, is not used", async () => {
  const home = makeHome();
  const file = authFile(home.environment, home.folder);
  const start = () => runToEnd([command("notewright"), "owner", "--code"], { environment: home.environment });
  expect((await start()).code).toBe(0);
  chmodSync(file, 0o644);
  expect(await start()).toMatchObject({ code: 1, stderr: expect.stringContaining("chmod 600") });
  chmodSync(file, 0o600);
  writeFileSync(file, "My diary. ".repeat(1000));
  expect(await start()).toMatchObject({ code: 1, stderr: expect.stringContaining("damaged") });
  home.remove();
});

/** A listener that must not be called. */
const startListener = async () => {
  let called = 0;
  const listener = createServer((socket) => {
    called++;
    socket.destroy();
  });
  await new Promise<void>((done) => listener.listen(0, done));
  const { port } = listener.address() as { port: number };
  return { port, calls: () => called, close: () => new Promise((done) => listener.close(done)) };
};

describe("85: metadata documents", () => {
  test("one that resolves to loopback is refused, and a listener there is never called", async () => {
    const { port, calls, close } = await startListener();
    for (const host of ["localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"]) {
      const url = asking({ client_id: new URL(`https://${host}:${port}/client.json`).href });
      expect((await fetch(url)).status).toBe(200);
      const answer = await signIn(url);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain("not on the public internet");
    }
    expect(calls()).toBe(0);
    await close();
  });

  test("nothing is fetched before the owner has signed in, nor at the token endpoint", async () => {
    const { port, calls, close } = await startListener();
    const id = `https://localhost:${port}/client.json`;
    expect((await fetch(asking({ client_id: id }))).status).toBe(200);
    expect((await exchange("owner:a:b", { client_id: id })).status).toBe(401);
    expect(calls()).toBe(0);
    await close();
  });

  test("addresses that are none", async () => {
    for (const id of [
      "http://app.example/c.json",
      "https://app.example",
      "https://a@app.example/c.json",
      "https://app.example/../c.json",
    ])
      expect((await fetch(asking({ client_id: id }))).status).toBe(400);
  });
});

describe("86: registration", () => {
  test("twenty an hour, and no keys at other addresses", async () => {
    const other = await serveOAuth();
    expect((await register(other.base, { jwks_uri: "https://app.example/keys" })).status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 25 }, () => register(other.base)));
    expect(answers.filter(({ status }) => status === 201).length).toBe(20);
    expect(answers.filter(({ status }) => status === 429).length).toBe(5);
    const large = await register(other.base, { client_name: "x".repeat(20_000) });
    expect(large.status).toBe(413);
    await other.end();
    other.home.remove();
  });
});

describe("87: where passphrases may go", () => {
  test("--oauth needs TLS, or an address of this computer alone", async () => {
    const home = makeHome();
    for (const flags of [
      ["--http", "0.0.0.0:0"],
      ["--http", "127.0.0.1:0", "--public-url", "http://notes.example.org"],
      ["--http", "0.0.0.0:0", "--public-url", "http://127.0.0.1:8787"],
    ]) {
      const args = [command("notewright"), "serve", home.vault, "--oauth", ...flags];
      const { code, stderr } = await runToEnd(args, { environment: home.environment });
      expect(code).toBe(2);
      expect(stderr).toContain("https");
    }
    home.remove();
  });
});

test("88: of several vaults a token serves one; for the others it is none", async () => {
  const home = makeHome();
  const second = join(home.folder, "second");
  mkdirSync(second);
  const other = await serveOAuth([], { home, vaults: [`garden=${home.vault}`, `second=${second}`] });
  const about = await (await fetch(`${other.base}/.well-known/oauth-protected-resource/second/mcp`)).json();
  expect(about).toMatchObject({
    resource: `${other.base}/second/mcp`,
    authorization_servers: [other.base],
  });
  const { tokens } = await signedIn(other.base, { name: "one" }, { resource: `${other.base}/garden/mcp` });
  expect(await statusOf(tokens.access_token, `${other.base}/garden/mcp/wiki`)).toBe(200);
  const wrong = await fetch(`${other.base}/second/mcp`, modern(tokens.access_token, "tools/list"));
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get("www-authenticate")).toContain('error="invalid_token"');
  await other.end();
  home.remove();
});
