/**
 * Transcripts: calls and their answers as pages a person can read, run through a real client.
 *
 * A file `test/transcripts/<surface>/<subject>.md` holds cases; each `## heading` begins one, and is one test. What
 * stands before the first heading is for readers, but for a `Given:` line, which then holds for every case of the file.
 * A case is prose, and these:
 *
 *     Given: warm, folder, read-only      how it is run; any of: `warm` (one silent call first, so that an opening block
 *                                         is out of the way), `folder` (a folder on disk instead of memory), `read-only`
 *     Clock: 2026-01-15T10:00:00Z         what time it is from here on; it stands still in between
 *     Random: a3f7b2c1 5b6c7d8e           the next random values; then 00000001, 00000002 …
 *
 *     ```note folder/name.md              a note that is there from the start (or from here on, put there by another program)
 *     ```call tool_name                   a call, its arguments as JSON inside; empty for none
 *     ```answer                           what it answered; `answer structured` where the same came as structured content
 *     ```remark                           a second block of text in the answer
 *     ```data                             structured content that is not the same as the text
 *     ```error                            a refusal (isError), in the same two forms
 *     ```protocol-error                   a call that was not even one: code and message
 *     ```after folder/name.md             a note that the call made or changed, as it is now
 *     ```after folder/name.md | absent    a note that is gone
 *
 * The text of a note ends with a newline, unless its info line says `| no newline`. Where a text has characters that a page
 * cannot show (`\r`, a BOM), `| json` says that it is written as a JSON string. Whatever a call changed must be shown: a
 * change without its `after` fails like a wrong answer. The whole case is rendered from the run and compared with the page,
 * every byte; `npm run transcripts -- --accept` writes what was rendered.
 */

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect } from "vitest";
import { ANYBODY, serversOf } from "./server.ts";
import type { Surface } from "../src/surfaces/surface.ts";
import { openVault, type TestVault } from "./vault.ts";

export type Case = { title: string; text: string };
export type Transcript = { head: string; cases: Case[] };

export const parseTranscript = (text: string): Transcript => {
  const [head = "", ...cases] = splitAtHeadings(text);
  return {
    head,
    cases: cases.map((part) => ({ title: part.slice(3, part.indexOf("\n")).trim(), text: part })),
  };
};

/** A heading inside a fenced block is part of a note, not the beginning of a case. */
const splitAtHeadings = (text: string): string[] => {
  const parts: string[] = [""];
  let fence = "";
  for (const line of text.split(/(?<=\n)/)) {
    const run = /^`{3,}/.exec(line)?.[0] ?? "";
    if (fence === "" && line.startsWith("## ")) parts.push("");
    parts[parts.length - 1] += line;
    if (fence === "") fence = run;
    else if (line.trimEnd() === fence) fence = "";
  }
  return parts;
};

type Piece = { kind: "prose"; text: string } | { kind: "block"; info: string; body: string };

/** Fenced blocks, and the prose between them. */
const pieces = (text: string): Piece[] => {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(/^(`{3,})([^\n`]*)\n([\s\S]*?)^\1\n/gm)) {
    found.push({ kind: "prose", text: text.slice(from, match.index) });
    found.push({ kind: "block", info: match[2]!.trim(), body: match[3]! });
    from = match.index + match[0].length;
  }
  return [...found, { kind: "prose", text: text.slice(from) }];
};

const fenced = (info: string, body: string): string => {
  const longest = Math.max(2, ...[...body.matchAll(/`{3,}/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${info}\n${body}${fence}\n`;
};

const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}]/u;
const withFlags = (info: string, flags: string[]): string =>
  flags.length ? `${info} | ${flags.join(", ")}` : info;

/** A note's text as a block, exact to the byte. */
const noteBlock = (info: string, text: string | null): string => {
  if (text === null) return fenced(withFlags(info, ["absent"]), "");
  if (UNSEEN.test(text)) return fenced(withFlags(info, ["json"]), `${JSON.stringify(text)}\n`);
  return text === "" || text.endsWith("\n")
    ? fenced(info, text)
    : fenced(withFlags(info, ["no newline"]), `${text}\n`);
};
const answerBlock = (info: string, text: string): string =>
  UNSEEN.test(text) ? fenced(`${info} | json`, `${JSON.stringify(text)}\n`) : fenced(info, `${text}\n`);

const readNote = (info: string, body: string): { path: string; text: string } => {
  const [name = "", flags = ""] = info.split(" | ");
  const text = flags.includes("json")
    ? (JSON.parse(body) as string)
    : flags.includes("no newline")
      ? body.slice(0, -1)
      : body;
  return { path: name.replace(/^note\s+/, "").trim(), text };
};

const directive = (name: string, text: string): string | undefined =>
  new RegExp(`^${name}: *(.+)$`, "m").exec(text)?.[1];

type Content = { type: string; text?: string }[];

/** One call, and the blocks that show its answer. */
const answered = async (client: Client, name: string, args: Record<string, unknown>): Promise<string[]> => {
  try {
    const result = await client.callTool({ name, arguments: args });
    const [first, ...others] = (result.content as Content).map((block) => block.text ?? `(${block.type})`);
    const word = result.isError ? "error" : "answer";
    if (result.structuredContent === undefined) return blocks(word, first, others);
    const data = JSON.stringify(result.structuredContent);
    // Structured content is the first text as a value, and an opening block may follow it there; or it is data beside words.
    if (first?.startsWith(data)) return blocks(`${word} structured`, first, others);
    return [...blocks(word, first, others), answerBlock("data", data)];
  } catch (error) {
    const { code, message } = error as { code?: number; message: string };
    if (typeof code !== "number") throw error;
    return [fenced("protocol-error", `${code} ${message}\n`)];
  }
};
const blocks = (info: string, first: string | undefined, others: string[]): string[] => [
  answerBlock(info, first ?? ""),
  ...others.map((text) => answerBlock("remark", text)),
];

const changedNotes = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .toSorted()
    .map((path) => noteBlock(`after ${path}`, after.get(path) ?? null));

/** A real client on a real server of that surface. */
export const connect = async (surface: Surface, vault: TestVault, readOnly = false): Promise<Client> => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const log = (line: string) => vault.logged.push(line);
  await serversOf(surface, vault.notebook, {
    log,
    id: "transcript",
    principal: readOnly ? { ...ANYBODY, rights: "read", serverReads: true } : ANYBODY,
  })().connect(far);
  const client = new Client({ name: "transcript", version: "0" });
  await client.connect(near);
  return client;
};

/** Opens what an opening block would be added to. */
const warm = async (client: Client, surface: Surface): Promise<void> => {
  const quiet = surface.tools.find(
    (tool) => tool.annotations.readOnlyHint && tool.input.safeParse({}).success,
  );
  if (quiet) await client.callTool({ name: quiet.name, arguments: {} });
};

/** Where a case is run. */
export type Stage = Pick<TestVault, "logged" | "put" | "state" | "close"> & {
  setClock(now: Date): unknown;
  queueRandom(values: string[]): unknown;
  connect(surface: Surface): Promise<Client>;
};
export type Given = { folder: boolean; readOnly: boolean };

const inProcess = async (given: Given): Promise<Stage> => {
  const vault = await openVault(given);
  return { ...vault, connect: (surface) => connect(surface, vault, given.readOnly) };
};

/** Runs a case and renders it anew. */
export const runCase = async (
  surface: Surface,
  head: string,
  text: string,
  open: (given: Given) => Promise<Stage> = inProcess,
): Promise<string> => {
  const given = `${directive("Given", head) ?? ""}, ${directive("Given", text) ?? ""}`;
  const vault = await open({ folder: /\bfolder\b/.test(given), readOnly: /\bread-only\b/.test(given) });
  let client: Client | undefined;
  const rendered: string[] = [];
  try {
    for (const piece of pieces(text)) {
      if (piece.kind === "prose") {
        const clock = directive("Clock", piece.text);
        const random = directive("Random", piece.text);
        if (clock) await vault.setClock(new Date(clock));
        if (random) await vault.queueRandom(random.split(/\s+/));
        if (piece.text.trim() !== "") rendered.push(piece.text.trim());
      } else if (piece.info.startsWith("note ")) {
        const { path, text: content } = readNote(piece.info, piece.body);
        await vault.put(path, content);
        rendered.push(noteBlock(`note ${path}`, content).trimEnd());
      } else if (piece.info.startsWith("call ")) {
        if (!client) {
          client = await vault.connect(surface);
          if (/\bwarm\b/.test(given)) await warm(client, surface);
        }
        const before = await vault.state();
        const args = piece.body.trim() === "" ? {} : (JSON.parse(piece.body) as Record<string, unknown>);
        const shown = await answered(client, piece.info.slice(5).trim(), args);
        rendered.push(fenced(piece.info, piece.body).trimEnd());
        rendered.push(
          ...[...shown, ...changedNotes(before, await vault.state())].map((block) => block.trimEnd()),
        );
      }
    }
    expect(vault.logged).toEqual([]);
    return `${rendered.join("\n\n")}\n`;
  } finally {
    await client?.close();
    await vault.close();
  }
};
