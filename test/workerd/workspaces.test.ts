/** Several workspaces in one isolate, at work at once, one shut in the middle: nothing of one is found from another. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { endingAfter } from "../../src/worker/serving.ts";
import { startWorker, type Running } from "./start.ts";

/** The whole of it is 200 workspaces of 20 notes. */
const [COUNT, EACH] = process.env["NOTEWRIGHT_EDGE"] === "all" ? [200, 20] : [20, 5];
const AT_ONCE = 20;

let worker: Running;
beforeAll(async () => {
  worker = await startWorker("test/workerd/edge-worker.ts");
}, 60_000);
afterAll(() => worker.stop());

const headers = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2026-07-28",
  connection: "close",
};
/** One message of the newer era, which needs no session. */
const call = async (workspace: string, name: string, args: Record<string, unknown>): Promise<string> => {
  const params = {
    name,
    arguments: args,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  const response = await fetch(new URL(`/${workspace}/mcp/cairn`, worker.address), {
    method: "POST",
    headers: { ...headers, "mcp-method": "tools/call", "mcp-name": name },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const said = await response.text();
  const data = said.startsWith("{") ? said : (/^data: (.*)$/m.exec(said)?.[1] ?? said);
  const { result } = JSON.parse(data) as { result?: { isError?: boolean; content: { text: string }[] } };
  if (!result || result.isError) throw new Error(`${workspace} ${name}: ${said.slice(0, 300)}`);
  return result.content[0]!.text;
};
const rpc = (workspace: string, method: string, args: unknown[]) =>
  fetch(new URL(`/${workspace}`, worker.address), {
    method: "POST",
    headers: { "x-call": method, connection: "close" },
    body: JSON.stringify(args),
  }).then((response) => response.text());

/** So many at a time. */
const inTurn = async (work: (() => Promise<unknown>)[]): Promise<void> => {
  const left = [...work];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.shift(); next; next = left.shift()) await next();
    }),
  );
};
const total = (answer: string): number => (JSON.parse(answer) as { total: number }).total;

test("nothing crosses, and what is shut or made anew is there again", { timeout: 600_000 }, async () => {
  const names = Array.from({ length: COUNT! }, (_, at) => `space-${at}`);
  await inTurn(
    names.flatMap((name) =>
      Array.from({ length: EACH! }, (_, at) => async () => {
        await call(name, "cairn_write", {
          path: `n${at}`,
          content: `# ${name} ${at}\n\nsecret${name} [[n0]]\n`,
        });
        // One is shut in the middle of its work.
        if (at === 2 && name === "space-3") await rpc(name, "setTimeZone", ["Europe/Berlin"]);
      }),
    ),
  );
  await rpc("space-4", "rebuildIndex", []);
  const found: [string, number, number][] = [];
  await inTurn(
    names.map((name, at) => async () => {
      const other = names[(at + 1) % names.length]!;
      const own = total(await call(name, "cairn_search", { query: `"secret${name}"` }));
      found.push([name, own, total(await call(name, "cairn_search", { query: `"secret${other}"` }))]);
    }),
  );
  expect(found.filter(([, own, others]) => own !== EACH || others !== 0)).toEqual([]);
});

test("a stream ends after its time, and is let go of", async () => {
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) =>
      new Promise<void>((resolve) =>
        setTimeout(() => {
          if (!cancelled) controller.enqueue(new TextEncoder().encode(": still here\n\n"));
          resolve();
        }, 5),
      ),
    cancel: () => void (cancelled = true),
  });
  const text = await endingAfter(new Response(endless), 60).text();
  expect([text.includes("still here"), cancelled]).toEqual([true, true]);
});
