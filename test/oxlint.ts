/** One rule of the linter, asked by a test: which files break it, where and how. */

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Runs a program of a package that ends with 1 where it has found something; what it found is on stdout. */
export const runFinder = (name: string, script: string, args: readonly string[]): Promise<string> =>
  new Promise((done, failed) => {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    execFile(process.execPath, [join(folder, script), ...args], { maxBuffer: 2 ** 26 }, (error, out) =>
      error && out === "" ? failed(error) : done(out),
    );
  });

export type Finding = { path: string; line: number; message: string };

/** `settings` are those of the linter's own file, beside the rule. */
export const broken = async (
  rule: Record<string, unknown>,
  paths: readonly string[],
  settings: Record<string, unknown> = {},
): Promise<Finding[]> => {
  const folder = mkdtempSync(join(tmpdir(), "oxlint-"));
  try {
    const file = join(folder, "oxlint.json");
    writeFileSync(file, JSON.stringify({ categories: { correctness: "off" }, rules: rule, ...settings }));
    const out = await runFinder("oxlint", "bin/oxlint", ["-c", file, "--format", "json", ...paths]);
    const { diagnostics } = JSON.parse(out) as {
      diagnostics: { filename: string; message: string; labels: { span: { line: number } }[] }[];
    };
    return diagnostics.map(({ filename, message, labels }) => ({
      path: filename,
      line: labels[0]?.span.line ?? 0,
      message,
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
};
