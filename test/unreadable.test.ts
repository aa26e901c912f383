/** A vault that may not be read, and a place for the index that cannot be written: what is wrong is said, and nobody is told that there is nothing. */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { command, runToEnd } from "./process.ts";
import { call, line } from "./wire.ts";

/** The system refuses its own administrator nothing, so the server is then somebody else. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const GUARD = { timeout: 60_000 };

let place: string;
let vault: string;
let environment: Record<string, string>;
let server: ChildProcess | undefined;
beforeEach(() => {
  place = fs.mkdtempSync(join(tmpdir(), "notewright-unreadable-"));
  vault = join(place, "vault");
  for (const folder of ["vault", "cache", "tmp", "config"]) fs.mkdirSync(join(place, folder));
  fs.writeFileSync(join(vault, "a.md"), "apples [[b]]\n");
  fs.writeFileSync(join(vault, "b.md"), "pears\n");
  environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: place,
    TMPDIR: join(place, "tmp"),
    XDG_CACHE_HOME: join(place, "cache"),
    XDG_CONFIG_HOME: join(place, "config"),
  };
  if (NOBODY.uid === undefined) return;
  for (const path of [".", ...fs.readdirSync(place, { recursive: true, encoding: "utf8" })])
    fs.chownSync(join(place, path), NOBODY.uid, NOBODY.gid);
});
afterEach(async () => {
  if (server && server.exitCode === null && server.signalCode === null) {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
  server = undefined;
  fs.chmodSync(vault, 0o700);
  fs.chmodSync(join(place, "cache"), 0o700);
  fs.rmSync(place, { recursive: true, force: true });
});

const served = async (tools = "native", more: Record<string, string> = {}) => {
  const started = spawn(process.execPath, [command("notewright"), "serve", vault, "--tools", tools], {
    ...NOBODY,
    env: { ...environment, ...more },
    stdio: "pipe",
  });
  server = started;
  let logged = "";
  started.stderr.on("data", (chunk) => (logged += String(chunk)));
  const waiting = new Map<number, (text: string) => void>();
  createInterface({ input: started.stdout }).on("line", (text) => {
    const { id } = JSON.parse(text) as { id?: number };
    if (id !== undefined) waiting.get(id)?.(text);
  });
  let id = 0;
  const ask = (message: (id: number) => string): Promise<string> => {
    const answered = new Promise<string>((resolve) => waiting.set(++id, resolve));
    started.stdin.write(message(id));
    return answered;
  };
  const clientInfo = { name: "test", version: "0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const hello = await ask((id) => line({ id, method: "initialize", params }));
  return {
    hello,
    logged: () => logged,
    call: (tool: string, input: object = {}) => ask((id) => call(id, tool, input)),
    async end() {
      started.stdin.end();
      await once(started, "exit");
    },
  };
};

const CALLS: [surface: string, calls: [tool: string, input: object][]][] = [
  [
    "native",
    [
      ["search_notes", { query: "apples" }],
      ["list_notes", {}],
      ["read_notes", { notes: ["a.md"] }],
      ["read_notes", { notes: ["a"] }],
      ["get_links", {}],
      ["get_history", {}],
      ["check_vault", {}],
      ["manage_rules", { do: "list" }],
      ["write_note", { path: "c.md", text: "c" }],
      ["move_notes", { moves: [{ from: "a.md", to: "c.md" }] }],
    ],
  ],
  [
    "obsidian",
    [
      ["list_notes", {}],
      ["read_note", { name: "a" }],
      ["create_note", { name: "c" }],
    ],
  ],
  [
    "wiki",
    [
      ["browse", {}],
      ["list_tags", {}],
      ["get_note", { path: "a" }],
      ["get_note_history", { path: "a" }],
    ],
  ],
  [
    "cairn",
    [
      ["cairn_list", {}],
      ["cairn_read", { path: "a" }],
      ["cairn_write", { path: "c", content: "c" }],
    ],
  ],
  ["notes", [["ListNotes", {}]]],
  ["bridges", [["list_knowledge_bases", {}]]],
];

describe.each(CALLS)("a vault that may not be read, on %s", (surface, calls) => {
  test.each([0o000, 0o400])("every call is refused until it can be read (mode %o)", GUARD, async (mode) => {
    fs.chmodSync(vault, mode);
    const { hello, call, logged, end } = await served(surface);
    expect(hello).toContain('"result"');
    for (const [tool, input] of calls) {
      const answer = await call(tool, input);
      expect(answer, tool).toContain('"isError":true');
      expect(answer, tool).toMatch(/may not be read|does not permit/);
    }
    expect(logged()).toContain("may not be read");
    fs.chmodSync(vault, 0o700);
    const [[tool, input]] = calls as [[string, object]];
    await expect.poll(() => call(tool, input), { timeout: 20_000 }).not.toContain('"isError":true');
    await end();
  });
});

test("the opening block comes once the vault can be read", GUARD, async () => {
  fs.chmodSync(vault, 0);
  const { call, end } = await served("obsidian");
  expect(await call("list_notes")).toContain("may not be read");
  fs.chmodSync(vault, 0o700);
  await expect.poll(() => call("list_notes"), { timeout: 20_000 }).toContain("## Allowed tags");
  await end();
});

const temporary = () => fs.readdirSync(join(place, "tmp"));

describe("a place for the index that cannot be written (attack 62)", () => {
  const PLACES: [name: string, spoil: () => Record<string, string>][] = [
    [
      "a folder without permission",
      () => {
        fs.chmodSync(join(place, "cache"), 0o500);
        return {};
      },
    ],
    [
      "a file in the folder's place",
      () => {
        fs.writeFileSync(join(place, "cache/notewright"), "theirs");
        return {};
      },
    ],
    ["a folder that cannot be made", () => ({ XDG_CACHE_HOME: join(vault, "a.md/cache") })],
  ];

  test.each(PLACES)(
    "%s: the index is kept in a temporary folder and goes with the process",
    GUARD,
    async (_, spoil) => {
      const { call, logged, end } = await served("native", spoil());
      expect(await call("search_notes", { query: "apples" })).toContain("a.md");
      expect(logged()).toContain("The index cannot be kept in its place.");
      expect(logged().split("The index cannot be kept")).toHaveLength(2);
      expect(logged()).not.toContain("    at ");
      const [folder, ...more] = temporary();
      expect(more).toEqual([]);
      expect(fs.statSync(join(place, "tmp", folder!)).mode & 0o777).toBe(0o700);
      await end();
      expect(temporary()).toEqual([]);
    },
  );

  test("without a temporary folder either, it is kept in memory", GUARD, async () => {
    fs.chmodSync(join(place, "cache"), 0o500);
    const { call, logged, end } = await served("native", { TMPDIR: join(vault, "a.md/tmp") });
    expect(await call("search_notes", { query: "apples" })).toContain("a.md");
    expect(await call("write_note", { path: "c.md", text: "cherries" })).not.toContain('"isError":true');
    expect(await call("search_notes", { query: "cherries" })).toContain("c.md");
    expect(logged()).toContain("The index cannot be kept in its place.");
    await end();
  });

  test("commands go on, and say so in one line", GUARD, async () => {
    const more = { XDG_CACHE_HOME: join(vault, "a.md/cache") };
    const ended = await runToEnd([command("notewright"), "find", "apples", vault], {
      environment: { ...environment, ...more },
    });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("a.md") });
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
    expect(ended.stderr).toContain("The index cannot be kept in its place.");
    expect(temporary()).toEqual([]);
  });
});
