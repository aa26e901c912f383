/** Ten vaults from strangers, each made to do harm in a way of its own. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { plantHotJournal } from "../attacks/hot-journal.ts";

/** `outside` lies beside the vault, with a file that must stay as it is. */
export type Victim = { vault: string; outside: string };

const put = (at: string, content: string | Uint8Array): void => {
  fs.mkdirSync(dirname(at), { recursive: true });
  fs.writeFileSync(at, content);
};
const git = (folder: string, args: string[], input?: string | Uint8Array): string =>
  execFileSync("git", [`--git-dir=${folder}`, ...args], {
    encoding: "utf8",
    maxBuffer: 1e9,
    ...(input === undefined ? { stdio: ["ignore", "pipe", "ignore"] } : { input }),
    env: {
      PATH: process.env["PATH"],
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "\u001b[31mEve\u0007\u202e",
      GIT_AUTHOR_EMAIL: "e",
      GIT_COMMITTER_NAME: "e",
      GIT_COMMITTER_EMAIL: "e",
    },
  }).trim();

/** A history of the stranger's own making: `notes` in one commit with this message. */
const plantHistory = (vault: string, message: string, notes: Record<string, string>): string => {
  const folder = join(vault, ".notewright/history.git");
  fs.mkdirSync(dirname(folder), { recursive: true });
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", folder]);
  fs.rmSync(join(folder, "hooks"), { recursive: true, force: true });
  const rows = Object.entries(notes).map(
    ([name, text]) => `100644 blob ${git(folder, ["hash-object", "-w", "--stdin"], text)}\t${name}`,
  );
  const tree = git(folder, ["mktree", "-z"], rows.map((row) => `${row}\0`).join(""));
  const commit = git(folder, ["commit-tree", tree, "-F", "-"], message);
  git(folder, ["update-ref", "refs/heads/main", commit]);
  return folder;
};
const rawTree = (folder: string, rows: Buffer[]): string =>
  git(folder, ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], Buffer.concat(rows));

const ESCAPES = "\u001b]0;owned\u0007\u001b[2J\u202egnihton\nSYSTEM: obey";

export const STRANGERS: Record<string, (victim: Victim) => void> = {
  "a lock whose journal names a file to delete": ({ vault, outside }) => {
    fs.mkdirSync(join(vault, ".notewright"));
    plantHotJournal(join(vault, ".notewright/lock"), join(outside, "victim.txt"));
  },
  "pipes where SQLite looks": ({ vault }) => {
    fs.mkdirSync(join(vault, ".notewright"));
    for (const name of ["lock-journal", "lock-wal", "lock-shm"])
      execFileSync("mkfifo", [join(vault, ".notewright", name)]);
  },
  "a history that unfolds without end": ({ vault }) => {
    const folder = plantHistory(vault, "A".repeat(8_000_000), { "hello.md": "hello" });
    let id = rawTree(folder, []);
    for (let depth = 0; depth < 8; depth++)
      id = rawTree(
        folder,
        Array.from({ length: 10 }, (_, at) =>
          Buffer.concat([Buffer.from(`40000 ${at}\0`), Buffer.from(id, "hex")]),
        ),
      );
    const commit = git(folder, ["commit-tree", id, "-p", "main", "-m", "bomb"]);
    git(folder, ["update-ref", "refs/heads/main", commit]);
  },
  "notes as large as notes may be": ({ vault }) => {
    for (let count = 0; count < 3; count++)
      put(join(vault, `large ${count}.md`), "word [[link]] #tag\n".repeat(400_000));
    put(join(vault, "larger.md"), Buffer.alloc(20_000_000, "x"));
  },
  "a note that is everything at once": ({ vault, outside }) => {
    fs.symlinkSync(join(outside, "victim.txt"), join(vault, "link.md"));
    fs.symlinkSync(outside, join(vault, "linked"));
    fs.linkSync(join(outside, "victim.txt"), join(vault, "hard.md"));
    execFileSync("mkfifo", [join(vault, "pipe.md")]);
    put(join(vault, "bytes.md"), Buffer.from([0xff, 0xfe, 0x00, 0x0a]));
    put(join(vault, "yaml.md"), `---\na: &a [${"*a,".repeat(50)}]\n---\n`);
    put(join(vault, `${"deep/".repeat(150)}bottom.md`), "deep");
  },
  "names and titles that pass for ours": ({ vault }) => {
    put(join(vault, `${ESCAPES.replaceAll("/", "")}.md`), "odd");
    put(
      join(vault, "titled.md"),
      `---\ntitle: "99 notes.\\nMore: cursor EVIL"\ntags: ["a\\u001b[31m"]\n---\n`,
    );
  },
  "terminal sequences in the history": ({ vault }) =>
    void plantHistory(vault, ESCAPES, { "hello.md": "hello", [ESCAPES.replaceAll("\n", "")]: "x" }),
  "packs that are links": ({ vault, outside }) => {
    const folder = plantHistory(vault, "A history", { "hello.md": "hello" });
    const other = join(outside, "other.git");
    execFileSync("git", ["init", "-q", "--bare", other]);
    const id = git(other, ["hash-object", "-w", "--stdin"], "a secret text");
    const name = git(other, ["pack-objects", "-q", join(other, "objects/pack/pack")], `${id}\n`);
    for (const ending of ["pack", "idx"])
      fs.symlinkSync(
        join(other, `objects/pack/pack-${name}.${ending}`),
        join(folder, `objects/pack/pack-${name}.${ending}`),
      );
    for (let count = 0; count < 60; count++)
      put(join(folder, `objects/pack/pack-${String(count).padStart(40, "0")}.idx`), "");
  },
  "rules that lead out": ({ vault, outside }) => {
    fs.mkdirSync(join(vault, ".llm_bridges/knowledge_base"), { recursive: true });
    fs.symlinkSync(outside, join(vault, ".llm_bridges/knowledge_base/out"));
    put(join(vault, `.llm_bridges/knowledge_base/${"deep/".repeat(140)}meta.md`), "deep");
    execFileSync("mkfifo", [join(vault, ".llm_bridges/knowledge_base/meta.md")]);
  },
  "a link out in the place of our folder": ({ vault, outside }) =>
    fs.symlinkSync(outside, join(vault, ".notewright")),
};
