import { expect, test } from "vitest";
import { DEPTH_LIMIT, tooNested, VALUE_LIMIT } from "./nesting.ts";

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const wide = (values: number) => `[${"0,".repeat(values)}0]`;

test.each([
  ["as deep as may be", deep(DEPTH_LIMIT), null],
  ["one deeper", deep(DEPTH_LIMIT + 1), /200 levels/],
  ["objects count too", '{"a":'.repeat(DEPTH_LIMIT + 1), /200 levels/],
  ["beside each other", `[${"[[]],".repeat(1000)}0]`, null],
  ["as many as may be", wide(VALUE_LIMIT - 1), null],
  ["one more", wide(VALUE_LIMIT), /200000 values/],
  ["brackets in a string", JSON.stringify(deep(1000)), null],
  ["commas in a string", JSON.stringify(",".repeat(2 * VALUE_LIMIT)), null],
  ["after quotes that are escaped", `{"a":"\\"${deep(1000)}\\\\\\"","b":1}`, null],
  ["after a string that ends with a backslash", `{"a":"\\\\","b":${deep(1000)}}`, /200 levels/],
  ["a string without end", `["${deep(1000)}`, null],
])("%s", (_, line, said) => {
  const found = tooNested(line);
  if (said === null) expect(found).toBeNull();
  else expect(found).toMatch(said);
});
