/** Messages of the protocol in which any one field holds something that nobody expects there: every field of every kind of message, times every such value. */

/** As JSON text, for some of them no value of JavaScript can be. */
export const HOSTILE_VALUES: readonly string[] = [
  "null",
  "true",
  "-0",
  "0.5",
  "1e999",
  "-1e999",
  "123456789012345678901234567890",
  '""',
  '"\\ud800"',
  '"\\u0000\\u2028\\u202e"',
  '"__proto__"',
  JSON.stringify("x".repeat(50_000)),
  "[]",
  "[[]]",
  "{}",
  '{"__proto__":{"a":1},"constructor":1,"toString":null}',
  '{"then":1,"toJSON":{},"length":-1}',
  "[".repeat(150) + "]".repeat(150),
  "[".repeat(200_000) + "]".repeat(200_000),
  '{"a":'.repeat(200_000) + "1" + "}".repeat(200_000),
  `[${"0,".repeat(150_000)}0]`,
  `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":0`).join(",")}}`,
];

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "hostile", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** `tool` and `input`: a call that is good as it is. */
const templates = (tool: string, input: object): object[] => [
  {
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: { roots: { listChanged: true }, experimental: { a: {} } },
      clientInfo: { name: "hostile", version: "1", title: "Hostile" },
    },
  },
  { method: "tools/call", params: { name: tool, arguments: input } },
  { method: "tools/call", params: { name: tool, arguments: input, _meta: { progressToken: 1, a: 1 } } },
  { method: "tools/list", params: { cursor: "a" } },
  { method: "ping", params: { _meta: { a: 1 } } },
  { method: "resources/list", params: { cursor: "a" } },
  { method: "resources/read", params: { uri: "note:///test.md" } },
  { method: "resources/subscribe", params: { uri: "note:///test.md" } },
  { method: "resources/unsubscribe", params: { uri: "note:///test.md" } },
  { method: "prompts/get", params: { name: "nothing", arguments: { a: "b" } } },
  {
    method: "completion/complete",
    params: {
      ref: { type: "ref/resource", uri: "note:///{+path}" },
      argument: { name: "path", value: "t" },
      context: { arguments: { a: "b" } },
    },
  },
  { method: "logging/setLevel", params: { level: "info" } },
  { method: "nothing/of/the/kind", params: { a: 1 } },
];
const OTHERS: object[] = [
  { method: "notifications/initialized", params: { _meta: { a: 1 } } },
  { method: "notifications/cancelled", params: { requestId: "nobody", reason: "no" } },
  { method: "notifications/progress", params: { progressToken: 1, progress: 1, total: 2 } },
  { method: "notifications/roots/list_changed", params: {} },
  { id: "answer", result: { roots: [] } },
  { id: "answer", error: { code: 1, message: "no", data: {} } },
];

type Path = readonly string[];
/** Every field there is, and one more in each object. */
const fieldsOf = (value: object, under: Path = []): Path[] => [
  [...under, "one more"],
  ...Object.entries(value).flatMap(([key, inner]): Path[] => [
    [...under, key],
    ...(typeof inner === "object" && inner !== null ? fieldsOf(inner as object, [...under, key]) : []),
  ]),
];
const HERE = "@HERE@";
const withMark = (value: object, [key, ...rest]: Path): object => ({
  ...value,
  [key!]: rest.length === 0 ? HERE : withMark((value as Record<string, object>)[key!]!, rest),
});

/** `tracked`: it must be answered once, under its id. */
export type Hostile = { line: string; id: string; tracked: boolean };

/** Made one after another, for some of them are long; of all there are, those that `wanted` picks. */
export function* hostileMessages(
  { tool, input, envelope }: { tool: string; input: object; envelope: boolean },
  wanted: () => boolean,
): Generator<Hostile> {
  let count = 0;
  const requests = templates(tool, input).map((template) => ({ template, request: true }));
  const others = OTHERS.map((template) => ({ template, request: false }));
  for (const { template, request } of [...requests, ...others]) {
    const { params } = template as { params?: Record<string, object> };
    const dressed =
      envelope && params
        ? { ...template, params: { ...params, _meta: { ...params["_meta"], ...ENVELOPE } } }
        : template;
    const whole = { jsonrpc: "2.0", ...(request ? { id: "id" } : {}), ...dressed };
    for (const path of fieldsOf(whole))
      for (const value of HOSTILE_VALUES) {
        if (!wanted()) continue;
        const id = `h${count++}`;
        const message = request ? { ...whole, id } : whole;
        const line = `${JSON.stringify(withMark(message, path)).replace(`"${HERE}"`, () => value)}\n`;
        yield { line, id, tracked: request && !["id", "jsonrpc"].includes(path[0]!) };
      }
  }
}
