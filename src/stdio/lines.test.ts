import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { LINE_LIMIT, lineTransport } from "./lines.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

const open = (limit?: number) => {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = lineTransport(input, output, limit);
  const taken: unknown[] = [];
  Object.assign(transport, { onmessage: (message: unknown) => taken.push(message) });
  const answers = () =>
    String(output.read() ?? "")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
  return { input, output, transport, taken, answers };
};
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const ping = (id: number | string) => ({ jsonrpc: "2.0", id, method: "ping" });

test("messages are taken whole, however the bytes arrive", async () => {
  const { input, transport, taken } = open();
  await transport.start();
  const bytes = Buffer.from(
    `${JSON.stringify({ ...ping(1), params: { x: "é 日" } })}\r\n\n${JSON.stringify(ping(2))}\n{"js`,
  );
  for (const byte of bytes) input.write(Buffer.from([byte]));
  await settled();
  expect(taken).toEqual([{ ...ping(1), params: { x: "é 日" } }, ping(2)]);
});

test.each([
  ["not json", -32700, null],
  ['{"jsonrpc":"2.0","id":7}', -32600, 7],
  ['{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, "a"],
  ["[]", -32600, null],
  ["[".repeat(50_000), -32600, null],
  ['{"jsonrpc":"2.0","id":1e999,"method":"ping"}', -32600, null],
  [JSON.stringify({ jsonrpc: "2.0", id: "x".repeat(1001), method: "ping" }), -32600, null],
  ['{"jsonrpc":"2.0","id":0.5,"method":"ping"}', -32600, null],
  [`{"jsonrpc":"2.0","id":4,"method":"ping","params":{"_meta":${deep(200_000)}}}`, -32600, 4],
  [`{"jsonrpc":"2.0","method":"ping","params":${deep(200_000)},"id":"b"}`, -32600, "b"],
  [`{"jsonrpc":"2.0","id":007,"method":"ping","params":${deep(300)}}`, -32600, null],
  [`{"jsonrpc":"2.0","id":"\u0001","method":"ping","params":${deep(300)}}`, -32600, null],
  [`{"jsonrpc":"2.0","id":"${"x".repeat(150)}","params":${deep(300)}}`, -32600, "x".repeat(150)],
  [`{"jsonrpc":"2.0","id":5,"method":"ping","params":{"a":[${"0,".repeat(200_000)}0]}}`, -32600, 5],
])("a bad line (%#) is answered and the session lives", async (line, code, id) => {
  const { input, transport, taken, answers } = open();
  await transport.start();
  input.write(`${line}\n${JSON.stringify(ping(9))}\n`);
  await settled();
  expect(answers().map((answer) => [answer.error?.code, answer.id])).toEqual([[code, id]]);
  expect(taken).toEqual([ping(9)]);
});

const long = { text: 'x"id":5}'.repeat(2000) };
test.each([
  ["first", { jsonrpc: "2.0", id: 3, method: "tools/call", params: long }, 3],
  ["last", { method: "tools/call", params: { ...long, id: 4 }, jsonrpc: "2.0", id: "three" }, "three"],
  ["nowhere near", { method: "tools/call", id: 3, params: long, jsonrpc: "2.0" }, null],
])("an overlong line with its id %s is refused by that id", async (_, message, id) => {
  const { input, transport, taken, answers } = open(8000);
  await transport.start();
  const bytes = Buffer.from(`${JSON.stringify(message)}\n${JSON.stringify(ping(1))}\n`);
  for (let at = 0; at < bytes.length; at += 1000) input.write(bytes.subarray(at, at + 1000));
  await settled();
  expect(answers()).toEqual([
    { jsonrpc: "2.0", id, error: { code: -32600, message: expect.stringContaining("8000 bytes") } },
  ]);
  expect(taken).toEqual([ping(1)]);
});

test("idle waits for the answers, and a call that was called off counts as answered", async () => {
  const { input, transport } = open();
  await transport.start();
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
  input.write(`${JSON.stringify(ping(1))}\n${JSON.stringify(ping(2))}\n`);
  await settled();
  let idle = false;
  const waiting = transport.idle().then(() => (idle = true));
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  await settled();
  expect(idle).toBe(false);
  input.write(`${JSON.stringify(cancel)}\n`);
  await waiting;
  expect(idle).toBe(true);
});

test("of two requests under one id both are waited for", async () => {
  const { input, transport } = open();
  await transport.start();
  input.write(`${JSON.stringify(ping(1))}\n${JSON.stringify(ping(1))}\n`);
  await settled();
  let idle = false;
  void transport.idle().then(() => (idle = true));
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  await settled();
  expect(idle).toBe(false);
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  await settled();
  expect(idle).toBe(true);
});

test("requests that are not answered yet fill no memory: no more are taken in, until some are", async () => {
  const { input, transport, taken } = open();
  await transport.start();
  const large = (id: number) =>
    `${JSON.stringify({ ...ping(id), params: { x: "x".repeat(LINE_LIMIT / 2) } })}\n`;
  for (let id = 0; id < 6; id++) input.write(large(id));
  await settled();
  expect(taken).toHaveLength(2);
  await transport.send({ jsonrpc: "2.0", id: 0, result: {} });
  await settled();
  expect(taken).toHaveLength(3);
});

test("a client that does not read its answers is not listened to until it does", async () => {
  const { input, output, transport, taken } = open();
  await transport.start();
  const sending = Array.from({ length: 5 }, (_, id) =>
    transport.send({ jsonrpc: "2.0", id, result: { text: "x".repeat(1024 * 1024) } }),
  );
  input.write(`${JSON.stringify(ping(9))}\n`);
  await settled();
  expect(taken).toEqual([]);
  for (let piece = 0; piece < 20; piece++) input.write("x".repeat(100_000));
  await settled();
  expect(input.isPaused()).toBe(true);
  output.resume();
  await Promise.all(sending);
  await settled();
  expect(taken).toEqual([ping(9)]);
  expect(input.isPaused()).toBe(false);
});

test("a client that does not read its answers is sent no news", async () => {
  const { output, transport } = open();
  await transport.start();
  const news = { jsonrpc: "2.0", method: "notifications/resources/list_changed" } as const;
  await transport.send(news);
  await transport.send({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(5 * 1024 * 1024) } });
  const unread = output.writableLength;
  for (let times = 0; times < 1000; times++) await transport.send(news);
  expect(output.writableLength).toBe(unread);
  output.resume();
  await settled();
  await transport.send(news);
  output.pause();
});

test("the end of the input is seen behind what is not taken in, and while answers are not read", async () => {
  const { input, transport } = open();
  await transport.start();
  void transport.send({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(5 * 1024 * 1024) } });
  input.end(`${JSON.stringify(ping(9))}\n`);
  await transport.ended;
});

test("the end of the input is the end of the session", async () => {
  const { input, transport } = open();
  await transport.start();
  input.end();
  await transport.ended;
});
