import { expect, test } from "vitest";
import { z } from "zod";
import { ADDS, READS, tool } from "../surfaces/surface.ts";
import { checkedArguments, jsonSchema, parameterLine, strictInput } from "./arguments.ts";

const input = z.object({
  name: z.string().describe("Which note"),
  limit: z.int().min(1).default(10),
  dry_run: z.boolean().default(false),
  mode: z.enum(["in", "out"]).optional(),
  note: z.string().nullish(),
});
const writes = tool({ name: "put_note", description: "", annotations: ADDS, input, run: async () => "" });
const reads = tool({ name: "get_note", description: "", annotations: READS, input, run: async () => "" });
const check = (of: typeof writes, given: Record<string, unknown>) => {
  const strict = strictInput(of, of.input);
  return checkedArguments({ tool: of, input: strict, schema: jsonSchema(strict) }, given);
};

test("the schema says what is required and by default, and nothing idle", () => {
  expect(jsonSchema(strictInput(reads, input))).toEqual({
    type: "object",
    properties: {
      name: { type: "string", description: "Which note" },
      limit: { type: "integer", minimum: 1, default: 10 },
      dry_run: { type: "boolean", default: false },
      mode: { type: "string", enum: ["in", "out"] },
      note: { type: ["string", "null"] },
    },
    required: ["name"],
  });
  expect(jsonSchema(strictInput(writes, input)).additionalProperties).toBe(false);
});

test("parameters are told in one line", () => {
  expect(parameterLine(jsonSchema(input))).toBe(
    'name (string), limit (integer, default 10), dry_run (boolean, default false), mode ("in" or "out", optional), note (string or null, optional)',
  );
  expect(parameterLine(jsonSchema(z.object({})))).toBe("none");
});

test("good arguments get their defaults", () => {
  expect(check(writes, { name: "a" })).toEqual({ name: "a", limit: 10, dry_run: false });
});

test("null for what may be left out means left out; where null is a value it stays", () => {
  expect(check(writes, { name: "a", limit: null, note: null })).toEqual({
    name: "a",
    limit: 10,
    dry_run: false,
    note: null,
  });
});

test.each([
  [{}, 'put_note needs "name" (string).', "missing"],
  [{ name: 5 }, '"name" of put_note must be string, not a number.', "wrong"],
  [{ name: null }, '"name" of put_note must be string, not null.', "wrong"],
  [{ name: "a", limit: "many" }, '"limit" of put_note must be integer, not a string.', "wrong"],
  [{ name: "a", limit: 0 }, '"limit" of put_note is refused: Too small: expected number to be >=1.', "wrong"],
  [
    { name: "a", mode: "up" },
    '"mode" of put_note is refused: Invalid option: expected one of "in"|"out".',
    "wrong",
  ],
  [{ name: "a", "dry-run": true }, 'put_note has no parameter "dry-run"; did you mean "dry_run"?', "unknown"],
  [{ name: "a", ["__proto__x"]: true }, 'put_note has no parameter "__proto__x".', "unknown"],
])("%j is refused with the argument and the parameters named", (given, said, problem) => {
  expect(() => check(writes, given)).toThrowError(
    expect.objectContaining({
      code: "input_refused",
      message: expect.stringContaining(`${said} Parameters: name (string), `),
      details: expect.objectContaining({ tool: "put_note", problem }),
    }),
  );
});

test("a reading tool passes over what it does not know", () => {
  expect(check(reads, { name: "a", reason: "because" })).toEqual({ name: "a", limit: 10, dry_run: false });
});

test("an argument inside a list is named with its place, and what could stand there", () => {
  const listing = z.object({ edits: z.array(z.object({ note: z.string(), text: z.string() }).strict()) });
  const given = {
    edits: [
      { note: "a", text: "b" },
      { note: "a", txt: "b" },
    ],
  };
  const put = tool({ name: "edit", description: "", annotations: ADDS, input: listing, run: async () => "" });
  const check = (input: object) => () =>
    checkedArguments(
      { tool: put, input: listing, schema: jsonSchema(listing) },
      input as Record<string, unknown>,
    );
  expect(check({ edits: [{ note: "a", text: "b", txt: "c" }] })).toThrow(
    '"edits.0" of edit cannot hold "txt"; did you mean "text"? It holds note, text.',
  );
  expect(check(given)).toThrow(/"edits\.1\.text" of edit/);
});

test("a schema does not say what is so of every object", () => {
  const { properties } = jsonSchema(z.object({ fields: z.record(z.string(), z.unknown()) }));
  expect(properties).toEqual({ fields: { type: "object" } });
});
