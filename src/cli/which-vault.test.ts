import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { insideVault } from "./named-note.ts";
import type { Environment } from "./settings.ts";
import { isVaultWord, vaultAround, vaultOf } from "./which-vault.ts";

const scratch = mkdtempSync(join(tmpdir(), "notewright-which-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const folder = (...parts: string[]): string => {
  const path = join(scratch, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
};
const vault = folder("vault");
folder("vault", ".obsidian");
const projects = folder("vault", "Projects");
const inner = folder("vault", "Inner");
folder("vault", "Inner", ".notewright");
const elsewhere = folder("elsewhere");
const other = folder("other");
writeFileSync(join(scratch, "a-file"), "x");

const bare = (more: Environment = {}): Environment => ({ XDG_CONFIG_HOME: join(scratch, "none"), ...more });
const configured = (): Environment => {
  writeFileSync(join(folder("config", "notewright"), "config.json"), JSON.stringify({ vault: other }));
  return { XDG_CONFIG_HOME: join(scratch, "config") };
};

test.each([
  ["/a", "obsidian", { NOTEWRIGHT_VAULT: "/b", OBSIDIAN_VAULT_PATH: "/c" }, "/a", "argument"],
  [undefined, "obsidian", { NOTEWRIGHT_VAULT: "/b", OBSIDIAN_VAULT_PATH: "/c" }, "/c", "environment"],
  [undefined, "native", { NOTEWRIGHT_VAULT: "/b", OBSIDIAN_VAULT_PATH: "/c" }, "/b", "environment"],
  [undefined, "obsidian", { NOTEWRIGHT_VAULT: "/b" }, "/b", "environment"],
  [undefined, "obsidian", { OBSIDIAN_VAULT_PATH: "/c" }, "/c", "environment"],
  [undefined, undefined, { NOTEWRIGHT_VAULT: "/b" }, "/b", "environment"],
  ["~/Notes", "notes", {}, join(homedir(), "Notes"), "argument"],
  [undefined, undefined, {}, vault, "around"],
  [undefined, "native", {}, vault, "around"],
] as const)("the vault from %j for %s with %j is %s, by %s", (argument, surface, environment, root, by) => {
  const asked = { environment: bare(environment), cwd: projects, ...(surface ? { surface } : {}) };
  expect(vaultOf(argument, asked)).toEqual({ root, by });
});

test("outside a vault it is that of the settings file, or none", () => {
  expect(vaultOf(undefined, { environment: configured(), cwd: elsewhere })).toEqual({
    root: other,
    by: "settings",
  });
  expect(vaultOf(undefined, { environment: bare(), cwd: elsewhere })).toBeNull();
  expect(vaultOf(undefined, { environment: bare({ OBSIDIAN_VAULT_PATH: "/c" }), cwd: null })).toBeNull();
});

test("a command takes the vault it is called in, a server that of the settings, and notes in memory none", () => {
  const environment = configured();
  expect(vaultOf(undefined, { environment, cwd: projects })?.root).toBe(vault);
  expect(vaultOf(undefined, { environment, cwd: projects, surface: "native" })?.root).toBe(other);
  expect(vaultOf(undefined, { environment: bare(), cwd: projects, surface: "notes" })).toBeNull();
});

test("the nearest vault upwards counts", () => {
  expect(vaultAround(join(inner, "deep", "deeper"))).toBe(inner);
  expect(vaultAround(projects)).toBe(vault);
  expect(vaultAround(elsewhere)).toBeNull();
});

test.each([
  [elsewhere, vault, true],
  [elsewhere, "../vault", true],
  [scratch, "vault", true],
  [scratch, "a-file", false],
  [scratch, "none", false],
  [vault, "Projects", false],
  [vault, "./Projects", true],
  [vault, ".", true],
  [vault, "Inner", true],
  [projects, "../../other", true],
  [null, vault, true],
])("from %s the word %s is a vault: %s", (cwd, word, is) => {
  expect(isVaultWord(word, cwd)).toBe(is);
});

test.each([
  [projects, "Plan.md", "Projects/Plan.md"],
  [projects, "./Plan.md#Next steps", "Projects/Plan.md#Next steps"],
  [elsewhere, join(projects, "Plan.md"), "Projects/Plan.md"],
  [projects, "Plan", "Plan"],
  [projects, "Other.md", "Other.md"],
  [elsewhere, "Plan.md", "Plan.md"],
  [vault, "../a-file", "../a-file"],
])("from %s, %s is %s of the vault", (cwd, written, path) => {
  writeFileSync(join(projects, "Plan.md"), "x");
  expect(insideVault(written, vault, cwd)).toBe(path);
});
