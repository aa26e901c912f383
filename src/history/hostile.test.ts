/** What is planted in a history's folder: nothing is started, nothing outside is touched, and the history goes on. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { newFolder, newLedger, openAt, planted, useAll, type Planted } from "../../test/planted-history.ts";
import type { NotePath } from "../notebook/paths.ts";
import { findGit } from "./gc.ts";
import { HISTORY } from "./git.ts";

const setting = (section: string, line: string) => (it: Planted) =>
  fs.appendFileSync(
    it.at("config"),
    `[${section}]\n\t${line.replaceAll("CANARY", it.program).replaceAll("OUTSIDE", it.outside)}\n`,
  );
const hook = (name: string) => (it: Planted) => {
  fs.mkdirSync(it.at("hooks"), { recursive: true });
  fs.copyFileSync(it.program, it.at(`hooks/${name}`));
};

describe("settings and hooks are never read, and are set aside", () => {
  test.each<[string, (it: Planted) => void]>([
    ["core.fsmonitor", setting("core", "fsmonitor = CANARY")],
    ["core.hooksPath", setting("core", "hooksPath = OUTSIDE")],
    ["core.pager", setting("core", "pager = CANARY")],
    ["core.editor", setting("core", "editor = CANARY")],
    ["core.askPass", setting("core", "askPass = CANARY")],
    ["core.sshCommand", setting("core", "sshCommand = CANARY")],
    ["core.gitProxy", setting("core", "gitProxy = CANARY")],
    ["core.alternateRefsCommand", setting("core", "alternateRefsCommand = CANARY")],
    ["core.worktree", setting("core", "worktree = OUTSIDE")],
    ["pager.log", setting("pager", "log = CANARY")],
    ["diff.external", setting("diff", "external = CANARY")],
    ["textconv", setting('diff "x"', "textconv = CANARY")],
    [
      "filter",
      setting('filter "x"', "clean = CANARY\n\tsmudge = CANARY\n\tprocess = CANARY\n\trequired = true"),
    ],
    ["merge driver", setting('merge "x"', "driver = CANARY")],
    ["gpg.program", setting("gpg", "program = CANARY")],
    ["credential.helper", setting("credential", "helper = !CANARY")],
    ["alias", setting("alias", "repack = !CANARY\n\tpack-objects = !CANARY\n\tlog = !CANARY")],
    ["packObjectsHook", setting("uploadpack", "packObjectsHook = CANARY")],
    ["recentObjectsHook", setting("gc", "recentObjectsHook = CANARY")],
    ["include", setting("include", "path = OUTSIDE/config")],
    [
      "promisor remote",
      setting('remote "evil"', "url = ext::CANARY\n\tpromisor = true\n\tpartialclonefilter = blob:none"),
    ],
    ["config as a link", (it) => (fs.rmSync(it.at("config")), fs.symlinkSync(it.program, it.at("config")))],
    [
      "config.worktree",
      (it) => fs.writeFileSync(it.at("config.worktree"), `[core]\n\tfsmonitor = ${it.program}\n`),
    ],
    ["commondir", (it) => fs.writeFileSync(it.at("commondir"), it.outside)],
    ["hook reference-transaction", hook("reference-transaction")],
    ["hook pre-auto-gc", hook("pre-auto-gc")],
    ["hook post-commit", hook("post-commit")],
    [
      "attributes",
      (it) => (
        fs.mkdirSync(it.at("info")),
        fs.writeFileSync(it.at("info/attributes"), "* filter=x diff=x\n")
      ),
    ],
    [
      "alternates",
      (it) => (
        fs.mkdirSync(it.at("objects/info")),
        fs.writeFileSync(it.at("objects/info/alternates"), it.outside)
      ),
    ],
    [
      "replaced objects",
      (it) => (
        fs.mkdirSync(it.at("refs/replace")),
        fs.writeFileSync(it.at(`refs/replace/${it.ids[2]}`), `${it.ids[0]}\n`)
      ),
    ],
    [
      "grafts",
      (it) => (fs.mkdirSync(it.at("info")), fs.writeFileSync(it.at("info/grafts"), `${it.ids[2]}\n`)),
    ],
  ])("%s", async (_, plant) => {
    const it = await planted();
    plant(it);
    const { log, troubles } = await useAll(it);
    expect(log).toHaveLength(4);
    expect(troubles.join()).toMatch(/is not ours; it was put into its folder "set-aside"/);
  });

  test("the user's own .git is not looked at, be it a folder, a file or a link", async () => {
    for (const plant of [
      (it: Planted) => (
        fs.mkdirSync(join(it.root, ".git")),
        fs.writeFileSync(join(it.root, ".git/config"), `[core]\n\tfsmonitor = ${it.program}\n`)
      ),
      (it: Planted) => fs.writeFileSync(join(it.root, ".git"), `gitdir: ${it.outside}\n`),
      (it: Planted) => fs.symlinkSync(it.outside, join(it.root, ".git")),
    ]) {
      const it = await planted();
      plant(it);
      expect((await useAll(it)).log).toHaveLength(4);
    }
  });
});

test("opening and reading write nothing", async () => {
  const root = newFolder();
  const history = openAt(root, await newLedger());
  await history.log({ limit: 1 });
  await history.tidy();
  await history.close();
  expect(fs.readdirSync(root)).toEqual([]);
});

const raw = (mode: string, name: string, id: string): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]);

test("commits of others with odd trees bring no odd paths into the ledger", async () => {
  const it = await planted();
  const run = (input: string, ...args: string[]) =>
    execFileSync("git", [`--git-dir=${join(it.root, HISTORY)}`, ...args], { input, encoding: "utf8" }).trim();
  const blob = run("evil", "hash-object", "-w", "--stdin");
  const tree = (...rows: Buffer[]) =>
    execFileSync(
      "git",
      [`--git-dir=${join(it.root, HISTORY)}`, "hash-object", "-w", "-t", "tree", "--literally", "--stdin"],
      { input: Buffer.concat(rows), encoding: "utf8" },
    ).trim();
  const inner = tree(raw("100644", "x.md", blob));
  const root = tree(
    raw("40000", "..", inner),
    raw("40000", ".git", inner),
    raw("100644", "/etc/x.md", blob),
    raw("120000", "link.md", blob),
    raw("160000", "module.md", blob),
    raw("100644", "plain.md", blob),
  );
  const commit = run("odd\n", "commit-tree", root, "-p", "main");
  run("", "update-ref", "refs/heads/main", commit);
  const history = openAt(it.root, it.ledger);
  const [newest] = await history.log({ limit: 1 });
  expect(newest!.id).toBe(commit);
  expect(newest!.changes.map(({ path }) => path)).toEqual(["folder/a.md", "plain.md"]);
  await history.close();
});

test("trees that unfold without end are cut off", async () => {
  const it = await planted();
  const dir = `--git-dir=${join(it.root, HISTORY)}`;
  const write = (input: Buffer) =>
    execFileSync("git", [dir, "hash-object", "-w", "-t", "tree", "--literally", "--stdin"], {
      input,
      encoding: "utf8",
    }).trim();
  let id = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  write(Buffer.alloc(0));
  for (let depth = 0; depth < 12; depth++)
    id = write(
      Buffer.concat(
        Array.from({ length: 10 }, (_, at) =>
          Buffer.concat([Buffer.from(`40000 ${at}\0`), Buffer.from(id, "hex")]),
        ),
      ),
    );
  const commit = execFileSync("git", [dir, "commit-tree", id, "-p", "main", "-m", "bomb"], {
    encoding: "utf8",
  }).trim();
  execFileSync("git", [dir, "update-ref", "refs/heads/main", commit]);
  const history = openAt(it.root, it.ledger);
  expect((await history.log({ limit: 1 }))[0]).toMatchObject({ id: commit, changes: [] });
  await history.close();
});

describe("the git program", () => {
  test("is taken from the system's places, not from the vault or from a relative one", () => {
    const vault = newFolder();
    const system = newFolder();
    fs.mkdirSync(join(vault, "bin"));
    for (const folder of [vault, join(vault, "bin"), system])
      fs.writeFileSync(join(folder, "git"), "#!/bin/sh\n", { mode: 0o755 });
    expect(findGit(vault, ["", ".", "bin", vault, join(vault, "bin"), system].join(delimiter))).toBe(
      join(system, "git"),
    );
    expect(findGit(vault, [".", vault].join(delimiter))).toBe(null);
  });

  test("packs what is loose, and the history reads on", async () => {
    const it = await planted();
    const history = openAt(it.root, it.ledger);
    expect(await history.tidy()).toBe(true);
    const loose = fs
      .readdirSync(it.at("objects"))
      .filter((name) => name.length === 2 && fs.readdirSync(it.at(`objects/${name}`)).length > 0);
    expect(loose).toEqual([]);
    const other = openAt(it.root, await newLedger());
    expect(new TextDecoder().decode((await other.read("folder/a.md" as NotePath, it.ids[0]!))!)).toBe("one");
    expect(await other.tidy()).toBe(false);
    await history.close();
    await other.close();
  });
});
