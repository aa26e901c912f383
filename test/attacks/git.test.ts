/** Attacks through git: settings, hooks and folders that would run a program or lead elsewhere, names and revisions that look like options, histories that hold more than notes. Against the real process. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HELLO, startSession, type Session } from "../hostile/session.ts";
import { command, filesBelow, makeHome, runToEnd, type Home } from "../process.ts";

let home: Home;
let mark: string;
let outside: string;
/** Leaves a mark when it is run, under whatever name. */
let program: string;
beforeEach(() => {
  home = makeHome();
  mark = join(home.folder, "mark");
  outside = join(home.folder, "outside");
  program = join(home.folder, "canary");
  mkdirSync(outside);
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
});
afterEach(() => home.remove());

const begin = async (surface: string, environment = home.environment): Promise<Session> => {
  const session = startSession(["serve", home.vault, "--tools", surface], environment);
  await session.ask("initialize", HELLO);
  return session;
};
const said = async (session: Session, tool: string, input: object): Promise<string> =>
  (await session.call(tool, input)).result!.content!.map((block) => block.text).join("\n");
const expectNothingRun = (): void => {
  expect(existsSync(mark)).toBe(false);
  expect(readdirSync(outside)).toEqual([]);
};

/** Writes, reads back, compares, restores; and the same from the terminal. */
const useHistory = async (environment = home.environment): Promise<void> => {
  const session = await begin("wiki", environment);
  const made = await said(session, "create_note", { path: "made", title: "Made", content: "One." });
  expect(made).not.toMatch(/error/i);
  await said(session, "update_note", { path: "made", content: "Two." });
  const log = await said(session, "get_note_history", { path: "made" });
  const [newest, oldest] = [...log.matchAll(/\b[0-9a-f]{7,40}\b/g)].map(([id]) => id);
  expect(oldest).toBeDefined();
  const versions = { path: "made", from_version: oldest, to_version: newest };
  expect(await said(session, "diff_note_versions", versions)).toContain("Two.");
  await said(session, "restore_note_version", { path: "made", version: oldest });
  expect(await said(session, "get_note", { path: "made" })).toContain("One.");
  const { code, stderr } = await session.end();
  expect({ code, stderr: stderr.replace(/^notewright: .*not ours.*\n/gm, "") }).toEqual({
    code: 0,
    stderr: "",
  });
  for (const args of [
    ["history", "made"],
    ["restore", "made", oldest!],
  ]) {
    const ended = await runToEnd([command("notewright"), ...args, home.vault], { environment });
    expect(ended.code, ended.stderr).toBe(0);
  }
  expectNothingRun();
};

describe("attack 31: the settings and hooks of a vault's own repository are never read", () => {
  const CONFIG = (program: string) =>
    [
      `[core]\n\tfsmonitor = ${program}\n\thooksPath = ${program}\n\tpager = ${program}\n\teditor = ${program}`,
      `\tsshCommand = ${program}\n\taskPass = ${program}\n\tattributesFile = x`,
      `[gpg]\n\tprogram = ${program}\n[commit]\n\tgpgSign = true`,
      `[filter "x"]\n\tclean = ${program}\n\tsmudge = ${program}\n\tprocess = ${program}\n\trequired = true`,
      `[diff]\n\texternal = ${program}\n[diff "x"]\n\ttextconv = ${program}`,
      `[alias]\n\tlog = !${program}\n\tcat-file = !${program}\n\trepack = !${program}`,
      `[include]\n\tpath = ${program}\n[credential]\n\thelper = !${program}\n`,
    ].join("\n");

  test("in the vault, in the user's home and in the environment", async () => {
    mkdirSync(join(home.vault, ".git/hooks"), { recursive: true });
    writeFileSync(join(home.vault, ".git/config"), CONFIG(program));
    writeFileSync(join(home.vault, ".git/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(home.vault, ".gitattributes"), "* filter=x diff=x\n");
    for (const hook of ["pre-commit", "post-commit", "reference-transaction", "post-index-change"])
      symlinkSync(program, join(home.vault, ".git/hooks", hook));
    writeFileSync(join(home.folder, ".gitconfig"), CONFIG(program));
    const before = filesBelow(join(home.vault, ".git"));
    await useHistory({
      ...home.environment,
      GIT_EXTERNAL_DIFF: program,
      GIT_SSH_COMMAND: program,
      GIT_PAGER: program,
      GIT_EDITOR: program,
      GIT_ASKPASS: program,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: program,
    });
    expect(filesBelow(join(home.vault, ".git"))).toEqual(before);
  });

  test("nor is a git program that lies in the vault", async () => {
    symlinkSync(program, join(home.vault, "git"));
    mkdirSync(join(home.vault, "bin"));
    symlinkSync(program, join(home.vault, "bin/git"));
    await useHistory({
      ...home.environment,
      PATH: `${home.vault}:${join(home.vault, "bin")}:${home.environment.PATH}`,
    });
  });
});

describe("attack 32: a repository that lies elsewhere is not opened", () => {
  test.each<[string, () => void]>([
    [
      "core.worktree",
      () => {
        mkdirSync(join(home.vault, ".git"));
        writeFileSync(join(home.vault, ".git/config"), `[core]\n\tworktree = ${outside}\n`);
      },
    ],
    [".git as a file", () => writeFileSync(join(home.vault, ".git"), `gitdir: ${outside}\n`)],
    [".git as a link", () => symlinkSync(outside, join(home.vault, ".git"))],
    [
      "alternates",
      () => {
        mkdirSync(join(home.vault, ".git/objects/info"), { recursive: true });
        writeFileSync(join(home.vault, ".git/objects/info/alternates"), `${outside}\n`);
      },
    ],
    [
      "submodules",
      () =>
        writeFileSync(join(home.vault, ".gitmodules"), `[submodule "x"]\n\tpath = x\n\turl = ${outside}\n`),
    ],
  ])("%s", async (_, plant) => {
    plant();
    await useHistory();
  });

  test("by the environment", async () => {
    const away = {
      GIT_DIR: outside,
      GIT_WORK_TREE: outside,
      GIT_OBJECT_DIRECTORY: outside,
      GIT_INDEX_FILE: join(outside, "i"),
    };
    await useHistory({ ...home.environment, ...away });
  });
});

describe("attack 33: names and revisions that look like options", () => {
  const NAMES = ["-rf", "--output=x", "--exec=touch mark", ":(top)x", ":!x", "@{u}", "HEAD", "-"];
  test("a note called so has a history like any other", async () => {
    for (const name of NAMES) writeFileSync(join(home.vault, `${name}.md`), "First.\n");
    const session = await begin("obsidian");
    for (const name of NAMES)
      expect(await said(session, "append_note", { name, text: "Second." })).not.toMatch(/error/i);
    await session.end();
    const wiki = await begin("wiki");
    for (const name of NAMES)
      expect(await said(wiki, "get_note_history", { path: name })).toMatch(/[0-9a-f]{7}/);
    await wiki.end();
    expectNothingRun();
    expect(existsSync(join(home.vault, "x"))).toBe(false);
  });

  const REVISIONS = [
    "--all",
    "@{u}",
    "HEAD:../x",
    "HEAD",
    "main",
    "refs/heads/main",
    "-1",
    "0",
    "../../x",
    "ffff",
    "",
    "$(id)",
  ];
  test("a revision is what we gave out, and nothing that git would take for one", async () => {
    const session = await begin("wiki");
    await said(session, "create_note", { path: "made", title: "Made", content: "One." });
    for (const version of REVISIONS)
      for (const tool of ["get_note_version", "restore_note_version"]) {
        const { result, error } = await session.call(tool, { path: "made", version });
        expect(error ?? result?.isError, `${tool} ${version}`).toBeTruthy();
      }
    expect(await said(session, "get_note", { path: "made" })).toContain("One.");
    await session.end();
    expectNothingRun();
  });
});

describe("attack 34: a history that holds more than notes", () => {
  const git = (input: string | Buffer, ...args: string[]): string =>
    execFileSync("git", [`--git-dir=${join(home.vault, ".notewright/history.git")}`, ...args], {
      input,
      encoding: "utf8",
    }).trim();
  const row = (mode: string, name: string, id: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]);
  const tree = (...rows: Buffer[]) =>
    git(Buffer.concat(rows), "hash-object", "-w", "-t", "tree", "--literally", "--stdin");

  test("nothing but plain notes inside the vault is restored from it", async () => {
    const first = await begin("wiki");
    await said(first, "create_note", { path: "made", title: "Made", content: "One." });
    await first.end();
    const blob = git("planted", "hash-object", "-w", "--stdin");
    const target = git(join(outside, "x.md"), "hash-object", "-w", "--stdin");
    const inner = tree(row("100644", "x.md", blob));
    const planted = tree(
      row("40000", "..", tree(row("40000", "outside", inner))),
      row("40000", ".git", tree(row("100755", "hook.md", blob))),
      row("40000", ".obsidian", inner),
      row("120000", "link.md", target),
      row("100644", "made.md", blob),
      row("160000", "module.md", blob),
    );
    const commit = git("odd\n", "commit-tree", planted, "-p", "main");
    git("", "update-ref", "refs/heads/main", commit);
    const session = await begin("wiki");
    for (const path of ["../outside/x", ".git/hook", ".obsidian/x", "link", "module", "/etc/x"]) {
      const { result } = await session.call("restore_note_version", { path, version: commit });
      expect(result?.isError, path).toBe(true);
    }
    await said(session, "restore_note_version", { path: "made", version: commit });
    expect(await said(session, "get_note", { path: "made" })).toContain("planted");
    await session.end();
    expectNothingRun();
    for (const name of [".git", "link.md", "module.md"])
      expect(existsSync(join(home.vault, name))).toBe(false);
  });
});
