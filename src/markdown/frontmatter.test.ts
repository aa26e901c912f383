import { describe, expect, test } from "vitest";
import { readFront, type Fields } from "./frontmatter.ts";

const fieldsOf = (yaml: string) => readFront(`---\n${yaml}\n---\nbody`);
const plain = (fields: Fields) => JSON.parse(JSON.stringify(fields)) as unknown;

describe("the block", () => {
  test.each([
    ["---\na: 1\n---\nbody", { bodyStart: 13, bodyLine: 4, yaml: { start: 4, end: 9 } }],
    ["---\r\na: 1\r\n---\r\nbody", { bodyStart: 16, bodyLine: 4, yaml: { start: 5, end: 11 } }],
    ["\uFEFF---  \t\na: 1\n---  \nbody", { bodyStart: 19, bodyLine: 4, yaml: { start: 8, end: 13 } }],
    ["---\na: 1\n...\nbody", { bodyStart: 13, bodyLine: 4, yaml: { start: 4, end: 9 } }],
    ["---\n---\n", { bodyStart: 8, bodyLine: 3, yaml: { start: 4, end: 4 } }],
    ["---\na: 1\n---", { bodyStart: 12, bodyLine: 3, yaml: { start: 4, end: 9 } }],
    ["---\na: |\n ---\n---\n", { bodyStart: 18, bodyLine: 5, yaml: { start: 4, end: 14 } }],
  ])("%j is found", (text, front) => {
    expect(readFront(text).front).toEqual({ ...front, trouble: null });
  });

  test.each([
    "",
    "body",
    "---",
    "---\n",
    "---\na: 1\n",
    "---\na: 1\n--- x\n",
    "---\na: 1\n----\n",
    "---js\nmodule.exports = { a: 1 }\n---\n",
    "---json\n{}\n---\n",
    "---coffee\na: 1\n---\n",
    " ---\na: 1\n---\n",
    "\n---\na: 1\n---\n",
    "+++\na = 1\n+++\n",
  ])("%j has none", (text) => {
    const { front, fields } = readFront(text);
    expect(front).toEqual({ bodyStart: 0, bodyLine: 1, yaml: null, trouble: null });
    expect(Object.keys(fields)).toEqual([]);
  });

  test("a body without a block begins after the byte order mark", () => {
    expect(readFront("\uFEFFbody").front.bodyStart).toBe(1);
  });
});

describe("values", () => {
  test.each([
    ["2024-01-15", "2024-01-15"],
    ["2024-01-15T10:30:00Z", "2024-01-15T10:30:00Z"],
    ["12:30", "12:30"],
    ["yes", "yes"],
    ["Off", "Off"],
    ["1.10", "1.10"],
    ["1e3", "1e3"],
    ["0123", "0123"],
    ["0x1F", "0x1F"],
    ["+1", "+1"],
    ["1_000", "1_000"],
    [".5", ".5"],
    [".inf", ".inf"],
    ["Infinity", "Infinity"],
    ["NaN", "NaN"],
    ["-0", "-0"],
    ["12345678901234567890", "12345678901234567890"],
    ["5", 5],
    ["-2.5", -2.5],
    ["1e+21", 1e21],
    ["true", true],
    ["False", false],
    ["null", null],
    ["~", null],
    ["", null],
    ['"5"', "5"],
    ["'true'", "true"],
    ["!!str 5", "5"],
    ["[[Home]]", [["Home"]]],
    ['"[[Home]]"', "[[Home]]"],
    ["{{date}}", { "{date}": null }],
    ["{{date:YYYY-MM}}", { "{date:YYYY-MM}": null }],
    ["[a, 1, no]", ["a", 1, "no"]],
    ["{x: {y: 1.0}}", { x: { y: "1.0" } }],
    ["|\n  one\n  two", "one\ntwo\n"],
    [">-\n  one\n  two", "one two"],
    ["one\n  two", "one two"],
    ["1\n  2", "1 2"],
  ])("%j reads as %j", (written, value) => {
    const { front, fields } = fieldsOf(`a: ${written}`);
    expect(front.trouble).toBe(null);
    expect(plain(fields)).toEqual({ a: value });
  });

  test("an alias repeats its anchor", () => {
    expect(plain(fieldsOf("a: &x [1]\nb: *x").fields)).toEqual({ a: [1], b: [1] });
  });

  test.each(["# only a comment", "", "\n\n"])("%j is an empty block", (yaml) => {
    const { front, fields } = fieldsOf(yaml);
    expect([front.trouble, Object.keys(fields)]).toEqual([null, []]);
  });

  test("names of an object's own machinery are names like any other", () => {
    const { fields } = fieldsOf(
      "__proto__: {x: 1}\nconstructor: 2\ntoString: 3\nm: {__proto__: {polluted: 1}, 5: a}",
    );
    expect(Object.keys(fields)).toEqual(["__proto__", "constructor", "toString", "m"]);
    expect(Object.getPrototypeOf(fields)).toBe(null);
    expect(Object.getPrototypeOf(fields["m"])).toBe(null);
    expect(Object.keys(fields["m"] as Fields).toSorted()).toEqual(["5", "__proto__"]);
    expect(({} as { polluted?: number }).polluted).toBe(undefined);
  });
});

describe("a block that cannot be read", () => {
  const size = 120_000;
  const bomb = [..."bcdefghij"]
    .map((name, i) => `${name}: &${name} [${`*${"abcdefghi"[i]},`.repeat(9)}]`)
    .join("\n");
  test.each([
    ["a: 1\na: 2", /twice/],
    ["m: {a: 1, 'a': 2}", /twice/],
    ["a: !!js/function x", /tag/i],
    ["a: !!omap [x: 1]", /tag/i],
    ["a: !custom x", /tag/i],
    ["a: !!binary aGk=", /tag/i],
    ["x: &x {a: 1}\n<<: *x", /merge/],
    ["- a\n- b", /name: value/],
    ["just text", /name: value/],
    ["a: *b", /anchor/],
    ["a: &a [*a]", /anchor/],
    ["x: &x a\n*x : b", /key/],
    ["a: [1", /line/],
    ['a: "x', /line/],
    ["a:\n\t- b", /line/],
    ["a: b: c", /line/],
    ["a: 1\n--- b", /document/],
    ["%YAML 1.1", /line/],
    [`a: &a [x,x,x,x,x,x,x,x,x]\n${bomb}`, /aliases/],
    [`a: ${"[".repeat(50_000)}${"]".repeat(50_000)}`, /parts/],
    [`a: ${"[".repeat(4000)}${"]".repeat(4000)}`, /deep/],
    [`a: ${"[".repeat(60)}${"]".repeat(60)}`, /deep/],
    [`a:\n  ${"- ".repeat(50_000)}x`, /parts/],
    [`a: ${"{a: ".repeat(30_000)}`, /parts/],
    ["]".repeat(size), /./],
    [`a: [${"x,".repeat(size / 2)}]\nb: {}`, /parts/],
    [`a: ${"x".repeat(10_000_000)}`, /longer/],
    [`a:\n${"  - x\n".repeat(1_500_000)}`, /longer/],
  ])("%#", (yaml, reason) => {
    const { front, fields } = fieldsOf(yaml);
    expect(front.trouble).toMatch(reason);
    expect(front.trouble!.length).toBeLessThan(300);
    expect(Object.keys(fields)).toEqual([]);
    expect(front.yaml).toEqual({ start: 4, end: 4 + yaml.length + 1 });
  });
});
