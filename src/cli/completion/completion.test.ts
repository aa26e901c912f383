/** Completion and the manual have every command and flag that help has; the shells that are here are asked what they offer. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "../commands.ts";
import { manualPage } from "../manual.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { offeredCommands } from "./offers.ts";
import { zshScript } from "./zsh.ts";

const offered = offeredCommands();

/** The part of a script that is about one command. */
const partOf = (script: string, name: string, parted: RegExp): string =>
  script.split(parted).find((part) => part.startsWith(`${name})`)) ?? "";

test("every shell offers every command and flag", () => {
  const [bash, zsh, fish] = [bashScript(offered), zshScript(offered), fishScript(offered)];
  for (const [name, { flags }] of Object.entries(COMMANDS)) {
    expect(fish).toContain(` -a ${name} -d `);
    for (const flag of Object.keys(flags)) {
      expect(partOf(bash, name, /^ {2}(?=[a-z]+\)$)/m), name).toMatch(new RegExp(`['\n]--${flag}['\n]`));
      expect(partOf(zsh, name, /^ {4}(?=[a-z]+\) _arg)/m), name).toMatch(new RegExp(`'--${flag}[=[]`));
      expect(fish).toContain(`_does ${name}' -l ${flag} `);
    }
  }
});

test("man/notewright.1 is what help says (npm run docs)", () => {
  const page = manualPage();
  if (process.env["PAGES"] === "write") writeFileSync("man/notewright.1", page);
  expect(existsSync("man/notewright.1") && readFileSync("man/notewright.1", "utf8")).toBe(page);
  for (const [name, { flags }] of Object.entries(COMMANDS)) {
    expect(page).toContain(`.SS "notewright ${name}`);
    for (const flag of Object.keys(flags)) expect(page).toContain(`\\-\\-${flag.replaceAll("-", "\\-")}`);
  }
});

/** A folder to complete in; it goes when the test ends. */
const completing = (script: string, files: Record<string, string> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-completion-"));
  mkdirSync(join(folder, "My notes"));
  writeFileSync(join(folder, "My file"), "");
  for (const [name, text] of Object.entries({ script, ...files })) writeFileSync(join(folder, name), text);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  /** What a shell prints, line by line. */
  return (shell: string, ...args: string[]): string[] =>
    execFileSync(shell, args, { cwd: folder, encoding: "utf8", env: { ...process.env, HOME: folder } })
      .split(/\r?\n/)
      .filter(Boolean);
};

/** Who asks what, and what every shell must offer: nothing else begins so. */
const ASKED: [words: string[], offered: string[]][] = [
  [["ser"], ["serve"]],
  [["--ver"], ["--version"]],
  [["serve", "--dur"], ["--durability"]],
  [
    ["serve", "--durability", ""],
    ["full", "fast"],
  ],
  [["serve", "--tools", "ob"], ["obsidian"]],
  [
    ["install", "--client", "c"],
    ["claude-desktop", "claude-code", "cursor"],
  ],
  [
    ["token", ""],
    ["add", "list", "remove"],
  ],
  [["serve", "My"], ["My notes"]],
  [["find", "undo", "--li"], ["--limit"]],
  [["help", "und"], ["undo"]],
];
/** A folder may be written with its slash, and a space as the shell wants it. */
const inOrder = (words: string[]): string[] =>
  [...new Set(words.map((word) => word.replace(/\/$/, "").replaceAll("\\ ", " ")))].toSorted();
const COMMAND_NAMES = [...Object.keys(COMMANDS), "help"];

test("bash offers commands, flags, their values and folders", () => {
  const print = completing(bashScript(offered));
  const asked = (...words: string[]): string[] =>
    print(
      "bash",
      "--norc",
      "-c",
      'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _notewright; printf "%s\\n" "${COMPREPLY[@]}"',
      "bash",
      "notewright",
      ...words,
    );
  for (const [words, expected] of ASKED)
    expect(inOrder(asked(...words)), words.join(" ")).toEqual(inOrder(expected));
  expect(asked("")).toEqual(expect.arrayContaining(COMMAND_NAMES));
});

/** An interactive zsh that writes down all that it would offer, whenever Tab is pressed. */
const ZSH_INSIDE = `
autoload -Uz compinit
compinit -u -D
source ./script
compadd() {
  if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
    local -a hits
    builtin compadd -O hits "$@"
    print -rl -- $hits >> hits
  fi
  builtin compadd "$@"
}
ask() { zle complete-word; BUFFER=; print '<end>' }
zle -N ask
bindkey '^I' ask
print '<end>'
`;
/** Types each question into it, and Tab. */
const ZSH_OUTSIDE = `
zmodload zsh/zpty
zpty z zsh -f
zpty -w z 'source ./inside'
zpty -r z out '*<end>*'
for question; do
  print -r "> $question" >> hits
  zpty -w -n z "$question"$'\\t'
  zpty -r z out '*<end>*'
done
zpty -d z
cat hits
`;

const isInstalled = (shell: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, shell)));

test.runIf(isInstalled("fish"))("fish offers the same", () => {
  const print = completing(fishScript(offered));
  const asked = (...words: string[]): string[] =>
    print(
      "fish",
      "--no-config",
      "-c",
      "source ./script; complete -C $argv[1]",
      `notewright ${words.join(" ")}`,
    ).map((line) => line.split("\t")[0]!);
  for (const [words, expected] of ASKED)
    expect(inOrder(asked(...words)), words.join(" ")).toEqual(inOrder(expected));
  expect(asked("")).toEqual(expect.arrayContaining(COMMAND_NAMES));
});

test.runIf(isInstalled("zsh"))("zsh offers the same", () => {
  const print = completing(zshScript(offered), { inside: ZSH_INSIDE });
  const questions = [...ASKED.map(([words]) => words), [""]].map((words) => `notewright ${words.join(" ")}`);
  const answers = print("zsh", "-f", "-c", ZSH_OUTSIDE, "zsh", ...questions)
    .join("\n")
    .split(/^> /m)
    .slice(1)
    .map((answer) => answer.split("\n").slice(1).filter(Boolean));
  expect(answers).toHaveLength(questions.length);
  for (const [at, [words, expected]] of ASKED.entries())
    expect(inOrder(answers[at]!), words.join(" ")).toEqual(inOrder(expected));
  expect(answers.at(-1)).toEqual(expect.arrayContaining(COMMAND_NAMES));
});
