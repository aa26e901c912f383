/** The commands with which a person looks into their notes and writes into them, called from inside the vault. */

import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { invitation } from "../src/cli/invitation.ts";
import { openDisk } from "../src/disk/files.ts";
import { objectSizes } from "../src/history/space.ts";
import { runHere } from "./command.ts";
import { command, filesBelow, makeHome, type Home } from "./process.ts";

let home: Home;
let seen: Home;
const homes: Home[] = [];
const fresh = (): Home => {
  const made = makeHome();
  homes.push(made);
  // Obsidian's own folder makes it a vault that is found from inside.
  mkdirSync(join(made.vault, ".obsidian"));
  return made;
};
beforeAll(() => {
  home = fresh();
  seen = fresh();
  vi.stubEnv("TMPDIR", home.folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  for (const { remove } of homes) remove();
});

const AROUND = /^notewright: the vault is .*\/garden, around this folder\n/;
/** From a folder of the vault, which nothing here changes. */
const look = async (...args: string[]) => {
  const before = filesBelow(seen.vault);
  const ended = await runHere(args, seen.environment, join(seen.vault, "Plants"));
  expect(filesBelow(seen.vault)).toEqual(before);
  expect(ended.stderr).toMatch(AROUND);
  return { ...ended, stderr: ended.stderr.replace(AROUND, "") };
};
const write = (args: string[], more: Record<string, string> = {}) =>
  runHere(args, { ...home.environment, ...more }, home.vault);
const lines = (stdout: string): unknown[] =>
  stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);

describe("find", () => {
  test("--json gives the place of a hit: path, section, line, score and snippet", async () => {
    const { code, stdout } = await look("find", "overflow", "--json", "--limit", "1");
    expect(code).toBe(0);
    const [hit] = lines(stdout) as [{ line: number; path: string }];
    expect(hit).toMatchObject({
      path: "Projects/Rain garden.md",
      section: "Next steps",
      title: "Rain garden",
      score: expect.any(Number),
      snippet: expect.stringContaining("overflow"),
    });
    const text = readFileSync(join(seen.vault, hit.path), "utf8").split("\n");
    expect(text[hit.line - 1]).toMatch(/overflow/i);
  });

  test("--paths, -0 and --section are for other programs", async () => {
    expect(await look("find", "cloves", "--paths")).toEqual({
      code: 0,
      stdout: "Plants/Garlic.md\n",
      stderr: "",
    });
    expect((await look("find", "cloves", "-0", "--section")).stdout).toBe("Plants/Garlic.md#Garlic\0");
    expect((await look("find", "cloves", "--section")).stdout).toContain("Plants/Garlic.md#Garlic\n");
  });

  test("nothing found is code 1; words read as others are told; so is how to see the rest", async () => {
    expect(await look("find", "zeppelin")).toEqual({ code: 1, stdout: "", stderr: "Nothing found.\n" });
    expect(await look("find", "zeppelin", "--json")).toEqual({ code: 1, stdout: "", stderr: "" });
    expect((await look("find", "compst")).stderr).toContain('"compst" is read as "compost".\n');
    expect((await look("find", "the", "--limit", "1")).stderr).toMatch(
      /^(\d+) more; --limit \d+ shows them\.\n$/,
    );
  });
});

describe("cat, list, links, tags", () => {
  test("cat prints notes and sections to the byte, by name, path or file", async () => {
    const garlic = readFileSync(join(seen.vault, "Plants/Garlic.md"), "utf8");
    for (const name of [
      "Garlic",
      "Garlic.md",
      "./Garlic.md",
      "Plants/Garlic",
      join(seen.vault, "Plants/Garlic.md"),
    ])
      expect((await look("cat", name)).stdout).toBe(garlic);
    const steps = (await look("cat", "Rain garden#Next steps")).stdout;
    expect(steps).toMatch(/^## Next steps\n\n- \[ \] Dig the overflow\n/);
    expect(steps).not.toContain("## Sources");
  });

  test("into a pipe cat adds and changes no byte; on a terminal the line is ended", async () => {
    const { vault, environment } = fresh();
    const files = {
      unended: Buffer.from("\ufeff# One\r\n\r\nno newline at the end"),
      empty: Buffer.alloc(0),
      latin: Buffer.from("caf\xe9\0", "latin1"),
    };
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(vault, `${name}.md`), bytes);
    const printed = execFileSync(
      process.execPath,
      [command("notewright"), "cat", "unended", "empty", "latin", "unended#One", vault],
      { env: environment, stdio: ["ignore", "pipe", "ignore"] },
    );
    expect(printed).toEqual(Buffer.concat([...Object.values(files), files.unended.subarray(3)]));
    const { isTTY } = process.stdout;
    process.stdout.isTTY = true;
    const shown = await runHere(["cat", "unended", "empty", "Comfrey", vault], environment, vault);
    expect(shown.stdout).toMatch(/no newline at the end\n---\n[^]*\n$/);
    expect((await runHere(["cat", "latin", vault], environment, vault)).stderr).toContain("not UTF-8");
    process.stdout.isTTY = isTTY;
  });

  test("what is not there is told, and the rest printed", async () => {
    const { code, stdout, stderr } = await look("cat", "Garlick", "Comfrey", "Garlic#Nope");
    expect(code).toBe(1);
    expect(stdout).toContain("# Comfrey");
    expect(stderr).toBe(
      'There is no note called "Garlick". The nearest there are: "Plants/Garlic.md".\n' +
        'The note "Plants/Garlic.md" has no section of that name. There are: "Garlic".\n',
    );
  });

  test("list takes a folder of the vault, an order and a limit", async () => {
    expect((await look("list")).stdout.split("\n")).toHaveLength(18);
    const plants = await look("list", "Plants", "--limit", "2");
    expect(plants).toEqual({ code: 0, stdout: "Plants/Comfrey.md\nPlants/Garlic.md\n", stderr: "" });
    expect((await look("list", "People", "-0")).stdout).toBe(
      "People/@Mara Lindt.md\0People/@Teo Okafor.md\0",
    );
    expect(lines((await look("list", "People", "--json")).stdout)[0]).toMatchObject({
      path: "People/@Mara Lindt.md",
      title: "Mara Lindt",
      tags: expect.arrayContaining(["Person"]),
    });
    expect(await look("list", "Plnts")).toEqual({
      code: 1,
      stdout: "",
      stderr: 'There is no note below "Plnts". Did you mean "Plants"?\n',
    });
  });

  test("links lead out of a note and into it", async () => {
    const { stdout } = await look("links", "Garlic");
    expect(stdout).toContain("→ People/@Mara Lindt.md  line 6: ");
    expect(stdout).toContain("← Start here.md  line 11: ");
    expect(lines((await look("links", "Garlic", "--json")).stdout)).toContainEqual(
      expect.objectContaining({ from: "Start here.md", to: "Plants/Garlic.md", line: 11, broken: false }),
    );
    expect(await look("links", "How I keep notes")).toMatchObject({ code: 1, stdout: "" });
  });

  test("tags are counted", async () => {
    expect((await look("tags")).stdout).toMatch(/^4 {2}plant\n/);
    expect(lines((await look("tags", "--json")).stdout)[0]).toEqual({ name: "plant", count: 4 });
  });
});

test("where there is nothing to take back, nothing of ours is made", async () => {
  expect((await look("undo", "--last", "3")).stderr).toMatch(
    /^There is nothing left to undo of what clients did\..*\n$/,
  );
  expect(await look("restore", "Nope")).toMatchObject({
    code: 1,
    stderr: 'There is no note called "Nope".\n',
  });
  expect(await look("history")).toMatchObject({ code: 1, stderr: "No changes are recorded.\n" });
  expect(await look("history", "--size")).toMatchObject({ code: 1, stderr: "No changes are recorded.\n" });
  expect(await look("daily")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no note for"),
  });
});

test("sizes are told by check, and by history --size for each note", async () => {
  const { stdout } = await look("check");
  expect(stdout).toMatch(/The history takes nothing yet, the index [\d.]+ kB\.\n$/);
  await write(["daily", "One line.", "--date", "2026-05-16"]);
  const json = JSON.parse((await write(["check", "--json"])).stdout) as { sizes: Record<string, number> };
  expect(json.sizes).toEqual({ history: expect.any(Number), index: expect.any(Number) });
  const taken = JSON.parse((await write(["history", "--size", "--json"])).stdout) as {
    total: number;
    notes: { path: string; versions: number; bytes: number }[];
  };
  expect(taken.total).toBe(json.sizes.history);
  expect(taken.notes.find(({ path }) => path === "Daily/2026-05-16.md")).toMatchObject({ versions: 2 });
  expect(taken.notes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(taken.total);
  expect((await write(["history", "--size"])).stdout).toMatch(/ for 2 revisions: .* packed, .* loose, /);
});

test("each object of the history takes what git says it takes", () => {
  const dir = ".notewright/history.git";
  const check = ["cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objectsize:disk)"];
  const said = execFileSync("git", ["--git-dir", join(home.vault, dir), ...check], { encoding: "utf8" });
  const expected = said
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  const sizes = objectSizes({ disk: openDisk(home.vault), dir, durable: false });
  expect([...sizes].map(([id, bytes]) => [id, String(bytes)]).toSorted()).toEqual(expected.toSorted());
});

describe("daily and edit", () => {
  const daily = (): string => readFileSync(join(home.vault, "Daily/2026-05-16.md"), "utf8");
  const garlic = (): string => readFileSync(join(home.vault, "Plants/Garlic.md"), "utf8");
  /** An editor that runs these lines of shell; `$1` is the file. */
  const editor = (script: string): Record<string, string> => {
    const file = join(home.folder, "editor.sh");
    writeFileSync(file, script);
    return { EDITOR: `sh '${file}'`, GARLIC: join(home.vault, "Plants/Garlic.md") };
  };

  test("daily adds a line as the person's own, which undo can take back by what is printed", async () => {
    const { code, stderr } = await write([
      "daily",
      "Slugs again",
      "--date",
      "2026-05-16",
      "--outside-author",
      "Kim",
    ]);
    expect(code).toBe(0);
    expect(daily()).toMatch(/\nSlugs again\n$/);
    const [, back = ""] =
      /Added to "Daily\/2026-05-16\.md"\. To take that back: notewright (.*)\n$/.exec(stderr) ?? [];
    const [newest] = lines((await write(["history", "--json", "--limit", "1"])).stdout);
    expect(newest).toMatchObject({ author: "Kim", surface: "cli", tool: "daily" });
    // What a person wrote is not what clients did.
    expect((await write(["undo", "--last", "1"])).stderr).toContain(
      "Your own edits are undone one by one: notewright history lists them",
    );
    expect((await write(back.split(" "))).code).toBe(0);
    expect(daily()).not.toContain("Slugs");
    expect((await write(["daily", "--date", "2026-05-16"])).stdout).toBe(daily());
  });

  test("daily keeps its notes where Obsidian does", async () => {
    const own = fresh();
    const settings = { folder: "Journal", format: "YYYY/MM-DD" };
    writeFileSync(join(own.vault, ".obsidian/daily-notes.json"), JSON.stringify(settings));
    const { code, stderr } = await runHere(
      ["daily", "Frost", "--date", "2031-01-02"],
      own.environment,
      own.vault,
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('Added to "Journal/2031/01-02.md".'),
    });
    expect(readFileSync(join(own.vault, "Journal/2031/01-02.md"), "utf8")).toContain("Frost");
  });

  test("edit saves what the editor left, and says how to take it back", async () => {
    const ended = await write(["edit", "Garlic"], editor('sed -i.bak "s/Forty/Fifty/" "$1"'));
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /Saved "Plants\/Garlic\.md"\. To take that back: notewright undo \w{10}\n$/,
      ),
    });
    expect(garlic()).toContain("Fifty cloves");
    const [newest] = lines((await write(["history", "--json", "--limit", "1"])).stdout);
    expect(newest).toMatchObject({ author: "someone", surface: "cli", tool: "edit" });
    expect((await write(["edit", "Garlic"], editor("true"))).stderr).toContain("Nothing was changed.\n");
  });

  test("what others wrote meanwhile is merged", async () => {
    const both = editor('echo "Theirs." >> "$GARLIC"; sed -i.bak "s/^# Garlic/# Garlic, mine/" "$1"');
    const ended = await write(["edit", "Garlic"], both);
    expect(ended.stderr).toContain(", with what others wrote there meanwhile.");
    expect(garlic()).toMatch(/^# Garlic, mine$[^]*\nTheirs\.\n$/m);
  });

  test("where both changed the same lines nothing is written, and the text is kept", async () => {
    const ended = await write(
      ["edit", "Garlic"],
      editor('echo "Theirs too." >> "$GARLIC"; echo "Mine." >> "$1"'),
    );
    expect(ended.code).toBe(1);
    const [, kept = ""] = /so nothing was written\. Your text is kept: (.*)\n$/.exec(ended.stderr) ?? [];
    expect(readFileSync(kept, "utf8")).toMatch(/\nMine\.\n$/);
    expect(garlic()).not.toContain("Mine.");
  });

  test.each([
    ["fails before it saves", "exit 3", "ended with code 3, so nothing was written.\n"],
    ["fails after it saved", 'echo x >> "$1"; exit 3', "Your text is kept: "],
    [
      "saves no text",
      'printf "\\377" > "$1"',
      "is not UTF-8 text, so nothing was written. Your text is kept: ",
    ],
  ])("an editor that %s changes nothing", async (_, script, said) => {
    const before = garlic();
    const ended = await write(["edit", "Garlic"], editor(script));
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
    expect(garlic()).toBe(before);
  });

  test("an editor that is not there is named", async () => {
    const { code, stderr } = await write(["edit", "Garlic"], { EDITOR: "no-such-editor 2>/dev/null" });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Set EDITOR to yours.") });
  });
});

test("CLI.md names the keys of what --json prints", async () => {
  const table = [...readFileSync("docs/CLI.md", "utf8").matchAll(/^\| `([a-z -]+) --json` \| (.*) \|$/gm)];
  const keys = Object.fromEntries(
    table.map(([, call = "", row = ""]) => [call, [...row.matchAll(/`(\w+)`/g)].map(([, key]) => key)]),
  );
  keys.find = [...keys.list!, ...keys.find!.filter((key) => key !== "list")];
  const optional = new Set(["tool", "connection"]);
  const calls: [string, string[]][] = [
    ["list", []],
    ["find", ["garlic"]],
    ["links", ["Garlic"]],
    ["tags", []],
    ["history", []],
    ["history --size", []],
    ["check", []],
  ];
  expect(calls.map(([call]) => call).toSorted()).toEqual(Object.keys(keys).toSorted());
  for (const [call, words] of calls) {
    const { stdout } = await write([...call.split(" "), ...words, "--json"]);
    const printed = Object.keys(lines(stdout)[0] as object).filter((key) => !optional.has(key));
    expect(printed.toSorted(), call).toEqual(keys[call]!.filter((key) => !optional.has(key!)).toSorted());
  }
});

test("hints name the vault where the call did", async () => {
  appendFileSync(join(home.vault, "Plants/Comfrey.md"), "by hand\n");
  const ended = await runHere(
    ["undo", "--author", "someone", "--last", "1", home.vault],
    home.environment,
    home.folder,
  );
  expect(ended.stderr).toMatch(new RegExp(`to take that back: notewright undo \\w{10} ${home.vault}\n$`));
});

test("on a terminal serve says in two lines what it serves and how to connect a client", () => {
  const program = {
    platform: "linux",
    node: "/usr/bin/node",
    script: "/my tools/notewright.mjs",
    version: "1",
    ownSqlite: true,
    exists: () => false,
  };
  expect(invitation("/home/me/Notes", "wiki", program)).toEqual([
    "serves /home/me/Notes with the wiki tools, to a client on stdin and stdout. Ctrl+C ends it.",
    "A client starts it by itself. To connect one: /usr/bin/node '/my tools/notewright.mjs' install --vault /home/me/Notes --tools wiki",
  ]);
});

test("the vault of the settings file is used, and said; keys that set nothing are named", async () => {
  const config = join(seen.folder, "config", "notewright");
  mkdirSync(config);
  writeFileSync(join(config, "config.json"), JSON.stringify({ vault: seen.vault, "time-zon": "UTC" }));
  const { code, stdout, stderr } = await runHere(["list", "Daily"], seen.environment, seen.folder);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Daily/2026-05-10.md\nDaily/2026-05-16.md\n" });
  expect(stderr).toBe(
    `notewright: "time-zon" in ${config}/config.json is no setting. Did you mean "time-zone"?\n` +
      `notewright: the vault is ${seen.vault}, from your settings file\n`,
  );
});

describe("wrong calls are refused with one line", () => {
  test.each([
    [["cat"], 2, "cat needs a note"],
    [["cat", "/no/such/folder"], 1, "There is no folder at /no/such/folder"],
    [["links"], 2, "links takes a note and a vault"],
    [["links", "a", "b"], 2, "links takes a note and a vault"],
    [["list", "a", "b"], 2, "list takes one folder and a vault"],
    [["list", "--sort", "nam"], 2, '--sort cannot be "nam". Did you mean "name"?'],
    [["list", "--limit", "x"], 2, "--limit is a number"],
    [["tags", "a", "b"], 2, "tags takes one vault"],
    [["daily", "a", "b"], 2, "put a text of several words in quotes"],
    [["daily", " "], 2, "daily was given an empty text"],
    [["daily", "--date", "soon"], 2, "soon"],
    [["edit"], 2, "edit takes a note and a vault"],
    [["edit", "Garlic#Garlic"], 2, "edit takes a whole note"],
    [["edit", "Garlik"], 1, "The nearest there are"],
    [["find", "a", "--limit", "1001"], 2, "--limit is a number from 1 to 1000"],
  ])("%j, code %i", async (args, code, said) => {
    const ended = await runHere(args, { ...home.environment, NOTEWRIGHT_VAULT: home.vault }, home.folder);
    expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(said) });
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
  });
});

test("nothing is left in the temporary folder but texts that were kept", () => {
  const left = readdirSync(home.folder).filter((name) => name.startsWith("notewright-edit-"));
  expect(left).toHaveLength(3);
  expect(existsSync(join(seen.vault, ".notewright"))).toBe(false);
});
