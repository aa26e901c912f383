/** The tour behind `npm start`: the real server on a copy of the example notes (or, read only, on your own), asked by a real client. */

import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { label, printableJson } from "../markdown/label.ts";
import { expandHome } from "./settings.ts";
import { shellWord } from "./shell-word.ts";
import { outliveReaders } from "./streams.ts";

const COMMAND = fileURLToPath(new URL("../bin/notewright.mjs", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../examples/garden", import.meta.url));

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
const say = (text = ""): void => void process.stdout.write(`${text}\n`);
const short = (text: string): string => label(text, 87);

const step = (function* () {
  for (let number = 1; ; number++) yield number;
})();
/** One call: what is asked in one line, what came back in `lines`. */
const show = (what: string, tool: string, args: object, lines: string[]): void => {
  say(`${paint(1, `${step.next().value}. ${what}`)}  ${paint(36, `${tool} ${printableJson(args)}`)}`);
  for (const line of lines) say(`     ${line}`);
};

const connect = async (vault: string, flags: string[]): Promise<Client> => {
  const client = new Client(
    { name: "notewright-tour", version: "1" },
    { versionNegotiation: { mode: "auto" } },
  );
  const args = [COMMAND, "serve", vault, ...flags];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: { ...process.env } as Record<string, string>,
    }),
  );
  return client;
};

/** What a call answers, as data. */
const ask = async <T>(client: Client, name: string, args: Record<string, unknown> = {}): Promise<T> => {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${(result.content as { text?: string }[])[0]?.text}`);
  return result.structuredContent as T;
};

type Listed = { total: number; notes: { path: string }[]; partial?: boolean };
type Found = { hits: { at: string; text: string }[] };
type Read = { notes: { text: string }[] };
type Links = { links: { from: string; to: string }[] };
type Changed = { notes: string[]; links_rewritten?: string[]; diff?: string };

const names = (paths: readonly string[]): string =>
  short([...new Set(paths)].map((path) => path.replace(/\.md(?:@.*)?$/, "")).join(" · ") || "none");
const diffLines = (diff = ""): string[] =>
  diff
    .split("\n")
    .filter((line) => /^[-+ ]\s*\S/.test(line) && !/^(?:---|\+\+\+)/.test(line))
    .map((line) => paint(line.startsWith("+") ? 32 : line.startsWith("-") ? 31 : 2, short(line)));

/** The newest note and how many there are, once the whole vault is indexed: each answer comes when that is done, or after 20 s. */
const listed = async (client: Client): Promise<Listed> => {
  for (;;) {
    const answer = await ask<Listed>(client, "list_notes", { what: "recent", limit: 1 });
    if (!answer.partial) return answer;
  }
};

/** Search, read, links: what both tours begin with. */
const reading = async (client: Client, query: string, note?: string): Promise<void> => {
  const { hits } = await ask<Found>(client, "search_notes", { query, limit: 2 });
  show("Search", "search_notes", { query, limit: 2 }, [
    ...hits.flatMap(({ at, text }) => [paint(2, short(at)), `  ${short(text)}`]),
    ...(hits.length === 0 ? ["nothing"] : []),
  ]);

  const place = note ?? hits[0]?.at;
  if (place === undefined) return;
  const { notes } = await ask<Read>(client, "read_notes", { notes: [place] });
  const lines = (notes[0]?.text ?? "").replace(/^---\n[\s\S]*?\n---\n/, "").split("\n");
  const shown = lines.filter((line) => line.trim() !== "").slice(0, 3);
  show(
    "Read",
    "read_notes",
    { notes: [place] },
    shown.map((line) => short(line)),
  );

  const path = place.replace(/(\.md)#.*$/s, "$1");
  const { links } = await ask<Links>(client, "get_links", { note: path });
  show("Links", "get_links", { note: path }, [
    `it names   ${names(links.filter(({ from }) => from === path).map(({ to }) => to))}`,
    `named by   ${names(links.filter(({ to }) => to === path).map(({ from }) => from))}`,
  ]);
};

const editing = async (client: Client): Promise<void> => {
  const note = "Projects/Rain garden.md#Next steps";
  const text = "- [ ] Borrow the long spade from [[@Teo Okafor]]";
  const edits = [{ note, do: "append", text }];
  const tried = await ask<Changed>(client, "edit_notes", { edits, dry_run: true });
  show("Try", "edit_notes", { edits: [{ note, do: "append" }], dry_run: true }, diffLines(tried.diff));
  await ask<Changed>(client, "edit_notes", { edits });

  const moves = [{ from: "Projects/Rain garden.md", to: "Projects/Rain bed.md" }];
  const moved = await ask<Changed>(client, "move_notes", { moves });
  show("Rename", "move_notes", { moves }, [`links followed in ${names(moved.links_rewritten ?? [])}`]);

  const undone = await ask<Changed>(client, "undo_changes", { last: 2 });
  show("Undo", "undo_changes", { last: 2 }, [`as before: ${names(undone.notes)}`]);
};

const config = (key: string, vault: string): string =>
  JSON.stringify({ [key]: { notes: { command: process.execPath, args: [COMMAND, "serve", vault] } } });

const tour = async (own: string | undefined): Promise<void> => {
  const scratch = await mkdtemp(join(tmpdir(), "notewright-tour-"));
  let client: Client | undefined;
  try {
    const vault = own ?? join(scratch, "garden");
    if (!own) await cp(EXAMPLE, vault, { recursive: true });
    client = await connect(vault, own ? ["--read-only"] : ["--index", join(scratch, "index.db")]);
    const { tools } = await client.listTools();
    const { total, notes } = await listed(client);
    say(
      `${paint(1, "Notewright")} serves ${total} notes with ${tools.length} tools${own ? ", read only" : ""}. A real client calls them:\n`,
    );

    if (own && total === 0) say("There is no .md file in that folder, nor below it.");
    else if (own) await reading(client, notes[0]!.path.replace(/^.*\/|\.md$/g, ""), notes[0]!.path);
    else {
      await reading(client, "dig the overflow");
      await editing(client);
    }
    const place = own ?? "/path/to/your/notes";
    say(`\n${paint(1, "Connect it")}${own ? "" : " (this was a copy; nothing of yours was touched)"}`);
    say(`  Find clients     node ${shellWord(COMMAND)} install --vault ${shellWord(place)}`);
    say(`  Claude Code      claude mcp add notes -- node ${shellWord(COMMAND)} serve ${shellWord(place)}`);
    say(`  Claude, Cursor   ${config("mcpServers", place)}`);
    say(`  VS Code          ${config("servers", place)}`);
    if (!own) say(`\nYour own notes, read only: ${paint(36, "npm start -- ~/notes")}`);
  } finally {
    await client?.close();
    await rm(scratch, { recursive: true, force: true });
  }
};

outliveReaders(process);
const [folder] = process.argv.slice(2);
try {
  await tour(folder === undefined ? undefined : resolve(expandHome(folder)));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
