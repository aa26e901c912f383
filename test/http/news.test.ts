/** News of changes over real sockets, in both eras: each change once, to whoever listens for it; and streams that stay open. */

import { afterEach, expect, test } from "vitest";
import { named, serveInProcess, type InProcess } from "./in-process.ts";
import { callTool, modern } from "./served.ts";

/** A guard against hanging, far beyond what anything takes. */
const PATIENCE = 30_000;
const poll = { timeout: PATIENCE, interval: 10 };

let served: InProcess | null = null;
afterEach(async () => {
  await served?.close();
  served = null;
});

type Stream = {
  status: number;
  /** The lines so far. */
  text(): string;
  /** The URIs of notes that were said to have changed. */
  updated(): string[];
  listChanges(): number;
  close(): Promise<void>;
};

/** Reads a stream in the background. */
const reading = (answer: Response): Stream => {
  let text = "";
  const reader = answer.body!.getReader();
  void (async () => {
    const decoder = new TextDecoder();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      text += decoder.decode(piece.value, { stream: true });
  })().catch(() => undefined);
  const messages = (): { method?: string; params?: { uri?: string } }[] =>
    [...text.matchAll(/^data: (.+)$/gm)].map(([, json]) => JSON.parse(json!));
  return {
    status: answer.status,
    text: () => text,
    updated: () =>
      messages().flatMap(({ method, params }) =>
        method === "notifications/resources/updated" ? [params!.uri!] : [],
      ),
    listChanges: () =>
      messages().filter(({ method }) => method === "notifications/resources/list_changed").length,
    close: () => reader.cancel(),
  };
};

const listen = async (notifications: object, token = "token"): Promise<Stream> => {
  const stream = reading(
    await fetch(`${served!.base}/mcp`, modern(token, "subscriptions/listen", { notifications })),
  );
  if (stream.status === 200)
    await expect.poll(() => stream.text(), poll).toContain("subscriptions/acknowledged");
  return stream;
};

const write = (path: string, text: string): Promise<string> =>
  callTool(
    `${served!.base}/mcp`,
    "token",
    "edit_notes",
    { create: true, edits: [{ note: path, do: "append", text }] },
    "writer",
  );

/** A session of the older era, which can be asked and whose stream can be opened. */
const older = async () => {
  const headers = (id?: string): Record<string, string> => ({
    authorization: "Bearer token",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(id === undefined ? {} : { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" }),
  });
  const post = async (message: object, id?: string): Promise<Response> => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const answer = await fetch(`${served!.base}/mcp`, { method: "POST", headers: headers(id), body });
    await answer.text();
    return answer;
  };
  const clientInfo = { name: "old", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const id = (await post({ id: 1, method: "initialize", params })).headers.get("mcp-session-id")!;
  await post({ method: "notifications/initialized" }, id);
  return {
    ask: (method: string, asked: object) => post({ id: 2, method, params: asked }, id),
    stream: async () => reading(await fetch(`${served!.base}/mcp`, { method: "GET", headers: headers(id) })),
  };
};

const A = "note:///A.md";
const LAST = "note:///Last.md";

test("newer era: a stream gets what it listens for, each change once", async () => {
  served = await serveInProcess();
  await write("A.md", "0");
  const [one, two, lists] = [
    await listen({ resourceSubscriptions: [A, LAST] }),
    await listen({ resourceSubscriptions: [A, LAST] }),
    await listen({ resourcesListChanged: true }),
  ];
  await write("A.md", "1");
  await write("B.md", "1");
  await write("A.md", "2");
  await write("Last.md", "1");
  for (const stream of [one, two]) await expect.poll(() => stream.updated(), poll).toEqual([A, A, LAST]);
  await expect.poll(() => lists.listChanges(), poll).toBeGreaterThan(0);
  expect(lists.updated()).toEqual([]);
  expect(one.listChanges()).toBe(0);
});

test("older era: a session gets what it subscribed to, each change once, until it unsubscribes", async () => {
  // The stream is open at once, not with its first comment line.
  served = await serveInProcess({ keepAlive: 3_600_000 });
  await write("A.md", "0");
  const [one, two] = [await older(), await older()];
  const [first, second] = [await one.stream(), await two.stream()];
  expect([first.status, second.status]).toEqual([200, 200]);
  for (const uri of [A, LAST]) await one.ask("resources/subscribe", { uri });
  await two.ask("resources/subscribe", { uri: LAST });
  await write("A.md", "1");
  await write("B.md", "1");
  await write("Last.md", "1");
  await expect.poll(() => first.updated(), poll).toEqual([A, LAST]);
  await expect.poll(() => second.updated(), poll).toEqual([LAST]);
  await one.ask("resources/unsubscribe", { uri: A });
  await write("A.md", "2");
  await write("Last.md", "2");
  await expect.poll(() => first.updated(), poll).toEqual([A, LAST, LAST]);
  await expect.poll(() => first.listChanges(), poll).toBeGreaterThan(0);
});

test("both eras hear of one change, and those who left are not missed", async () => {
  served = await serveInProcess({}, [named("token"), named("other")]);
  const session = await older();
  await session.ask("resources/subscribe", { uri: A });
  const old = await session.stream();
  const [mine, theirs] = [
    await listen({ resourceSubscriptions: [A] }),
    await listen({ resourceSubscriptions: [A] }, "other"),
  ];
  await write("A.md", "1");
  for (const stream of [old, mine, theirs]) await expect.poll(() => stream.updated(), poll).toEqual([A]);
  await mine.close();
  await write("A.md", "2");
  for (const stream of [old, theirs]) await expect.poll(() => stream.updated(), poll).toEqual([A, A]);
  expect(served.logged).toEqual([]);
});

test("a comment line keeps the streams of both eras open", async () => {
  served = await serveInProcess({ keepAlive: 30 });
  const session = await older();
  const streams = [await session.stream(), await listen({ resourcesListChanged: true })];
  for (const stream of streams)
    await expect.poll(() => stream.text().match(/^:.*$/gm)?.length ?? 0, poll).toBeGreaterThan(2);
});

test("streams of both eras count together: one too many is answered with 429", async () => {
  served = await serveInProcess({ streams: 2 });
  const [one, two] = [await older(), await older()];
  const first = await one.stream();
  const second = await listen({ resourcesListChanged: true });
  expect([first.status, second.status]).toEqual([200, 200]);
  expect((await two.stream()).status).toBe(429);
  expect((await listen({ resourcesListChanged: true })).status).toBe(429);
  await first.close();
  await expect.poll(async () => (await two.stream()).status, poll).toBe(200);
});
