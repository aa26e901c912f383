/** Attacks by name: paths that lead out, reserved places, links, special files, names that are not what they seem. Through every surface, on a real folder. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DIALECTS } from "./dialects.ts";
import { openGround, SECRET, type Ground } from "./ground.ts";

let ground: Ground;
beforeAll(async () => (ground = await openGround()));
afterAll(() => ground.close());

/** Read, written, appended to, removed, moved from and to: refused, with nothing touched. */
const expectNoWay = async (path: string): Promise<void> => {
  for (const dialect of DIALECTS) {
    const { read, write, append, remove, move } = dialect;
    for (const call of [read(path), write(path, "x"), append(path, "x"), remove(path)])
      await ground.turnedAway(dialect, call);
    if (move) await ground.turnedAway(dialect, move("there.md", path));
    if (move) await ground.turnedAway(dialect, move(path, "taken.md"));
  }
};

describe("attack 1: no path leads out of the vault", () => {
  test.each([
    "../escaped.md",
    "a/../../escaped.md",
    "./../escaped.md",
    "/tmp/notewright-escaped.md",
    "~/escaped.md",
    "C:/escaped.md",
    "C:\\escaped.md",
    "\\\\host\\share\\escaped.md",
    "..\\escaped.md",
    "%2e%2e/escaped.md",
    "%2e%2e%2fescaped.md",
    "..%c0%afescaped.md",
    "escaped\0.md",
    "\uff0e\uff0e/escaped.md",
    "\u2025/escaped.md",
    ".\u200b./escaped.md",
    "....//escaped.md",
    "a/..;/../escaped.md",
  ])("%j", async (path) => {
    await expectNoWay(path);
    expect(existsSync("/tmp/notewright-escaped.md")).toBe(false);
    // A folder that is to be listed, and a title that is made into a name.
    for (const dialect of DIALECTS)
      if (dialect.list) await ground.unharmed(dialect, dialect.list(dirname(path)));
    await ground.unharmed({ ...DIALECTS[0]!, surface: "notes" }, ["AddNote", { title: path, content: "x" }]);
  });
});

test("attack 2: a folder beside the vault whose name begins like the vault's is outside", async () => {
  const name = basename(ground.sibling);
  for (const path of [`../${name}/secret.md`, `${ground.sibling}/secret.md`, `./../${name}/new.md`])
    await expectNoWay(path);
});

describe("attack 3: links are not followed, wherever they lead", () => {
  beforeAll(async () => {
    const link = (target: string, at: string) => symlinkSync(target, join(ground.root, at));
    mkdirSync(join(ground.root, "kb/linked"));
    link(join(ground.outside, "secret.md"), "kb/linked/file.md");
    link("chain 2.md", "kb/linked/chain.md");
    link(join(ground.outside, "secret.md"), "kb/linked/chain 2.md");
    link("circle.md", "kb/linked/circle.md");
    link(join(ground.sibling, "secret.md"), "kb/linked/sibling.md");
    link("../../there.md", "kb/linked/inside.md");
    link(ground.outside, "kb/linked/folder");
    link("folder", "kb/linked/folder of folder");
    await ground.noticed();
  });

  test.each([
    "kb/linked/file.md",
    "kb/linked/chain.md",
    "kb/linked/circle.md",
    "kb/linked/sibling.md",
    "kb/linked/inside.md",
    "kb/linked/folder/secret.md",
    "kb/linked/folder/new.md",
    "kb/linked/folder/inner/secret.md",
    "kb/linked/folder of folder/secret.md",
  ])("%s", (path) => expectNoWay(path));

  test("nor are notes behind them found, listed or linked to; the check names them", async () => {
    for (const query of ["outside", "Secret"]) {
      const { notes } = await ground.vault.notebook.find({ words: query }, { limit: 10, sort: "path" });
      expect(notes.map((note) => note.path)).toEqual([]);
    }
    for (const dialect of DIALECTS)
      if (dialect.list) await ground.unharmed(dialect, dialect.list("kb/linked/folder"));
    const { groups } = await ground.vault.notebook.survey();
    const told = groups.find((group) => group.name === "links")!.findings.map(({ path }) => path);
    expect(told).toEqual(
      expect.arrayContaining(["kb/linked/file.md", "kb/linked/folder", "kb/linked/circle.md"]),
    );
  });
});

test("attack 7: pipes, sockets and devices named like notes are passed over, without waiting", async () => {
  const at = (name: string) => join(ground.root, "kb/special", name);
  mkdirSync(join(ground.root, "kb/special"));
  execFileSync("mkfifo", [at("pipe.md")]);
  execFileSync("python3", [
    "-c",
    "import socket,os,sys; os.chdir(sys.argv[1]); socket.socket(socket.AF_UNIX).bind('socket.md')",
    join(ground.root, "kb/special"),
  ]);
  symlinkSync("/dev/zero", at("zero.md"));
  await ground.noticed();
  for (const name of ["pipe.md", "socket.md", "zero.md"]) await expectNoWay(`kb/special/${name}`);
  const found = await ground.vault.notebook.find({ folder: "kb/special" }, { limit: 10, sort: "path" });
  expect(found.notes).toEqual([]);
});

describe("attack 8: reserved and hidden places cannot be written, under any alias", () => {
  test.each([
    ".git/config.md",
    ".git/hooks/pre-commit.md",
    ".GIT/x.md",
    ".git./x.md",
    ".git /x.md",
    "git~1/x.md",
    "GIT~1/x.md",
    ".g\u200cit/x.md",
    "\ufeff.git/x.md",
    "sub/.git/x.md",
    ".gitattributes.md",
    ".gitmodules.md",
    ".obsidian/plugins/evil/main.js.md",
    ".obsidian/x.md",
    "OBSIDI~1/x.md",
    ".notewright/lock.md",
    ".notewright/history.git/config.md",
    ".Notewright/x.md",
    ".trash/x.md",
    ".llm_bridges/knowledge_base/kb/meta.md",
    ".llm_bridges/x.md",
  ])("%j", (path) => expectNoWay(path));

  test("nor can a name that is no note be made", async () => {
    for (const dialect of DIALECTS)
      for (const path of [".obsidian/plugins/evil/main.js", ".git/hooks/pre-commit", ".gitattributes"])
        await ground.turnedAway(dialect, dialect.write(path, "x"));
  });
});

describe("attack 35: names that some system does not allow are not made", () => {
  test.each([
    "con.md",
    "CON.txt.md",
    "aux/x.md",
    "COM1.md",
    "COM\u00b9.md",
    "lpt\u00b3.md",
    "nul.md",
    "a.md:stream.md",
    "a:b.md",
    "dot./x.md",
    "space /x.md",
    "ends with dot..md",
    "ends with space .md",
    "less<.md",
    "question?.md",
    "star*.md",
    "pipe|.md",
    'quote".md',
    `${"x".repeat(260)}.md`,
    "new\nline.md",
    "escape\u001b[2J.md",
  ])("%j", async (path) => {
    for (const dialect of DIALECTS) {
      await ground.turnedAway(dialect, dialect.write(path, "x"));
      if (dialect.move) await ground.turnedAway(dialect, dialect.move("there.md", path));
    }
  });

  test("but those that are there go with their folder, and are named by the check", async () => {
    const odd = [
      "RedShift: OLED.md",
      "and so on, etc..md",
      "Q: A/back\\slash.md",
      "Paper.pdf.md",
      "Cafe\u0301.md",
      "A.md#x/s.md",
    ];
    for (const name of odd) await ground.plant(`Hub/${name}`, `[[plain]] ${name}\n`);
    await ground.plant("Hub/plain.md", "[[RedShift: OLED]] and [x](<Q: A/back%5Cslash.md>)\n");
    const moved = { moves: [{ from: "Hub/", to: "Sub/Hub 2/" }] };
    await ground.done("native", "move_notes", moved);
    for (const name of [...odd, "plain.md"]) {
      expect(existsSync(join(ground.root, "Sub/Hub 2", name)), name).toBe(true);
      expect(existsSync(join(ground.root, "Hub", name)), name).toBe(false);
    }
    const check = JSON.stringify(await ground.done("native", "check_vault", {}));
    for (const named of ["RedShift: OLED.md", "Q: A", "A.md#x"]) expect(check).toContain(named);
    expect(check, "every system takes it").not.toContain("etc..md");
    // A folder that is there may be added to, under its name; a new name is one the caller chooses.
    await ground.done("native", "write_note", { path: "Sub/Hub 2/Q: A/new.md", text: "x" });
    for (const to of ["Sub/R: B/", "Sub/Hub 2/what?.md"])
      await ground.turnedAway(DIALECTS[0]!, ["move_notes", { moves: [{ from: "there.md", to }] }]);
  });

  test("but those that are there are read, and can be renamed", async () => {
    await ground.plant("odd/con.md", "# Device\n\nOdd words.\n");
    await ground.plant("odd/question?.md", "Odd words too.\n");
    const [native, obsidian] = DIALECTS;
    for (const dialect of [native!, obsidian!]) {
      expect(await ground.unharmed(dialect, dialect.read("odd/con.md"))).toContain("Odd words");
      expect(await ground.unharmed(dialect, dialect.read("odd/question?.md"))).toContain("Odd words too");
    }
    await ground.done("native", "move_notes", { moves: [{ from: "odd/con.md", to: "odd/device.md" }] });
    expect(existsSync(join(ground.root, "odd/device.md"))).toBe(true);
  });
});

describe("attack 36: names that only look different, or only look the same", () => {
  test.each([
    ["by case", "Twin.md", "tWIN.md"],
    ["by Unicode form", "caf\u00e9.md", "cafe\u0301.md"],
    ["by the case of a letter that has three", "\u03a3\u03b1\u03c2.md", "\u03c3\u03b1\u03c3.md"],
    ["by the case of a folder", "Folder of twins/a.md", "folder of Twins/b.md"],
  ])("a twin %s is not made", async (_, there, twin) => {
    await ground.plant(there, "first\n");
    await ground.plant(`kb/${there}`, "first\n");
    for (const dialect of DIALECTS.filter(({ surface }) => surface !== "cairn")) {
      // Some surfaces take the other spelling for the note itself; none makes a second one.
      const before = Object.keys(ground.everything()).length;
      await ground.unharmed(dialect, dialect.write(twin, "second\n"));
      if (dialect.move) await ground.unharmed(dialect, dialect.move("there.md", twin));
      expect(Object.keys(ground.everything()).length).toBe(before);
    }
  });

  test.each(["turned\u202egnp.md", "isolate\u2066x.md", "mark\u200fx.md", "arabic\u061cx.md"])(
    "a name that turns the direction of writing is not made: %j",
    async (path) => {
      for (const dialect of DIALECTS) await ground.turnedAway(dialect, dialect.write(path, "x"));
    },
  );

  test("a link means the note in whatever form it is written", async () => {
    await ground.plant("na\u00efve.md", "x\n");
    await ground.plant("links.md", "[[nai\u0308ve]] and [[NA\u00cfVE]]\n");
    const links = await ground.vault.notebook.links({ from: "links.md" as never });
    expect(links.map((link) => link.path)).toEqual(["na\u00efve.md", "na\u00efve.md"]);
  });
});

test("nothing of what lies outside was ever indexed", async () => {
  const { notes } = await ground.vault.notebook.find(
    { holds: SECRET, in: "either" },
    { limit: 5, sort: "path" },
  );
  expect(notes).toEqual([]);
});

describe("attack 63: no note is made that no handle can name", () => {
  test.each(["A.md#x/s.md", "A.md#x.md", "a/B.md@1a2b3c4d/s.md", "B.md@1a2b3c4d.md"])("%j", async (path) => {
    for (const dialect of DIALECTS) {
      await ground.turnedAway(dialect, dialect.write(path, "x"));
      if (dialect.move) await ground.turnedAway(dialect, dialect.move("there.md", path));
    }
  });

  test("not by moving a folder, nor into a folder that is there", async () => {
    await ground.plant("movable/one.md", "x\n");
    await ground.plant("planted.md#x/s.md", "x\n");
    for (const to of ["A.md#x/s.md/", "A.md@1a2b3c4d/", "planted.md#x/"])
      for (const from of ["movable/", "movable/one.md"])
        await ground.turnedAway(DIALECTS[0]!, ["move_notes", { moves: [{ from, to }] }]);
  });
});
