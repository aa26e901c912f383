/** Streams whose clients go: each is over then, whatever is said after that, and closing waits for none. */

import { request } from "node:http";
import { expect, test } from "vitest";
import { LIMITS } from "./limits.ts";
import { listen, type Listening } from "./node.ts";

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
let server: Listening;
let cancelled: Promise<void>;

/** Serves one stream, which says what it is told to; a close that waits for it waits for longer than a test may take. */
const serving = async (
  say: (controller: ReadableStreamDefaultController<Uint8Array>, signal: AbortSignal) => Promise<void> | void,
): Promise<void> => {
  let cancel: () => void;
  cancelled = new Promise((resolve) => (cancel = resolve));
  const answer = async ({ signal }: Request): Promise<Response> => {
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: (made) => void (controller = made),
      cancel: () => cancel(),
    });
    await say(controller, signal);
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  server = await listen(
    { fetch: answer, stop: () => undefined, close: async () => undefined },
    { host: "127.0.0.1", port: 0, limits: { ...LIMITS, grace: 3_600_000 }, log: () => undefined },
  );
};

const asked = () => {
  const call = request({ host: "127.0.0.1", port: server.port });
  call.on("error", () => undefined);
  call.end();
  return call;
};

test("what a stream says as its client goes is waited for by nobody", { timeout: 30_000 }, async () => {
  await serving((controller, signal) => {
    controller.enqueue(encoded(": hello\n\n"));
    signal.addEventListener("abort", () => controller.enqueue(encoded("data: last\n\n")));
  });
  await new Promise<void>((resolve) => {
    const call = asked();
    call.on("response", (answer) =>
      answer.once("data", () => {
        call.destroy();
        resolve();
      }),
    );
  });
  await cancelled;
  await expect(server.close()).resolves.toBeUndefined();
});

test("a stream that begins after its client has gone ends at once", { timeout: 30_000 }, async () => {
  await serving(async (_, signal) => {
    await new Promise((resolve) => {
      signal.addEventListener("abort", resolve);
      call.destroy();
    });
  });
  const call = asked();
  await cancelled;
  await expect(server.close()).resolves.toBeUndefined();
});
