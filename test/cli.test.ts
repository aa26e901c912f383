/** The commands as a person or a client meets them, judged by what they print and how they end: built and started as processes, but for words of help and refusal. */

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { runHere } from "./command.ts";
import { command, filesBelow, makeHome, runToEnd } from "./process.ts";
import { surfaces } from "./surfaces.ts";
import { call, line } from "./wire.ts";

const home = makeHome();
afterAll(home.remove);
const { vault, environment } = home;
const notewright = (args: string[], more: Record<string, string> = {}, input = "") =>
  runToEnd([command("notewright"), ...args], { environment: { ...environment, ...more }, input });
/** Without a process of its own. */
const inWords = (args: string[]) => runHere(args, environment, home.folder);

const HELLO =
  line({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  }) + line({ method: "notifications/initialized" });
type Message = {
  id: number;
  result?: { isError?: boolean; content: { text: string }[] };
  error?: { message: string };
};
const answersIn = (stdout: string): Record<number, Message> => {
  const messages = stdout.split("\n").filter(Boolean);
  return Object.fromEntries(
    messages.map((text) => JSON.parse(text) as Message).map((message) => [message.id, message]),
  );
};

describe("words", () => {
  test.each([[["--help"]], [["help"]], [[]], [["-h"]]])(
    "notewright %j shows how to call it",
    async (args) => {
      const { code, stdout } = await inWords(args);
      expect(code).toBe(0);
      expect(stdout).toContain("notewright serve ~/Notes");
    },
  );

  test("the help of serve names every surface and every flag", async () => {
    const { code, stdout } = await inWords(["serve", "--help"]);
    expect(code).toBe(0);
    for (const surface of surfaces) expect(stdout).toContain(surface.name);
    for (const flag of ["read-only", "index", "durability", "author", "history", "time-zone"])
      expect(stdout).toContain(`--${flag}`);
  });

  test.each([
    [["find", "--help=1"], "find"],
    [["find", "-h"], "find"],
    [["find", "x", "--help"], "find"],
    [["help", "undo"], "undo"],
  ])("%j shows the help of %s", async (args, name) => {
    const { code, stdout, stderr } = await inWords(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`notewright ${name} `);
    expect(stdout).toContain("Examples\n");
  });

  test("a process ends as the command does", async () => {
    expect(await notewright(["--version"])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
    expect(await notewright(["srve"])).toEqual(await inWords(["srve"]));
  });

  const file = join(home.folder, "a-file.md");
  writeFileSync(file, "x");
  test.each([
    [["srve"], 2, 'Unknown command "srve". Did you mean "notewright serve"?'],
    [["serve", "--tols", "notes"], 2, "Unknown flag --tols. Did you mean --tools?"],
    [
      ["serve", vault, "--tools", "obsidan"],
      2,
      'There are no tools called "obsidan". Did you mean --tools obsidian?',
    ],
    [["serve", vault, vault], 2, "serve takes one vault"],
    [["serve", vault, "--time-zone", "Mars/Base"], 2, 'There is no time zone "Mars/Base"'],
    [["serve", join(vault, "none")], 1, "There is no folder at"],
    [["serve", file], 1, "is a file. Give the folder"],
    [["find"], 2, "find needs a query"],
    [["find", "--limt=3", "x"], 2, "Unknown flag --limt. Did you mean --limit? See notewright find --help."],
    [["find", "-x", "x"], 2, "Unknown flag -x. See notewright find --help."],
    [["find", "--constructor", "x"], 2, "Unknown flag --constructor."],
    [["find", "--", "--help", "extra", "words"], 2, "find takes a query and a vault"],
    [["serve"], 2, "No vault is named"],
    [["serve", "--http", "0"], 2, "No vault is named"],
    [["help", "fnd"], 2, 'Unknown command "fnd". Did you mean "notewright find"?'],
    [["--hlep"], 2, 'Unknown flag "--hlep".'],
    [["find", "tag:", vault], 2, ""],
  ])("%j is refused with code %i", async (args, code, said) => {
    const ended = await inWords(args);
    expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(said) });
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
  });

  test.each([
    ["obs-mcp", [command("obs-mcp")]],
    ["notewright serve --tools obsidian", [command("notewright"), "serve", "--tools", "obsidian"]],
  ])("%s without a vault says so in the words of its spec", async (_, args) => {
    expect(await runToEnd(args, { environment })).toEqual({
      code: 1,
      stdout: "",
      stderr: "OBSIDIAN_VAULT_PATH not set\n",
    });
  });
});

describe("serving", () => {
  test("what was asked is answered although the input ends at once, and stdout is protocol only", async () => {
    const { code, stdout, stderr } = await notewright(
      ["serve", vault],
      {},
      HELLO +
        call(2, "read_notes", { notes: ["Plants/Comfrey.md"] }) +
        call(3, "edit_notes", { edits: [{ note: "Plants/Garlic.md", do: "append", text: "Peeled." }] }),
    );
    expect(code).toBe(0);
    const answers = answersIn(stdout);
    expect(answers[2]?.result?.content[1]?.text).toContain("cannot be discouraged");
    expect(answers[3]?.result?.isError).not.toBe(true);
    expect(stderr).toBe("");
    expect(Object.values(filesBelow(vault)).join("")).toContain("Peeled.");
  });

  test("a folder without a command is served to whoever is on the other end of the pipe, with the flags of serve", async () => {
    const input = HELLO + call(2, "list_notes", { limit: 1 });
    const { code, stdout } = await notewright([vault, "--tools", "obsidian", "--read-only"], {}, input);
    expect(code).toBe(0);
    expect(answersIn(stdout)[2]?.result?.content[0]?.text).toContain('"total":');
    const gone = await notewright([join(vault, "none")], {}, input);
    expect(gone).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("There is no folder at"),
    });
    const flag = await notewright([vault, "--tols", "wiki"], {}, input);
    expect(flag).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean --tools?") });
  });

  test("obs-mcp takes its vault from OBSIDIAN_VAULT_PATH", async () => {
    const input = HELLO + call(2, "list_notes", { limit: 1 });
    const { stdout } = await runToEnd([command("obs-mcp")], {
      environment: { ...environment, OBSIDIAN_VAULT_PATH: vault },
      input,
    });
    expect(answersIn(stdout)[2]?.result?.content[0]?.text).toContain('"total":17');
  });

  test("obs-mcp serves OBSIDIAN_VAULT_PATH, whatever else names a vault, and no other", async () => {
    const other = join(home.folder, "other");
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, "Other.md"), "x");
    const config = join(home.folder, "other-config");
    mkdirSync(join(config, "notewright"), { recursive: true });
    writeFileSync(join(config, "notewright", "config.json"), JSON.stringify({ vault: other }));
    const named = { ...environment, NOTEWRIGHT_VAULT: other, XDG_CONFIG_HOME: config };
    const obsMcp = (more: Record<string, string>, args: string[] = []) =>
      runToEnd([command("obs-mcp"), ...args], {
        environment: { ...named, ...more },
        input: HELLO + call(2, "list_notes", {}),
      });
    const unset = { code: 1, stdout: "", stderr: "OBSIDIAN_VAULT_PATH not set\n" };
    expect(await obsMcp({})).toEqual(unset);
    expect(await obsMcp({ OBSIDIAN_VAULT_PATH: "" }, [other])).toEqual(unset);
    expect(await obsMcp({ OBSIDIAN_VAULT_PATH: vault }, [other])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("serve takes one vault"),
    });
    const { stdout } = await obsMcp({ OBSIDIAN_VAULT_PATH: vault });
    expect(answersIn(stdout)[2]?.result?.content[0]?.text).toContain('"total":17');
  });

  test("notes without a vault live in memory", async () => {
    const input = HELLO + call(2, "AddNote", { title: "A", content: "B" }) + call(3, "ListNotes");
    const { stdout } = await notewright(["serve", "--tools", "notes"], {}, input);
    expect(answersIn(stdout)[2]?.result?.content[0]?.text).toMatch(/^Added note 'A' with ID [0-9a-f]{8} ✅$/);
  });

  test("bad lines are answered and the session goes on", async () => {
    const { code, stdout } = await notewright(
      ["serve", vault, "--tools", "obsidian"],
      {},
      `${HELLO}not json\n${call(2, "raed_note")}${call(3, "read_note", { name: 5 })}${call(4, "read_note", { name: "Garlic" })}`,
    );
    expect(code).toBe(0);
    const answers = answersIn(stdout);
    expect(answers[2]?.error?.message).toContain('Did you mean "read_note"?');
    expect(answers[3]?.result).toMatchObject({ isError: true });
    expect(answers[3]?.result?.content[0]?.text).toContain(
      '"name" of read_note must be string, not a number',
    );
    expect(answers[4]?.result?.content[0]?.text).toContain("Forty cloves");
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s ends it cleanly, with what was answered on disk",
    async (signal) => {
      const child = spawn(process.execPath, [command("notewright"), "serve", vault], {
        env: environment,
        stdio: "pipe",
      });
      const ended = new Promise<[number | null, string | null]>((resolve) =>
        child.on("close", (...how) => resolve(how)),
      );
      const words = `Before ${signal}.`;
      const edits = [{ note: "Plants/Garlic.md", do: "append", text: words }];
      child.stdin.write(HELLO + call(2, "edit_notes", { edits }));
      let stdout = "";
      for await (const chunk of child.stdout) {
        stdout += String(chunk);
        if (/"id":2\b/.test(stdout)) break;
      }
      child.kill(signal);
      expect(await ended).toEqual([0, null]);
      expect(Object.values(filesBelow(vault)).join("")).toContain(words);
    },
  );

  test("read only, nothing at all is written into the vault", async () => {
    const fresh = makeHome();
    try {
      const before = filesBelow(fresh.vault);
      const input =
        HELLO +
        line({ id: 2, method: "tools/list" }) +
        call(3, "read_notes", { notes: ["Garlic"] }) +
        call(4, "delete_note", { path: "Plants/Garlic.md" });
      const { stdout } = await runToEnd([command("notewright"), "serve", fresh.vault, "--read-only"], {
        environment: fresh.environment,
        input,
      });
      const answers = answersIn(stdout);
      expect(JSON.stringify(answers[2])).not.toContain("delete_note");
      expect(answers[3]?.result?.content[1]?.text).toContain("Forty cloves");
      expect(answers[4]?.result?.isError).toBe(true);
      expect(filesBelow(fresh.vault)).toEqual(before);
    } finally {
      fresh.remove();
    }
  });
});

describe("find", () => {
  test("shows the notes and the lines", async () => {
    const { code, stdout } = await notewright(["find", "blackbirds", vault]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Saturday, 16 May {2}Daily\/2026-05-16\.md\n {2}.*Two blackbirds nest/);
  });

  test("--json is one object a line", async () => {
    const { stdout } = await notewright(["find", "tag:Person", vault, "--json"]);
    const found = stdout
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as { path: string });
    expect(found.map((note) => note.path).toSorted()).toEqual([
      "People/@Mara Lindt.md",
      "People/@Teo Okafor.md",
    ]);
  });
});
