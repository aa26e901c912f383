/** Meaning through the built server: turned on by the user alone, and by nothing in a vault; a key that nobody sees. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startEmbeddings, type EmbeddingsServer } from "./embeddings-server.ts";
import { command, makeHome, runToEnd, type Home } from "./process.ts";

const KEY = "sk-very-secret-4711";
let endpoint: EmbeddingsServer;
let home: Home;
beforeEach(async () => {
  endpoint = await startEmbeddings();
  home = makeHome();
  mkdirSync(join(home.vault, "Places"));
  writeFileSync(join(home.vault, "Places/Room.md"), "A couch stands by the window.\n");
});
afterEach(async () => {
  home.remove();
  await endpoint.close();
});

type Session = {
  search(query: string): Promise<{ text: string; data: any }>;
  stderr(): string;
  close(): Promise<void>;
};

async function serve(flags: string[], environment: Record<string, string> = {}): Promise<Session> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command("notewright"), "serve", home.vault, ...flags],
    env: { ...home.environment, ...environment },
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => (stderr += String(chunk)));
  const client = new Client({ name: "t", version: "1" });
  await client.connect(transport);
  return {
    async search(query) {
      const answer = await client.callTool({ name: "search_notes", arguments: { query } });
      return {
        text: (answer.content as { text: string }[]).map(({ text }) => text).join("\n"),
        data: answer.structuredContent,
      };
    },
    stderr: () => stderr,
    close: () => client.close(),
  };
}

async function foundByMeaning({ search }: Session): Promise<{ text: string; data: any }> {
  for (;;) {
    const found = await search("settee");
    if (found.data.by_meaning > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test.each([["flags"], ["the environment"], ["the user's configuration file"]])(
  "turned on by %s, a note is found by what it means",
  async (how) => {
    const set = { embeddings: endpoint.origin, "embeddings-model": "simple" };
    if (how.includes("configuration")) {
      mkdirSync(join(home.folder, "config/notewright"));
      writeFileSync(join(home.folder, "config/notewright/config.json"), JSON.stringify(set));
    }
    const session = await serve(
      how === "flags" ? ["--embeddings", endpoint.origin, "--embeddings-model", "simple"] : [],
      {
        NOTEWRIGHT_EMBEDDINGS_KEY: KEY,
        ...(how === "the environment"
          ? { NOTEWRIGHT_EMBEDDINGS: endpoint.origin, NOTEWRIGHT_EMBEDDINGS_MODEL: "simple" }
          : {}),
      },
    );
    const { text, data } = await foundByMeaning(session);
    expect(data.hits[0].at).toBe("Places/Room.md");
    expect(text).toMatch(
      /^\d+ notes, \d+ of them by meaning alone, 1-\d+ shown\.\nPlaces\/Room\.md\n {2}A couch/,
    );
    expect(endpoint.asked.every(({ key }) => key === `Bearer ${KEY}`)).toBe(true);
    endpoint.conduct = "fails";
    expect((await session.search("couch by a window")).text).toMatch(/^\d+ notes?\b[\s\S]*Places\/Room\.md/);
    await session.close();
    expect(session.stderr()).not.toContain(KEY);
    expect(session.stderr()).not.toContain("secret of the server");
    expect(session.stderr()).toContain("Search goes on by words alone");
  },
);

test("nothing in a vault turns it on, and no address in a note is asked", async () => {
  const set = JSON.stringify({ embeddings: endpoint.origin, "embeddings-model": "simple" });
  for (const file of [
    "config.json",
    ".notewright/config.json",
    ".config/notewright/config.json",
    "notewright/config.json",
    ".env",
  ]) {
    mkdirSync(join(home.vault, file, ".."), { recursive: true });
    writeFileSync(
      join(home.vault, file),
      file === ".env"
        ? `NOTEWRIGHT_EMBEDDINGS=${endpoint.origin}\nNOTEWRIGHT_EMBEDDINGS_MODEL=simple\n`
        : set,
    );
  }
  writeFileSync(
    join(home.vault, "Hostile.md"),
    `---\nembeddings: ${endpoint.origin}\nembeddings-model: simple\n---\n![](${endpoint.origin}/x.png) <img src="${endpoint.origin}">\n`,
  );
  const session = await serve([]);
  for (const query of ["settee", "couch", "hostile"]) {
    const { data } = await session.search(query);
    expect(data.by_meaning).toBe(undefined);
  }
  await session.close();
  expect(endpoint.asked).toEqual([]);
});

test.each([
  [["--embeddings", "http://localhost:1"], "--embeddings-model"],
  [["--embeddings", "localhost:1", "--embeddings-model", "m"], "no address"],
  [["--embeddings", "http://a:b@localhost:1", "--embeddings-model", "m"], "NOTEWRIGHT_EMBEDDINGS_KEY"],
  [["--embeddings-key", KEY], "Unknown flag"],
])("%j is refused in a sentence", async (flags, why) => {
  const { code, stderr } = await runToEnd([command("notewright"), "serve", home.vault, ...flags], home);
  expect(code).not.toBe(0);
  expect(stderr).toContain(why);
  expect(stderr.trim().split("\n").length).toBe(1);
});

test("off is off", async () => {
  const session = await serve(["--embeddings", "off"]);
  let found = await session.search("couch");
  while (found.data.partial) found = await session.search("couch");
  await session.close();
  expect(found.text).toMatch(/^1 note\.\nPlaces\/Room\.md/);
  expect(session.stderr()).toBe("");
});
