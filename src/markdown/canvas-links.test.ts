import { describe, expect, test } from "vitest";
import { readCanvasLinks } from "./canvas-links.ts";
import { atOnce } from "./steps.ts";

const links = (json: string) =>
  atOnce(readCanvasLinks(json))?.map(
    ({ form, target, anchor, line, context }) => `${form} ${target}${anchor} ${line}: ${context}`,
  );

describe("the links of a canvas", () => {
  test("are the files and backgrounds of its nodes, and the links in their texts, each with its line", () => {
    const json = `{
  "nodes": [
    {"id":"1","type":"file","file":"Area/Plan.md","subpath":"#Goals"},
    {"subpath":"#^block","file":"b.md"},
    {"id":"2","type":"group","background":"img/two.png","label":"[[no link]]"},
    {"id":"3","type":"text","text":"see [[Plan#Goals|it]]\\nand ![](img/one.png) #tag"},
    {"id":"4","type":"link","url":"https://example.com/x.md"}
  ],
  "edges": [{"id":"e","fromNode":"1","toNode":"2","label":"[[no link]]"}],
  "file": "not/a/node.md"
}`;
    expect(links(json)).toEqual([
      "markdown /Area/Plan.md#Goals 3: Area/Plan.md",
      "markdown /b.md#^block 4: b.md",
      "markdown /img/two.png 5: img/two.png",
      "wiki Plan#Goals 6: see [[Plan#Goals|it]]",
      "markdown img/one.png 6: and ![](img/one.png) #tag",
    ]);
  });

  test.each<[string, string, unknown]>([
    ["of an empty one are none", "{}", []],
    ["of what is no JSON are not known", '{"nodes":[{"file":"a.md"', undefined],
    ["of what is no canvas are not known", '{"nodes":"a.md"}', undefined],
    ["of a list are none", '["a.md"]', []],
    ["of a node that names no text are none", '{"nodes":[{"file":["a.md"]},{"text":{"file":"b.md"}},7]}', []],
  ])("%s", (_, json, expected) => {
    expect(links(json)).toEqual(expected);
  });

  test("are counted up to a limit", () => {
    const nodes = Array.from({ length: 10_050 }, (_, at) => ({ file: `${at}.md` }));
    expect(links(JSON.stringify({ nodes }))).toHaveLength(10_000);
  });

  test("are counted up to the same limit where one text holds more than a call takes arguments", () => {
    const nodes = [{ file: "first.md" }, { text: "[[a]] ".repeat(150_000) }, { file: "last.md" }];
    const found = links(JSON.stringify({ nodes }))!;
    expect(found).toHaveLength(10_000);
    expect(found[0]).toContain("/first.md");
    expect(found.at(-1)).toContain("wiki a");
  });
});
