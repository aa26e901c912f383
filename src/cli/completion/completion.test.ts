/** Completion and the manual have every command and flag that help has; bash is asked what it offers. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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
      expect(fish).toContain(`_from ${name}' -l ${flag} `);
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

describe("bash", () => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-bash-"));
  mkdirSync(join(folder, "My notes"));
  writeFileSync(join(folder, "My file"), "");
  writeFileSync(join(folder, "script"), bashScript(offered));
  /** What bash offers for the last of these words. */
  const asked = (...words: string[]): string[] =>
    execFileSync(
      "bash",
      [
        "--norc",
        "-c",
        'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _notewright; printf "%s\\n" "${COMPREPLY[@]}"',
        "bash",
        "notewright",
        ...words,
      ],
      { cwd: folder, encoding: "utf8" },
    )
      .split("\n")
      .filter(Boolean);

  test("commands, flags, their values and folders", () => {
    expect(asked("ser")).toEqual(["serve"]);
    expect(asked("")).toEqual(expect.arrayContaining([...Object.keys(COMMANDS), "help", "--version"]));
    expect(asked("serve", "--dur")).toEqual(["--durability"]);
    expect(asked("serve", "--durability", "")).toEqual(["full", "fast"]);
    expect(asked("serve", "--tools", "ob")).toEqual(["obsidian"]);
    expect(asked("install", "--client", "c")).toEqual(["claude-desktop", "claude-code", "cursor"]);
    expect(asked("token", "")).toEqual(["add", "list", "remove"]);
    expect(asked("serve", "My")).toEqual(["My notes"]);
    expect(asked("help", "und")).toEqual(["undo"]);
    rmSync(folder, { recursive: true, force: true });
  });
});
