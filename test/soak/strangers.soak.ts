/** Ten vaults from strangers, each served on every surface and given to every command, by the real program: nothing outside changes, a read is answered, the session ends with its client. */

import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { surfaces } from "../surfaces.ts";
import { STRANGERS } from "../ground/strangers.ts";
import { startSession } from "../hostile/session.ts";
import { command, runToEnd } from "../process.ts";
import { tell } from "./figures.ts";

/** A read is answered within a second, and a session ends within two; a busy machine gets ten times as long. */
const READ_MS = 10_000;
const END_MS = 20_000;

const READS: Record<string, [tool: string, input: object]> = {
  native: ["read_notes", { notes: ["hello.md"] }],
  obsidian: ["read_note", { name: "hello" }],
  bridges: ["list_knowledge_bases", {}],
  wiki: ["get_note", { path: "hello" }],
  cairn: ["cairn_read", { path: "hello" }],
  notes: ["ListNotes", {}],
};
const OTHERS: Record<string, [tool: string, input: object][]> = {
  native: [
    ["search_notes", { query: "hello" }],
    ["list_notes", {}],
    ["get_history", {}],
    ["check_vault", {}],
    ["write_note", { path: "new.md", text: "new" }],
    ["undo_changes", { last: 1 }],
  ],
  obsidian: [
    ["append_note", { name: "hello", text: "more" }],
    ["find_broken_links", {}],
  ],
  bridges: [
    ["add_knowledge_base", { name: "kb", description: "d", subfolder: "kb", organization_rules: "r" }],
  ],
  wiki: [
    ["get_note_history", { path: "hello" }],
    ["recent_notes", {}],
  ],
  cairn: [["cairn_write", { path: "cairn", content: "c" }]],
  notes: [["AddNote", { title: "Added", content: "text" }]],
};
const COMMANDS = (vault: string): string[][] => [
  ["find", "hello", vault],
  ["find", "hello", vault, "--json"],
  ["history", vault],
  ["history", "hello.md", vault],
  ["diff", "hello.md", vault],
  ["restore", "hello.md", vault, "--dry-run"],
  ["undo", "--last", "1", vault],
  ["check", vault],
  ["check", vault, "--json"],
];

let place: string;
let vault: string;
let outside: string;
let environment: Record<string, string>;
const slowest = { read: 0, end: 0 };

beforeEach(() => {
  place = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-stranger-")));
  [vault, outside] = [join(place, "vault"), join(place, "outside")];
  fs.mkdirSync(vault);
  fs.mkdirSync(outside);
  fs.writeFileSync(join(outside, "victim.txt"), "what lies outside");
  fs.writeFileSync(join(vault, "hello.md"), "# Hello\n\nhello there\n");
  environment = {
    PATH: process.env.PATH ?? "",
    HOME: join(place, "home"),
    XDG_CONFIG_HOME: join(place, "home/config"),
    XDG_CACHE_HOME: join(place, "home/cache"),
    NO_COLOR: "1",
  };
  fs.mkdirSync(join(place, "home/config"), { recursive: true });
});
afterEach(() => fs.rmSync(place, { recursive: true, force: true }));

const treeOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs.readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const at = join(entry.parentPath, entry.name);
      const { mode, mtimeMs } = fs.lstatSync(at);
      return [at, `${mode} ${mtimeMs} ${entry.isFile() ? fs.readFileSync(at, "latin1") : ""}`];
    }),
  );

async function within<T>(what: string, milliseconds: number, work: Promise<T>): Promise<[T, number]> {
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took too long`)), milliseconds);
  });
  const result = await Promise.race([work, late]).finally(() => clearTimeout(timer));
  return [result, performance.now() - started];
}

/** Nothing but text: no control character other than tabs and line ends, and nothing that turns text around. */
const isPlain = (text: string): boolean => !/[^\P{Cc}\t\n]|[\u202a-\u202e]/u.test(text);

async function session(surface: string, where: string): Promise<void> {
  const it = startSession(["serve", vault, "--tools", surface], environment);
  try {
    const hello = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "0" },
    };
    await within(`${where}: initialize`, READ_MS, it.ask("initialize", hello));
    const [answer, took] = await within(`${where}: a read`, READ_MS, it.call(...READS[surface]!));
    slowest.read = Math.max(slowest.read, took);
    expect(answer.error, where).toBe(undefined);
    if (surface !== "bridges") expect(JSON.stringify(answer.result), where).toMatch(/hello/i);
    for (const [tool, input] of OTHERS[surface]!) {
      const [said] = await within(`${where}: ${tool}`, 6 * READ_MS, it.call(tool, input));
      expect(JSON.stringify(said), `${where}: ${tool}`).not.toMatch(
        /internal error|what lies outside|a secret text/i,
      );
    }
    const [again] = await within(`${where}: a read at the end`, READ_MS, it.call(...READS[surface]!));
    expect(again.error, where).toBe(undefined);
    const [ended, ending] = await within(`${where}: the end`, END_MS, it.end());
    slowest.end = Math.max(slowest.end, ending);
    expect(ended, where).toMatchObject({ code: 0, signal: null });
    expect(isPlain(ended.stderr), `${where}: ${JSON.stringify(ended.stderr)}`).toBe(true);
  } finally {
    it.kill();
  }
}

test.each(Object.keys(STRANGERS))("%s", async (stranger) => {
  STRANGERS[stranger]!({ vault, outside });
  const before = treeOf(outside);
  for (const { name } of surfaces) {
    await session(name, `${stranger}, ${name}`);
    expect(treeOf(outside), `${stranger}, ${name}`).toEqual(before);
  }
  for (const args of COMMANDS(vault)) {
    const where = `${stranger}, ${args.slice(0, -1).join(" ")}`;
    const [ended] = await within(
      where,
      6 * END_MS,
      runToEnd([command("notewright"), ...args], { environment }),
    );
    expect(ended.code, `${where}: ${ended.stderr}`).toBeLessThanOrEqual(2);
    expect(ended.stderr, where).not.toMatch(/\n\s+at .*:\d+:\d+/);
    expect(isPlain(ended.stdout + ended.stderr), where).toBe(true);
    expect(treeOf(outside), where).toEqual(before);
  }
  tell(stranger, { "slowest read ms": slowest.read, "slowest end ms": slowest.end });
});
