/** docs/TOOLS.md: made from the surfaces, and out of date as soon as it differs. `npm run docs` writes it. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entriesOf, type Entry } from "../src/protocol/entries.ts";
import type { Annotations, Surface } from "../src/surfaces/surface.ts";
import { covers, type Cover } from "./native-covers.ts";
import { surfaces } from "./surfaces.ts";

const PAGE = "docs/TOOLS.md";

const does = (annotations: Annotations): string => {
  if (annotations.readOnlyHint) return "reads";
  return annotations.destructiveHint ? "changes or removes what is there" : "adds, and takes nothing away";
};
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

type Property = { type?: string | string[]; enum?: unknown[]; default?: unknown; description?: string };

const parameters = ({ schema }: Entry): string[] => {
  const rows = Object.entries((schema.properties ?? {}) as Record<string, Property>);
  if (rows.length === 0) return ["No parameters."];
  return [
    "| parameter | type | | |",
    "| --- | --- | --- | --- |",
    ...rows.map(([name, property]) => {
      const type = property.enum
        ? property.enum.map((value) => JSON.stringify(value)).join(", ")
        : [property.type ?? "any"].flat().join(", ");
      const fallback =
        property.default === undefined ? "optional" : `default \`${JSON.stringify(property.default)}\``;
      const need = schema.required?.includes(name) ? "required" : fallback;
      return `| \`${name}\` | ${cell(type)} | ${cell(need)} | ${cell(property.description ?? "")} |`;
    }),
  ];
};

const toolPart = (entry: Entry): string => {
  const { tool } = entry;
  const also = tool.aliases?.length
    ? ` Also answers to ${tool.aliases.map((name) => `\`${name}\``).join(", ")}.`
    : "";
  return [
    `### ${tool.name}`,
    "",
    tool.description,
    "",
    `*${does(tool.annotations)}*${also ? `.${also}` : ""}`,
    "",
    ...parameters(entry),
  ].join("\n");
};

const surfacePart = (surface: Surface): string =>
  [
    `## ${surface.name}`,
    `\`notewright serve VAULT --tools ${surface.name}\`: ${surface.tools.length} tools.`,
    surface.instructions.trim(),
    ...entriesOf(surface).map(toolPart),
  ].join("\n\n");

const coverRow = ({ surface, tool, part, call, input }: Cover): string =>
  `| ${surface} | ${tool}${part === undefined ? "" : ` (${cell(part)})`} | \`${call}\` | \`${cell(JSON.stringify(input))}\` |`;

const coverPart = [
  "## From the other surfaces to native",
  "What each tool of the five published surfaces does, as a call of the native one. Every row is run by a test; words in braces stand for a handle or revision that an earlier answer gave.",
  [
    "| surface | tool | native tool | for example |",
    "| --- | --- | --- | --- |",
    ...covers.map(coverRow),
  ].join("\n"),
].join("\n\n");

const page = `${[
  "# Tools",
  "Every tool of every surface, made from the source by `npm run docs`. A surface is one published set of tools; a server speaks one.",
  ...surfaces.map(surfacePart),
  coverPart,
].join("\n\n")}\n`;

test("docs/TOOLS.md is what the surfaces say (npm run docs)", () => {
  if (process.env["PAGES"] === "write") writeFileSync(PAGE, page);
  expect(existsSync(PAGE) && readFileSync(PAGE, "utf8")).toBe(page);
});

test("tools are named, described and marked as clients need them", () => {
  for (const surface of surfaces) {
    const names = surface.tools.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]);
    expect(new Set(names).size).toBe(names.length);
    for (const { wire } of entriesOf(surface)) {
      expect(wire.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(wire.description?.length).toBeGreaterThan(10);
      expect(wire.title).toMatch(/^[A-Z]/);
      expect(wire.annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        openWorldHint: false,
      });
      expect(wire.inputSchema.type).toBe("object");
    }
  }
});
