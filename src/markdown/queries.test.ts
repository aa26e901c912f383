import { describe, expect, test } from "vitest";
import { mayHoldQueries, namesIn, queryBlocks } from "./queries.ts";

describe("the queries of a note", () => {
  test.each<[string, string, string[]]>([
    ["a block of Dataview", '```dataview\nTABLE FROM "Area"\n```\n', ['TABLE FROM "Area"']],
    ["one that runs", "~~~ dataviewjs\ndv.pages()\n~~~\n", ["dv.pages()"]],
    ["a base", "text\r\n```base\r\nfilters: x\r\n```\r\nmore", ["filters: x"]],
    ["in a callout", "> [!note]\n> ```dataview\n> LIST\n> ```\n", ["> LIST"]],
    ["one that is not closed", "````dataview\nLIST\n```\n", ["LIST\n```\n"]],
    ["two", "```base\na\n```\n```js\nb\n```\n```DATAVIEW\nc\n```\n", ["a", "c"]],
    ["none", "```js\nbase\n```\n`dataview`\n```database\nx\n```\n", []],
  ])("%s", (_, text, blocks) => {
    expect(queryBlocks(text)).toEqual(blocks);
    if (blocks.length > 0) expect(mayHoldQueries(text)).toBe(true);
  });
});

test("the names in a query are what stands in quotes and brackets", () => {
  const query = `filters:
  and:
    - file.inFolder("Area/sub")
    - 'file.path.startsWith("Old/")'
    - "file.hasLink(\\"Plan\\")"
    - file.folder == 'New'
FROM [[Home#Part|x]] AND #tag`;
  expect(namesIn(query)).toEqual(expect.arrayContaining(["Area/sub", "Old/", "Plan", "New", "Home"]));
  expect(namesIn('"'.repeat(5000))).toEqual([]);
  expect(namesIn(Array.from({ length: 3000 }, (_, at) => `"${at}"`).join("\n"))).toHaveLength(1000);
});
