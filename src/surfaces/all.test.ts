import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadSurface, loadSurfaces, surfaceNames } from "./all.ts";
import type { Surface } from "./surface.ts";

const surfaces = await loadSurfaces();

type Parameter = { type: string; default?: unknown; enum?: unknown; items?: unknown };
type Published = { name: string; parameters: Record<string, Parameter>; required: string[] };

const published = (surface: Surface): Published[] =>
  (
    JSON.parse(readFileSync(new URL(`${surface.name}/spec.json`, import.meta.url), "utf8")) as {
      tools: Published[];
    }
  ).tools;

/** A tool as its spec would publish it: names, types, choices, defaults; not descriptions, which are ours. */
const shown = (surface: Surface): Published[] =>
  surface.tools.map((tool) => {
    const schema = z.toJSONSchema(tool.advertised ?? tool.input, { io: "input" });
    const properties = Object.entries(schema.properties ?? {}) as [string, Parameter][];
    const parameters = properties.map(([name, { type, default: value, enum: choices, items }]) => [
      name,
      {
        type,
        ...(value === undefined ? {} : { default: value }),
        ...(choices === undefined ? {} : { enum: choices }),
        ...(items === undefined ? {} : { items }),
      },
    ]);
    return { name: tool.name, parameters: Object.fromEntries(parameters), required: schema.required ?? [] };
  });

const HERE = new URL(".", import.meta.url);
const ofKind = (folder: string, directory: boolean): string[] =>
  readdirSync(new URL(folder, HERE), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() === directory)
    .map(({ name }) => name);

test("every folder is a surface of the list", () => {
  expect(ofKind(".", true).toSorted()).toEqual(surfaceNames.toSorted());
});

test.each(surfaceNames)("%s has the shape of every surface", (name) => {
  const files = ofKind(name, false);
  for (const file of [`${name}.ts`, "address.ts", "say.ts", "explain.ts", "spec.json"])
    expect(files).toContain(file);
  expect(ofKind(name, true)).toEqual(["tools"]);
  const declaring = files.filter((file) =>
    /\btool\(\{/.test(readFileSync(new URL(`${name}/${file}`, HERE), "utf8")),
  );
  expect(declaring).toEqual([]);
});

test("each can be loaded alone, by its name", async () => {
  expect(surfaceNames).toEqual(surfaces.map(({ name }) => name));
  for (const surface of surfaces) expect(await loadSurface(surface.name)).toBe(surface);
  for (const name of ["toString", "", "nativ"]) expect(await loadSurface(name)).toBe(null);
});

describe.each(surfaces)("$name", (surface) => {
  const spec = published(surface);
  test("its tools are those of the spec, in its order", () => {
    expect(shown(surface).map((tool) => tool.name)).toEqual(spec.map((tool) => tool.name));
  });
  test.each(spec)("$name takes what the spec says, in its order", (wanted) => {
    const tool = shown(surface).find(({ name }) => name === wanted.name);
    expect(tool).toEqual(wanted);
    expect(Object.keys(tool!.parameters)).toEqual(Object.keys(wanted.parameters));
  });
  test("every tool says what it does, and whether it changes anything", () => {
    for (const tool of surface.tools) {
      expect(tool.description.length).toBeGreaterThan(10);
      expect(tool.annotations.openWorldHint).toBe(false);
    }
  });
});
