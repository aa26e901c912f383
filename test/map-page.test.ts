/** docs/MAP.md: every file of the source with the sentence it opens with, and out of date as soon as it differs. `npm run docs` writes it. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";

const PAGE = "docs/MAP.md";

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"))
  .toSorted();

const sentence = (file: string): string =>
  /^\/\*\*\s*([\s\S]*?)\s*\*\//
    .exec(readFileSync(`src/${file}`, "utf8"))?.[1]
    ?.replace(/\s*\n\s*\*?\s*/g, " ") ?? "";

const folders = [...new Set(files.map((file) => dirname(file)))].toSorted();
const page = `${[
  "# Map of the source",
  "Every file and the sentence it opens with, made by `npm run docs`. Who may import whom stands in [ARCHITECTURE.md](ARCHITECTURE.md), section 1.",
  ...folders.map((folder) =>
    [
      `## src/${folder}`,
      "",
      ...files
        .filter((file) => dirname(file) === folder)
        .map((file) => `- \`${file.slice(folder.length + 1)}\`: ${sentence(file)}`),
    ].join("\n"),
  ),
].join("\n\n")}\n`;

test("docs/MAP.md is what the files say (npm run docs)", () => {
  if (process.env["PAGES"] === "write") writeFileSync(PAGE, page);
  expect(existsSync(PAGE) && readFileSync(PAGE, "utf8")).toBe(page);
});
