/** Several workspaces in one isolate, at work at once, one evicted and one shut in the middle: nothing of one is found from another. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { endingAfter } from "../../src/worker/serving.ts";
import { modern } from "../http/served.ts";
import { freePort, watchHeap, type HeapWatch } from "./heap.ts";
import { call as callTool, serveEdge, type Served } from "./served.ts";
import { ISOLATE_MEGABYTES } from "./start.ts";

/** The whole of it is 200 workspaces of 20 notes. */
const [COUNT, EACH] = process.env["NOTEWRIGHT_EDGE"] === "all" ? [200, 20] : [20, 5];
const AT_ONCE = 20;
/** Megabytes that all workspaces of an isolate may take together. */
const MOST_HEAP = 96;

let served: Served;
let heap: HeapWatch;
beforeAll(async () => {
  const inspectorPort = await freePort();
  served = await serveEdge({
    entry: "test/workerd/staged-worker.ts",
    inspectorPort,
    heap: ISOLATE_MEGABYTES,
  });
  heap = watchHeap(inspectorPort);
}, 60_000);
afterAll(() => {
  heap.close();
  return served.stop();
});

const tokens = new Map<string, string>();
/** One message of the newer era, which needs no session; it is sent again where the object was evicted or shut meanwhile. */
const call = async (workspace: string, name: string, args: Record<string, unknown>): Promise<string> => {
  for (let times = 0; ; times++) {
    const init = modern(tokens.get(workspace)!, "tools/call", { name, arguments: args });
    const response = await fetch(`${served.base}/${workspace}/mcp/cairn`, init);
    const said = await response.text();
    const isCut = response.status === 503 || said === "";
    if (isCut && times < 20) {
      await new Promise((done) => setTimeout(done, 50));
      continue;
    }
    const data = said.startsWith("{") ? said : (/^data: (.*)$/m.exec(said)?.[1] ?? said);
    const { result } = JSON.parse(data) as { result?: { isError?: boolean; content: { text: string }[] } };
    if (!result || result.isError) throw new Error(`${workspace} ${name}: ${said.slice(0, 300)}`);
    return result.content[0]!.text;
  }
};
const evict = (workspace: string): Promise<Response> =>
  fetch(`${served.base}/${workspace}`, { method: "POST", headers: { "x-call": "evict" }, body: "[]" });

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

test(
  "nothing crosses, and what is shut, evicted or made anew is there again",
  { timeout: 600_000 },
  async () => {
    const names = Array.from({ length: COUNT! }, (_, at) => `space-${at}`);
    for (const name of names) {
      await served.make(name);
      tokens.set(name, await served.member(name, `worker of ${name}`));
    }
    await inTurn(
      names.flatMap((name) =>
        Array.from({ length: EACH! }, (_, at) => async () => {
          await call(name, "cairn_write", {
            path: `n${at}`,
            content: `# ${name} ${at}\n\nsecret${name} [[n0]]\n`,
          });
          // In the middle of its work one is evicted, and another shut.
          if (at === 2 && name === "space-3") await evict(name);
          if (at === 2 && name === "space-5")
            await served.admin("PATCH", `/workspaces/${name}`, { timezone: "Europe/Berlin" });
        }),
      ),
    );
    await served.admin("POST", "/workspaces/space-4/rebuild-index");
    const found: [string, number, number][] = [];
    await inTurn(
      names.map((name, at) => async () => {
        const other = names[(at + 1) % names.length]!;
        const own = total(await call(name, "cairn_search", { query: `"secret${name}"` }));
        found.push([name, own, total(await call(name, "cairn_search", { query: `"secret${other}"` }))]);
      }),
    );
    expect(found.filter(([, own, others]) => own !== EACH || others !== 0)).toEqual([]);
    const crossed: string[] = [];
    await inTurn(
      names.map((name, at) => async () => {
        const other = names[(at + 1) % names.length]!;
        const own = new RegExp(`${name}(?!\\d)`);
        const native = await served.connect(name, "native", tokens.get(name)!);
        const answers = [
          await call(name, "cairn_read", { path: "n1" }),
          await call(name, "cairn_links", { path: "n0" }),
          await callTool(native, "get_links", { note: "n0.md" }),
          await callTool(native, "get_history", {}),
          await callTool(native, "get_history", { note: "n1.md" }),
        ];
        const [read, links, nativeLinks, all, one] = answers as [string, string, string, string, string];
        const holds = [
          own.test(read),
          /n1/.test(links) && new RegExp(`n${EACH! - 1}`).test(nativeLinks),
          /n1\.md/.test(all) && /n1\.md/.test(one),
        ];
        if (holds.includes(false) || answers.some((answer) => new RegExp(`${other}(?!\\d)`).test(answer)))
          crossed.push(`${name}: ${holds.join()} ${answers.join("\n")}`);
        await native.close();
      }),
    );
    expect(crossed).toEqual([]);
    const most = await heap.most();
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(MOST_HEAP);
  },
);

test("a workspace is shut while it is called: what is under way ends first, what comes waits, nobody is refused", async () => {
  await served.make("busy");
  const token = await served.member("busy", "worker");
  const send = async (at: number): Promise<string> => {
    const args = { path: "log", op: "append", content: `line ${at}.` };
    const init = modern(token, "tools/call", { name: "cairn_patch", arguments: args });
    const response = await fetch(`${served.base}/busy/mcp/cairn`, init);
    const said = await response.text();
    return response.status === 200 && !/"isError":true|"error":/.test(said)
      ? "done"
      : `${response.status} ${said}`;
  };
  tokens.set("busy", token);
  await call("busy", "cairn_write", { path: "log", content: "# Log" });
  const answers = Array.from({ length: 40 }, async (_, at) => {
    if (at % 10 !== 9) return send(at + 1);
    const { status } = await served.admin("PATCH", "/workspaces/busy", {
      timezone: at % 20 === 9 ? "Europe/Berlin" : "UTC",
    });
    return status === 200 ? "done" : String(status);
  });
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["done"]));
  const note = await call("busy", "cairn_read", { path: "log" });
  expect(note.match(/line \d+\./g)).toHaveLength(36);
});

test("a stream that nobody closes ends after its time, through the Worker", async () => {
  await served.make("streams");
  const token = await served.member("streams", "listener");
  await fetch(`${served.base}/streams`, {
    method: "POST",
    headers: { "x-call": "endStreamsAfter" },
    body: "[600]",
  });
  const begun = performance.now();
  const listen = modern(token, "subscriptions/listen", { notifications: { resourcesListChanged: true } });
  const response = await fetch(`${served.base}/streams/mcp`, {
    ...listen,
    signal: AbortSignal.timeout(20_000),
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  await response.text();
  expect(performance.now() - begun).toBeGreaterThan(500);
  // The workspace goes on as before.
  tokens.set("streams", token);
  await call("streams", "cairn_write", { path: "n", content: "# N\n" });
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
