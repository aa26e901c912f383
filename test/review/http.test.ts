/** Review over HTTP: an identity that may propose, an app that was given that right on the consent page, and a folder that was lost meanwhile. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere } from "../command.ts";
import { notesBelow } from "../history-vault.ts";
import type { HttpServed } from "../http/served.ts";
import {
  authorizeUrl,
  newVerifier,
  registered,
  serveOAuth,
  signedIn,
  signIn,
  tokenRequest,
  type Tokens,
} from "../http/signing-in.ts";
import type { Ended } from "../process.ts";

let served: HttpServed;
beforeAll(async () => {
  served = await serveOAuth();
});
afterAll(async () => {
  await served.end();
  served.home.remove();
});

const run = (...args: string[]): Promise<Ended> =>
  runHere([...args, served.home.vault], served.home.environment, served.home.folder);
const connected = async (token: string, name: string): Promise<Client> => {
  const client = new Client({ name, version: "1" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${served.base}/mcp`), { requestInit }));
  return client;
};
const append = async (client: Client, note: string, text: string): Promise<string> => {
  const { content } = await client.callTool({
    name: "edit_notes",
    arguments: { edits: [{ note, do: "append", text }] },
  });
  return (content as { text: string }[]).map((block) => block.text).join("\n");
};
const idIn = (said: string): string => /as proposal ([0-9a-f]{8}-[0-9a-f]{10})/.exec(said)?.[1] ?? said;
const read = (path: string): string => readFileSync(join(served.home.vault, path), "utf8");

test("--rights propose: what it asks for waits, under the identity's name; accepted, it is that identity's change", async () => {
  const client = await connected(await served.add("intern", "--rights", "propose"), "some program");
  const before = notesBelow(served.home.vault);
  const id = idIn(await append(client, "Start here.md", "From the intern."));
  expect(notesBelow(served.home.vault)).toEqual(before);
  expect((await run("proposals")).stdout).toMatch(new RegExp(`^${id} .* intern \\(some program\\) `));
  const { code } = await runHere(
    ["accept", id, "--outside-author", "Kim", served.home.vault],
    served.home.environment,
    served.home.folder,
  );
  expect(code).toBe(0);
  expect(read("Start here.md")).toContain("From the intern.");
  expect((await run("history", "--limit", "1")).stdout).toMatch(
    /  intern  native edit_notes  accepted by Kim\n/,
  );
  await client.close();
});

test("a folder that the identity has lost meanwhile: told, and nothing is written", async () => {
  const flags = ["--rights", "propose", "--folder"];
  const client = await connected(await served.add("mover", ...flags, "Plants"), "mover");
  const id = idIn(await append(client, "Plants/Garlic.md", "More."));
  const before = notesBelow(served.home.vault);
  expect(
    (await runHere(["token", "remove", "mover"], served.home.environment, served.home.folder)).code,
  ).toBe(0);
  await served.add("mover", ...flags, "Projects");
  const refused = await run("accept", id);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('"Plants/Garlic.md" lies outside the folders that mover may use by now'),
  ]);
  expect(notesBelow(served.home.vault)).toEqual(before);
  expect((await run("decline", id)).code).toBe(0);
  await client.close().catch(() => undefined);
});

test("the consent page offers it; an app that was given it proposes, and keeps to that when its token is renewed", async () => {
  const client = await registered(served.base);
  const url = authorizeUrl(served.base, { client_id: client, code_challenge: newVerifier().challenge });
  const page = await (await signIn(url)).text();
  expect(page).toMatch(/<input\s+type="radio"\s+name="rights"\s+value="propose"/);
  expect(page).toContain("waits until you accept it");
  const { tokens, client: registeredAs } = await signedIn(served.base, { name: "Pocket", rights: "propose" });
  const app = await connected(tokens.access_token, "Pocket client");
  const before = notesBelow(served.home.vault);
  const id = idIn(await append(app, "Plants/Comfrey.md", "From the pocket."));
  expect(notesBelow(served.home.vault)).toEqual(before);
  expect((await run("accept", id)).code).toBe(0);
  expect(read("Plants/Comfrey.md")).toContain("From the pocket.");
  await app.close();
  const renewed = await tokenRequest(served.base, {
    grant_type: "refresh_token",
    refresh_token: tokens.refresh_token,
    client_id: registeredAs,
  });
  const again = await connected(((await renewed.json()) as Tokens).access_token, "Pocket client");
  expect(await append(again, "Plants/Comfrey.md", "More.")).toContain("Not written yet");
  await again.close();
});
