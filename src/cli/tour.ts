/** The tour behind `npm start`: the real server on a copy of the example notes (or, read only, on your own), asked by a real client. */

import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { unifiedDiff } from "../markdown/diff.ts";
import { expandHome } from "./settings.ts";

const COMMAND = fileURLToPath(new URL("../bin/notewright.mjs", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../examples/garden", import.meta.url));

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
const say = (text = ""): void => void process.stdout.write(`${text}\n`);
const short = (text: string, width = 88): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text;

let step = 0;
/** One call: what is asked in one line, what came back in `lines`. */
const show = (what: string, tool: string, args: object, lines: string[]): void => {
  say(`${paint(1, `${++step}. ${what}`)}  ${paint(36, `${tool} ${JSON.stringify(args)}`)}`);
  for (const line of lines) say(`     ${line}`);
};

const connect = async (vault: string, flags: string[]): Promise<Client> => {
  const client = new Client(
    { name: "notewright-tour", version: "1" },
    { versionNegotiation: { mode: "auto" } },
  );
  const args = [COMMAND, "serve", vault, "--tools", "obsidian", ...flags];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: { ...process.env } as Record<string, string>,
    }),
  );
  return client;
};

const textOf = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> => {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { text?: string }[];
  if (result.isError) throw new Error(`${name}: ${first?.text}`);
  return first?.text ?? "";
};
const jsonOf = async <T>(client: Client, name: string, args: Record<string, unknown> = {}): Promise<T> =>
  JSON.parse(await textOf(client, name, args)) as T;

type Names = { names: string[]; total: number };
type Links = { outgoing: string[]; incoming: string[] };

/** Search, read, links: what both tours begin with. */
const reading = async (client: Client, word: string, name: string): Promise<void> => {
  const search = { query: word, mode: "content" };
  const found = await jsonOf<{ name: string }[]>(client, "search_notes", search);
  show("Search", "search_notes", search, [short(found.map((note) => note.name).join(" · ") || "nothing")]);

  const text = await textOf(client, "read_note", { name });
  const lines = text
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  show(
    "Read",
    "read_note",
    { name },
    lines.slice(0, 3).map((line) => short(line)),
  );

  const links = await jsonOf<Links>(client, "get_links", { name });
  show("Links", "get_links", { name }, [
    `it names   ${short(links.outgoing.join(" · ") || "none")}`,
    `named by   ${short(links.incoming.join(" · ") || "none")}`,
  ]);
};

const editing = async (client: Client): Promise<void> => {
  const name = "Rain garden";
  const before = await textOf(client, "read_note", { name });
  const edit = { name, section: "Next steps", text: "- [ ] Borrow the long spade from [[@Teo Okafor]]" };
  await textOf(client, "append_section", edit);
  const after = await textOf(client, "read_note", { name });
  const changed = unifiedDiff(before, after, { from: name, to: name })
    .text.split("\n")
    .filter((line) => /^[-+ ]/.test(line) && !/^(?:---|\+\+\+)/.test(line));
  show(
    "Edit",
    "append_section",
    { name, section: edit.section },
    changed.slice(1, 6).map((line) => paint(line.startsWith("+") ? 32 : 2, short(line))),
  );

  const rename = { old_name: "Rain garden", new_name: "Rain bed" };
  const renamed = await jsonOf<{ files_updated: string[] }>(client, "rename_note", rename);
  show("Rename", "rename_note", rename, [`links followed in ${short(renamed.files_updated.join(" · "))}`]);
};

/** A word for a shell, quoted where it needs to be. */
const quoted = (word: string): string =>
  /[^\w@%+=:,./~-]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word;

const config = (key: string, vault: string): string =>
  JSON.stringify({ [key]: { notes: { command: "node", args: [COMMAND, "serve", vault] } } });

const tour = async (own: string | undefined): Promise<void> => {
  const scratch = await mkdtemp(join(tmpdir(), "notewright-tour-"));
  let client: Client | undefined;
  try {
    const vault = own ?? join(scratch, "garden");
    if (!own) await cp(EXAMPLE, vault, { recursive: true });
    client = await connect(vault, own ? ["--read-only"] : ["--index", join(scratch, "index.db")]);
    // The first answer carries the surface's opening block; help is the one whose text is not shown.
    await textOf(client, "get_help");
    const { tools } = await client.listTools();
    const { names, total } = await jsonOf<Names>(client, "list_notes", { limit: 100 });
    say(
      `${paint(1, "Notewright")} serves ${total} notes with ${tools.length} tools${own ? ", read only" : ""}, to this client as to any other.\n`,
    );

    if (own && total === 0) say("There is no .md file in that folder yet.");
    else if (own) {
      // A name that several folders have would have to be told apart.
      const name =
        names.find((it, at) => names.indexOf(it) === at && names.lastIndexOf(it) === at) ?? names[0]!;
      await reading(client, name, name);
    } else {
      await reading(client, "water", "Rain garden");
      await editing(client);
    }
    const place = own ?? "/path/to/your/notes";
    say(`\n${paint(1, "Connect it")} ${own ? "" : "(this was a copy; nothing of yours was touched)"}`);
    say(`  Claude Code      claude mcp add notes -- node ${quoted(COMMAND)} serve ${quoted(place)}`);
    say(`  Claude, Cursor   ${config("mcpServers", place)}`);
    say(`  VS Code          ${config("servers", place)}`);
    if (!own) say(`\nYour own notes, read only: ${paint(36, "npm start -- ~/notes")}`);
  } finally {
    await client?.close();
    await rm(scratch, { recursive: true, force: true });
  }
};

const [folder] = process.argv.slice(2);
try {
  await tour(folder === undefined ? undefined : resolve(expandHome(folder)));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
