/** Counting tokens with a real tokenizer, which is installed beside the benchmark when it is first asked for. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PACKAGE = "gpt-tokenizer@4.0.0";
const ENCODING = "node_modules/gpt-tokenizer/esm/encoding/o200k_base.js";

export async function tokenCounter(): Promise<(text: string) => number> {
  const folder = join(process.cwd(), "node_modules/.cache/notewright-bench/tokenizer");
  if (!existsSync(join(folder, ENCODING))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), "{}");
    const options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
    execFileSync("npm", ["install", ...options, PACKAGE], { cwd: folder, stdio: "ignore", timeout: 300_000 });
  }
  const { countTokens } = (await import(pathToFileURL(join(folder, ENCODING)).href)) as {
    countTokens(text: string): number;
  };
  return countTokens;
}
