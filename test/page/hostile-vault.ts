/** A vault in which anybody may have written: payloads as texts, names and fields of notes, as authors, messages and trailers of its history, and as the name of a client that proposes. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openDisk } from "../../src/disk/files.ts";
import { openProposalFolder } from "../../src/history/proposal-folder.ts";
import { nameOfProposal } from "../../src/notebook/proposals/proposal.ts";
import type { NotePath } from "../../src/notebook/paths.ts";
import { noteOf, record } from "../../src/notebook/suites/scribe.ts";
import { newLedger, openAt } from "../planted-history.ts";
import { command, makeHome, type Home } from "../process.ts";
import { FILE_NAMES, hostileNote, PARAGRAPHS, PAYLOADS } from "./payloads.ts";

const FOLDER = "Hostile";
/** How many payloads one note holds. */
export const A_NOTE = 50;

/** `notes`: how many notes of fifty payloads each; every payload is the author, message and trailers of a change. */
export const hostileHome = async (notes: number): Promise<{ home: Home; paths: string[] }> => {
  const home = makeHome();
  mkdirSync(join(home.vault, FOLDER));
  const paths = Array.from({ length: notes }, (_, at) => {
    // Each note takes payloads from all places.
    const every = Math.ceil(PARAGRAPHS.length / A_NOTE);
    const paragraphs = PARAGRAPHS.filter((__, place) => place % every === at % every).slice(0, A_NOTE);
    const path = `${FOLDER}/${FILE_NAMES[(at * 7) % FILE_NAMES.length]} ${at}.md`;
    writeFileSync(join(home.vault, path), hostileNote(paragraphs, at));
    return path;
  });
  await plantHistory(home);
  await propose(home, paths[0]!);
  return { home, paths };
};

/** Changes of which everything that can be said is a payload. */
const plantHistory = async ({ vault }: Home): Promise<void> => {
  const history = openAt(vault, await newLedger());
  for (const [at, payload] of PAYLOADS.entries()) {
    const path = `${FOLDER}/Planted ${at}.md` as NotePath;
    const text = `${payload}\n\n| a | b |\n| - | - |\n| ${payload.replace(/[\n|]/g, " ")} | b |\n`;
    writeFileSync(join(vault, path), text);
    const who = {
      client: payload,
      surface: payload,
      tool: payload,
      connection: payload,
      program: payload,
      acceptedBy: payload,
    };
    const change = { path, before: null, after: noteOf(path, text), why: "asked" as const };
    await record(history, [change], payload, who, new Date(Date.now() - (PAYLOADS.length - at) * 60_000));
  }
  await history.close();
};

/** A client that calls itself a payload, and proposes them. */
const propose = async ({ vault, environment }: Home, path: string): Promise<void> => {
  const client = new Client({ name: PAYLOADS[6]!, version: "1" }, { versionNegotiation: { mode: "auto" } });
  const args = [command("notewright"), "serve", vault, "--review"];
  const transport = { command: process.execPath, args, env: environment, stderr: "ignore" as const };
  await client.connect(new StdioClientTransport(transport));
  const edits = [{ note: path, do: "append", text: PAYLOADS.join("\n\n") }];
  await client.callTool({ name: "edit_notes", arguments: { edits } });
  await client.close();
  plantProposals(vault);
};

/** The same proposal by others: a server takes no such name, but a file may hold one. */
const plantProposals = (vault: string): void => {
  const shelf = openProposalFolder(openDisk(vault), { durable: false, refused: (work) => work() });
  const one = shelf.whole(nameOfProposal(shelf.all()[0]!));
  for (const [at, payload] of PAYLOADS.slice(0, 20).entries()) {
    const by = { ...one!.by, client: payload, tool: payload, program: payload };
    shelf.put({ ...one!, id: at.toString(16).padStart(8, "0"), by, message: payload, replaces: [] });
  }
};
