import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { obsidian } from "./obsidian.ts";

type Parameter = { type: string; default?: unknown };
type Published = { name: string; parameters: Record<string, Parameter>; required: string[] };

const spec = JSON.parse(readFileSync(new URL("spec.json", import.meta.url), "utf8")) as {
  tools: Published[];
};

const shown = obsidian.tools.map((tool): Published => {
  const schema = z.toJSONSchema(tool.advertised ?? tool.input, { io: "input" });
  const properties = Object.entries(schema.properties ?? {}) as [string, Parameter][];
  const parameters = properties.map(([name, { type, default: value }]) => [
    name,
    value === undefined ? { type } : { type, default: value },
  ]);
  return { name: tool.name, parameters: Object.fromEntries(parameters), required: schema.required ?? [] };
});

test("the tools are those of the spec, in its order", () => {
  expect(shown.map((tool) => tool.name)).toEqual(spec.tools.map((tool) => tool.name));
});

test.each(spec.tools)("$name takes what the spec says, in its order", (published) => {
  const tool = shown.find((tool) => tool.name === published.name);
  expect(tool).toEqual(published);
  expect(Object.keys(tool!.parameters)).toEqual(Object.keys(published.parameters));
});
