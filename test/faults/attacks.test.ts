/** Attacks on the files of a vault, each by its number in the table of the guarantees. */

import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDisk } from "../../src/disk/files.ts";
import { machineOf } from "../../src/disk/home.ts";
import { NoteError } from "../../src/markdown/errors.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { command, filesBelow, makeHome } from "../process.ts";
import { commitSeed } from "./dice.ts";
import { openTestFolder, type TestFolder } from "./notebook.ts";
import { straysIn } from "./point.ts";
import { raceTest } from "./race.ts";
import { line } from "../wire.ts";

let folder: string;
let vault: string;
let opened: TestFolder[];
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-attack-")));
  vault = join(folder, "vault");
  fs.mkdirSync(vault);
  opened = [];
});
afterEach(async () => {
  for (const each of opened) await each.die();
  fs.rmSync(folder, { recursive: true, force: true });
});

const put = (path: string, text: string) => {
  fs.mkdirSync(dirname(join(folder, path)), { recursive: true });
  fs.writeFileSync(join(folder, path), text);
};
const read = (path: string) => fs.readFileSync(join(folder, path), "utf8");
async function open(options: Parameters<typeof openTestFolder>[1] = {}): Promise<TestFolder> {
  const one = await openTestFolder(vault, { durability: "fast", ...options });
  opened.push(one);
  return one;
}
async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "no refusal";
  } catch (error) {
    return error instanceof NoteError ? error.code : `a defect: ${String(error)}`;
  }
}

describe("attack 4: links to nothing, links above missing folders, moves into linked folders", () => {
  test.each([
    ["write to a dangling link", (it: TestFolder) => it.notebook.write(notePath("dangling.md"), "x")],
    ["write below a link to nothing", (it: TestFolder) => it.notebook.write(notePath("gone/a/b.md"), "x")],
    [
      "make folders below a linked folder",
      (it: TestFolder) => it.notebook.write(notePath("out/a/b.md"), "x"),
    ],
    [
      "move into a linked folder",
      (it: TestFolder) => it.notebook.move([{ from: notePath("mine.md"), to: notePath("out/mine.md") }]),
    ],
    [
      "move below a linked folder",
      (it: TestFolder) => it.notebook.move([{ from: notePath("mine.md"), to: notePath("out/a/mine.md") }]),
    ],
    [
      "edit one note inside and one behind the link",
      (it: TestFolder) =>
        it.notebook.edit(
          ["mine.md", "out/secret.md"].map((name) => ({
            path: notePath(name),
            edits: [() => "x"],
            orCreate: "",
          })),
        ),
    ],
  ])("%s: refused before a folder is made", async (_, attack) => {
    put("outside/secret.md", "secret");
    put("vault/mine.md", "mine");
    fs.symlinkSync(join(folder, "outside"), join(vault, "out"));
    fs.symlinkSync(join(folder, "outside/new.md"), join(vault, "dangling.md"));
    fs.symlinkSync(join(folder, "nowhere"), join(vault, "gone"));
    const before = filesBelow(join(folder, "outside"));
    expect(await codeOf(attack(await open()))).toBe("path_refused");
    expect(filesBelow(join(folder, "outside"))).toEqual(before);
    expect(fs.readdirSync(join(folder, "outside"))).toEqual(["secret.md"]);
    expect(fs.existsSync(join(folder, "nowhere"))).toBe(false);
    expect(read("vault/mine.md")).toBe("mine");
  });
});

test("attack 5: a folder swapped for a link during the call: no escape", async () => {
  const { calls, refused, swaps, escapes } = await raceTest(1, commitSeed());
  expect(escapes, `seed ${commitSeed()}`).toEqual([]);
  // Both must have happened, or there was no race.
  expect(Math.min(calls - refused, refused, swaps)).toBeGreaterThan(10);
});

test("attack 6: a hard link to a file outside: the name is replaced, the bytes outside stay", async () => {
  put("outside.md", "shared");
  fs.linkSync(join(folder, "outside.md"), join(vault, "note.md"));
  const { notebook } = await open();
  await notebook.edit([{ path: notePath("note.md"), edits: [(text) => `${text} and ours`] }]);
  await notebook.move([{ from: notePath("note.md"), to: notePath("moved.md") }]);
  await notebook.edit([{ path: notePath("moved.md"), edits: [(text) => `${text}, twice`] }]);
  expect([read("outside.md"), read("vault/moved.md")]).toEqual(["shared", "shared and ours, twice"]);
});

describe("attack 37: what somebody planted in our folder", () => {
  const version = "a".repeat(40);
  const PLANTED: [string, (machine: string) => void][] = [
    ["a lock that is no database", () => put("vault/.notewright/lock", "locked by pid 1, for ever")],
    ["a folder for a lock", () => fs.mkdirSync(join(vault, ".notewright/lock"))],
    [
      "a lock that leads outside",
      () => fs.symlinkSync(join(folder, "outside.md"), join(vault, ".notewright/lock")),
    ],
    [
      "a journal that names a path outside",
      (machine) =>
        put(
          `vault/.notewright/journal/${machine}/${machine}-aaaaaaaaaaaa.json`,
          JSON.stringify({
            format: 1,
            steps: [
              {
                do: "remove",
                path: "../outside.md",
                old: version,
                temp: `.notewright/tmp/${machine}-aaaaaaaaaaab.tmp`,
              },
            ],
          }),
        ),
    ],
    [
      "a journal that removes a note, by a hash that is not the note's",
      (machine) =>
        put(
          `vault/.notewright/journal/${machine}/${machine}-aaaaaaaaaaaa.json`,
          JSON.stringify({
            format: 1,
            steps: [
              {
                do: "remove",
                path: "note.md",
                old: version,
                temp: `.notewright/tmp/${machine}-aaaaaaaaaaab.tmp`,
              },
            ],
          }),
        ),
    ],
    ["a journal that is no JSON", (machine) => put(`vault/.notewright/journal/${machine}/x.json`, "{ half")],
    ["temps", (machine) => put(`vault/.notewright/tmp/${machine}-aaaaaaaaaaaa.tmp`, "half a note")],
    ["a folder for temps that leads outside", () => plantLink("tmp")],
    ["a folder for kept files that leads outside", () => plantLink("guard")],
    ["a folder for journals that leads outside", () => plantLink("journal")],
    ["a file for a folder", () => put("vault/.notewright/guard", "in the way")],
    ["kept files", (machine) => put(`vault/.notewright/guard/${machine}-aaaaaaaaaaaa.planted`, "planted")],
  ];
  const plantLink = (name: string) => {
    fs.mkdirSync(join(folder, "outside"), { recursive: true });
    fs.symlinkSync(join(folder, "outside"), join(vault, ".notewright", name));
  };

  test.each(PLANTED)(
    "%s: set aside or cleared, and both one note and several can be written",
    async (_, plant) => {
      put("outside.md", "outside");
      put("vault/note.md", "old\n");
      put("vault/other.md", "old\n");
      fs.mkdirSync(join(vault, ".notewright"));
      plant(machineOf(openDisk(vault))!);
      const { notebook } = await open();
      expect((await notebook.read(notePath("note.md"))).text).toBe("old\n");
      await notebook.edit([{ path: notePath("note.md"), edits: [() => "new\n"] }]);
      const both = ["note.md", "other.md"].map((name) => ({
        path: notePath(name),
        edits: [() => "newer\n"],
      }));
      await notebook.edit(both);
      expect([read("vault/note.md"), read("vault/other.md"), read("outside.md")]).toEqual([
        "newer\n",
        "newer\n",
        "outside",
      ]);
      if (fs.existsSync(join(folder, "outside"))) expect(fs.readdirSync(join(folder, "outside"))).toEqual([]);
    },
  );
});

describe("attack 40: clocks a year off, and files from 1970 and 2100", () => {
  const year = 365 * 24 * 3600_000;
  const run = async (shift: number, times: [number, number]) => {
    for (const name of fs.readdirSync(vault)) fs.rmSync(join(vault, name), { recursive: true });
    put("vault/a.md", "---\ntags: [x]\n---\nA links to [[b]].\n");
    put("vault/b.md", "B\n");
    ["a.md", "b.md"].forEach((name, at) => fs.utimesSync(join(vault, name), times[at]!, times[at]!));
    const { notebook, history } = await open({ now: () => new Date(Date.now() + shift) });
    await notebook.edit([{ path: notePath("a.md"), edits: [(text) => `${text}one\n`] }]);
    // Another program writes under an old time, and the same size.
    fs.writeFileSync(join(vault, "b.md"), "C\n");
    fs.utimesSync(join(vault, "b.md"), times[1], times[1]);
    await notebook.refresh();
    await notebook.move([{ from: notePath("b.md"), to: notePath("c.md") }]);
    const log = await notebook.log({ limit: 20 });
    const [, created] = (await notebook.log({ path: notePath("a.md"), limit: 5 })).toReversed();
    await notebook.undo([created!]);
    const notes = Object.entries(filesBelow(vault))
      .map(([name, text]) => [name.slice(vault.length + 1), text] as const)
      .filter(([name]) => !name.startsWith(".notewright"));
    return {
      notes: Object.fromEntries(notes),
      log: log.map(({ message, changes }) => [message, changes.map(({ path, version }) => [path, version])]),
      found: (await notebook.find({ words: "links" }, { limit: 5, sort: "path" })).notes.map(
        ({ path }) => path,
      ),
      troubles: history.troubles(),
    };
  };
  const EARLY = 0;
  const LATE = Date.parse("2100-01-01T00:00:00Z") / 1000;

  test.each([
    ["a year ahead", year, [EARLY, LATE]],
    ["a year behind", -year, [LATE, EARLY]],
    ["right, files from 1970", 0, [EARLY, EARLY]],
    ["right, files from 2100", 0, [LATE, LATE]],
  ] as [string, number, [number, number]][])("a clock %s: the same results", async (_, shift, times) => {
    const now = Math.floor(Date.now() / 1000) - 100;
    const usual = await run(0, [now, now]);
    expect(usual.notes["c.md"]).toBe("C\n");
    expect(await run(shift, times)).toEqual(usual);
  });
});

test("attack 41: no decision rests on a process number; the lock is what the kernel says", async () => {
  put("vault/note.md", "old\n");
  fs.mkdirSync(join(vault, ".notewright"));
  // Whatever says that a process of some number has the lock is not asked.
  put("vault/.notewright/lock.pid", "1");
  const [one, other] = [await open(), await open()];
  await one.notebook.write(notePath("note.md"), "one\n");
  await other.notebook.write(notePath("note.md"), "other\n");
  expect(read("vault/note.md")).toBe("other\n");
  const sources = filesBelow("src/disk");
  expect(
    Object.entries(sources).filter(
      ([name, text]) => !name.endsWith(".test.ts") && /process\.p?pid\b/.test(text),
    ),
  ).toEqual([]);
});

describe("attack 42: the client goes away in the middle of calls", () => {
  test.each<[string, (server: ReturnType<typeof spawn>) => void]>([
    ["stdin is closed", (server) => server.stdin!.end()],
    ["SIGTERM", (server) => server.kill("SIGTERM")],
    ["SIGINT", (server) => server.kill("SIGINT")],
    ["killed", (server) => server.kill("SIGKILL")],
  ])("%s: every change is whole or not there, and nothing is left", async (_, end) => {
    const home = makeHome();
    fs.writeFileSync(join(home.vault, "log.md"), "# Log\n");
    const server = spawn(
      process.execPath,
      [command("notewright"), "serve", home.vault, "--tools", "obsidian"],
      {
        env: home.environment,
        stdio: ["pipe", "pipe", "ignore"],
      },
    );
    let answers = "";
    const ended = new Promise((done) => server.on("close", done));
    const twenty = new Promise<void>((done) =>
      server.stdout!.on("data", (chunk: Buffer) => {
        answers += chunk.toString();
        if (answers.split("\n").length > 20) done();
      }),
    );
    const say = (message: object) => server.stdin!.write(line(message));
    const clientInfo = { name: "test", version: "1" };
    say({
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
    });
    say({ method: "notifications/initialized" });
    for (let id = 1; id <= 200; id++)
      say({
        id,
        method: "tools/call",
        params: { name: "append_note", arguments: { name: "log", text: `line ${id}` } },
      });
    await twenty;
    end(server);
    await ended;
    const acknowledged = answers
      .split("\n")
      .flatMap((line) =>
        /"id":(\d+)[,}]/.test(line) && line.endsWith("}") ? [JSON.parse(line) as { id: number }] : [],
      )
      .filter(({ id }) => id > 0);
    const lines = fs
      .readFileSync(join(home.vault, "log.md"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("line "));
    // In order, without gaps: those that were answered, and at most those that were sent.
    expect(lines).toEqual(lines.map((_line, at) => `line ${at + 1}`));
    expect(lines.length).toBeGreaterThanOrEqual(acknowledged.length);
    const next = await openTestFolder(home.vault, { durability: "fast" });
    await next.notebook.write(notePath("next.md"), "goes on\n");
    await next.close();
    fs.renameSync(home.vault, join(home.folder, "vault"));
    expect(straysIn(home.folder)).toEqual([]);
    home.remove();
  });
});
