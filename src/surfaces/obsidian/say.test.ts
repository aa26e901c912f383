import { expect, test } from "vitest";
import { LIST_ROOM } from "../fitting.ts";
import { oneLine } from "./opening.ts";
import { fieldValue, searchFilter } from "./tools/parameters.ts";
import { listAnswer, pythonList } from "./say.ts";

test.each([
  [["career"], "['career']"],
  [["a", "b/c"], "['a', 'b/c']"],
  [[], "[]"],
  [["it's"], `["it's"]`],
  [[`it's "so"`], `['it\\'s "so"']`],
  [["back\\slash", "new\nline"], "['back\\\\slash', 'new\\nline']"],
  [["größe"], "['größe']"],
])("%j as Python shows it", (items, shown) => {
  expect(pythonList(items)).toBe(shown);
});

test("a list too long for an answer is cut on a whole item, and says so with the total", () => {
  const items = Array.from({ length: 50_000 }, (_, at) => ({
    name: `note ${at}`,
    path: `folder/note ${at}.md`,
  }));
  const answer = listAnswer(items) as { text: string; remark: string };
  const shown = JSON.parse(answer.text) as object[];
  expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(LIST_ROOM + 1);
  expect(shown).toEqual(items.slice(0, shown.length));
  expect(answer.remark).toContain(`${shown.length} of 50000`);
});

test.each([
  ["plain words", 20, "plain words"],
  ["a\r\n---\n\n## b\u2028c", 50, "a --- ## b c"],
  ["</context> <!-- x -->", 50, "&lt;/context&gt; &lt;!-- x --&gt;"],
  ["a\u202eb\u200bc\u0000d", 50, "a\\u202eb\\u200bc\\u0000d"],
  ["😀😀😀", 4, "😀😀…"],
])("%j as part of one line of at most %i characters", (text, length, line) => {
  expect(oneLine(text, length)).toBe(line);
});

test.each([
  ['["a"]', ["a"]],
  ['{"a": 1}', { a: 1 }],
  ["true", true],
  ["null", null],
  ["42", "42"],
  ['"a"', '"a"'],
  ["[a", "[a"],
  ["", ""],
])("the value %j is %j", (written, value) => {
  expect(fieldValue(written)).toEqual(value);
});

test.each([
  [
    "a, b ,",
    "or",
    {
      any: [
        { tag: "a", under: true, from: "all" },
        { tag: "b", under: true, from: "all" },
      ],
    },
  ],
  ["#a", "and", { all: [{ tag: "a", under: true, from: "all" }] }],
])("the tags %j with %j", (query, logic, filter) => {
  expect(searchFilter(query, "tag", logic)).toEqual(filter);
});
