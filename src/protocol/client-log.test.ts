/** Log lines for clients: what they are sent, when they want it, and that no word of a note is in it. */

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { afterEach, expect, test } from "vitest";
import { serversOf } from "../../test/server.ts";
import { breaks } from "../../test/trial-tools.ts";
import { openVault } from "../../test/vault.ts";
import { READS, type Surface } from "../surfaces/surface.ts";
import { native } from "../surfaces/native/native.ts";
import { openTroubles } from "./troubles.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const trial: Surface = {
  ...native,
  tools: [...native.tools, { ...breaks('cannot read "my diary" in /home/ada/x.md'), annotations: READS }],
};

type Line = { level: string; data: unknown };
const LEVEL = "io.modelcontextprotocol/logLevel";

const open = async (era: "legacy" | "modern") => {
  const vault = await openVault({ folder: false });
  const troubles = openTroubles(() => new Date("2026-01-15T10:00:00Z"));
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(serversOf(trial, vault.notebook, { log: (line) => vault.logged.push(line), troubles }), {
    transport: far,
  });
  const mode = era === "modern" ? { pin: "2026-07-28" as const } : ("legacy" as const);
  const client = new Client({ name: "trial", version: "0" }, { versionNegotiation: { mode } });
  const lines: Line[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => void lines.push(params));
  await client.connect(near);
  closing.push(() => client.close().then(vault.close));
  /** Calls, and gives the lines that came with the answer. */
  const call = async (name: string, level?: string): Promise<Line[]> => {
    lines.length = 0;
    await client.callTool({
      name,
      arguments: {},
      ...(level === undefined ? {} : { _meta: { [LEVEL]: level } }),
    });
    return lines.map(({ level: of, data }) => ({ level: of, data }));
  };
  return { vault, client, troubles, lines, call };
};

const DEFECT = {
  level: "error",
  data: "A call of break failed by a mistake in Notewright. The server's log says more.",
};
const TROUBLE = { level: "warning", data: "The index cannot be kept. (2026-01-15T10:00:00.000Z)" };

test("older era: a defect and a trouble are sent, by the level of the session, a trouble once", async () => {
  const { client, troubles, call } = await open("legacy");
  expect(client.getServerCapabilities()).toMatchObject({ logging: {} });
  expect(await call("break")).toEqual([DEFECT]);
  troubles.add("The index cannot be kept.");
  expect(await call("list_notes")).toEqual([TROUBLE]);
  troubles.add("The index cannot be kept.");
  expect(await call("list_notes")).toEqual([]);
  await client.setLoggingLevel("critical");
  expect(await call("break")).toEqual([]);
  await client.setLoggingLevel("debug");
  expect(await call("break")).toEqual([DEFECT]);
});

test("newer era: lines come only with a request that asks for them, by its own level", async () => {
  const { troubles, call } = await open("modern");
  troubles.add("The index cannot be kept.");
  expect(await call("break")).toEqual([]);
  expect(await call("break", "critical")).toEqual([]);
  expect(await call("break", "error")).toEqual([DEFECT]);
  expect(await call("list_notes", "warning")).toEqual([TROUBLE]);
});

test("newer era: a trouble that no request asked for yet is kept for the first that does", async () => {
  const { troubles, call } = await open("modern");
  troubles.add("The index cannot be kept.");
  expect(await call("list_notes")).toEqual([]);
  expect(await call("break", "info")).toEqual([DEFECT, TROUBLE]);
  expect(await call("list_notes", "info")).toEqual([]);
});

test("a rule file that cannot be used is a warning, without a word of it; rules worded wrongly are none", async () => {
  const { vault, client, lines } = await open("legacy");
  const base = { do: "add_base", base: "kb", folder: "Secret", description: "d", guide: "g" };
  await client.callTool({ name: "manage_rules", arguments: base });
  const wrong = { do: "constrain", base: "kb", folder: "Secret", rules: { no: "rules" } };
  expect(await client.callTool({ name: "manage_rules", arguments: wrong })).toMatchObject({ isError: true });
  expect(lines).toEqual([]);
  await vault.put(".llm_bridges/knowledge_base/kb/folder_constraints/Secret.md", "my diary\n");
  const note = { path: "Secret/a.md", text: "a" };
  expect(await client.callTool({ name: "write_note", arguments: note })).toMatchObject({ isError: true });
  expect(lines).toMatchObject([
    { level: "warning", data: expect.stringMatching(/^A rule file .* cannot be used/) },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/diary|Secret/);
});
