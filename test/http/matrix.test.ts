/** Every surface, called by the official clients 1.x and 2.x, over stdio and over HTTP: all of them are answered the same. */

import { StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { surfaceNames } from "../../src/surfaces/all.ts";
import { newSession, oldSession, type Session } from "../clients.ts";
import { command } from "../process.ts";
import { callTool, serveHttp, type HttpServed } from "./served.ts";

let served: HttpServed;
beforeAll(async () => {
  served = await serveHttp();
  const base = { name: "plants", description: "d", subfolder: "Plants", organization_rules: "g" };
  await callTool(`${served.base}/mcp/bridges`, served.token, "add_knowledge_base", base);
});
afterAll(async () => {
  await served.end();
  served.home.remove();
});

const stdio = (surface: string) => ({
  command: process.execPath,
  args: [command("notewright"), "serve", served.home.vault, "--tools", surface],
  env: served.home.environment,
});
const url = (surface: string): URL => new URL(`${served.base}/mcp/${surface}`);
const headers = () => ({ requestInit: { headers: { authorization: `Bearer ${served.token}` } } });
const modern = { pin: "2026-07-28" as const };

const WAYS: Record<string, (surface: string) => Promise<Session>> = {
  "1.x, stdio": (surface) => oldSession(new OldStdio(stdio(surface))),
  "2.x, stdio": (surface) => newSession(new NewStdio(stdio(surface)), modern),
  "1.x, HTTP": (surface) => oldSession(new OldHttp(url(surface), headers()) as Transport),
  "2.x, HTTP": (surface) => newSession(new NewHttp(url(surface), headers()), modern),
};

/** A tool and its input, which may need what was answered before. */
type Call = [tool: string, input: object | ((said: string) => object)];
const idIn = (said: string): object => ({ id: /with ID ([0-9a-f]{8})/.exec(said)?.[1] });

/** Reads, searches, lists, is refused, writes, reads it back and removes it again. */
const CALLS: Record<string, Call[]> = {
  native: [
    ["read_notes", { notes: ["Start here.md"] }],
    ["search_notes", { query: "discouraged" }],
    ["list_notes", { folder: "Plants" }],
    ["read_notes", { notes: ["Nobody.md"] }],
    ["write_note", { path: "Matrix.md", text: "One.\n" }],
    ["edit_notes", { edits: [{ note: "Matrix.md", do: "append", text: "Two." }] }],
    ["read_notes", { notes: ["Matrix.md"] }],
    ["delete_note", { path: "Matrix.md" }],
  ],
  obsidian: [
    ["read_note", { name: "Comfrey" }],
    ["search_notes", { query: "garden" }],
    ["list_notes", {}],
    ["read_note", { name: "Nobody" }],
    ["create_note", { name: "Matrix", content: "One." }],
    ["append_note", { name: "Matrix", text: "Two." }],
    ["read_note", { name: "Matrix" }],
    ["delete_note", { name: "Matrix" }],
  ],
  bridges: [
    ["list_knowledge_bases", {}],
    ["list_notes", { knowledge_base_name: "plants" }],
    ["read_note", { knowledge_base_name: "plants", note_path: "Comfrey.md" }],
    ["read_note", { knowledge_base_name: "nothing", note_path: "Comfrey.md" }],
    ["create_note", { knowledge_base_name: "plants", note_path: "Matrix.md", note_content: "One." }],
    ["read_note", { knowledge_base_name: "plants", note_path: "Matrix.md" }],
    ["delete_note", { knowledge_base_name: "plants", note_path: "Matrix.md" }],
  ],
  wiki: [
    ["get_note", { path: "Plants/Comfrey" }],
    ["search_notes", { query: "garden" }],
    ["browse", { path: "Plants" }],
    ["get_note", { path: "Nobody" }],
    ["create_note", { path: "Matrix", title: "Matrix", content: "One.\n" }],
    ["get_note", { path: "Matrix" }],
    ["delete_note", { path: "Matrix" }],
  ],
  cairn: [
    ["cairn_read", { path: "Plants/Comfrey" }],
    ["cairn_search", { query: "garden" }],
    ["cairn_list", { path_prefix: "Plants", sort: "alpha" }],
    ["cairn_read", { path: "Nobody" }],
    ["cairn_write", { path: "Matrix", content: "One.\n" }],
    ["cairn_read", { path: "Matrix" }],
    ["cairn_delete", { path: "Matrix" }],
  ],
  notes: [
    ["ListNotes", {}],
    ["SearchNotes", { query: "garden" }],
    ["GetNote", { id: "00000042" }],
    ["AddNote", { title: "Matrix", content: "One." }],
    ["GetNote", idIn],
    ["DeleteNote", idIn],
  ],
};

/** Ids of revisions, versions and new notes, times of writing and names in the trash are another each time. */
const comparable = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/g, "TIME")
    .replace(/\b[0-9a-f]{8,40}\b/g, "ID")
    .replace(/\.trash\/Matrix( \(\d+\))?/g, "TRASH");

const answersOf = async (session: Session, surface: string): Promise<string[]> => {
  const tools = (await session.tools()).map(({ name, description, inputSchema, annotations }) =>
    comparable({ name, description, inputSchema, annotations }),
  );
  const answers: string[] = [];
  let said = "";
  for (const [tool, input] of CALLS[surface]!) {
    const given = typeof input === "function" ? input(said) : input;
    const {
      isError = false,
      content,
      structuredContent,
    } = await session.call(tool, given as Record<string, unknown>);
    said += content.map(({ text }) => text).join(" ");
    answers.push(comparable({ tool, isError, content, structuredContent }));
  }
  const refused = await session.call("no_such_tool", {}).then(String, (error: Error) => error.message);
  // The 1.x client puts the code before the words.
  answers.push(refused.replace(/^MCP error -?\d+: /, ""));
  return [...tools, ...answers];
};

test.each(surfaceNames)("%s answers every client the same, over stdio and HTTP", async (surface) => {
  const seen: Record<string, string[]> = {};
  for (const [way, connect] of Object.entries(WAYS)) {
    const session = await connect(surface);
    seen[way] = await answersOf(session, surface);
    await session.close();
  }
  const first = seen["1.x, stdio"]!;
  // All but the one that asks for what is not there are done.
  expect(first.filter((answer) => answer.includes('"isError": true'))).toHaveLength(1);
  for (const [way, answers] of Object.entries(seen)) expect([way, ...answers]).toEqual([way, ...first]);
});
