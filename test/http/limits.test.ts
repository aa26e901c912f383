/** Every limit of the HTTP server, from a real socket: what is too large, too slow, too deep or too many is refused, and others are served. */

import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS, type Limits } from "../../src/http/limits.ts";
import { modern } from "./served.ts";
import { named, serveInProcess, type InProcess } from "./in-process.ts";

/** A guard against hanging, ten times what the limits below allow. */
const PATIENCE = 20_000;

let served: InProcess | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await served?.close();
  served = undefined;
});
const serve = async (limits: Partial<Limits> = {}, ...more: Parameters<typeof serveInProcess>[1][]) => {
  served = await serveInProcess(limits, ...more);
  return served;
};

/** Writes to a socket and gives what comes back until the other side closes it. */
const raw = (port: number, begin: string, drip?: { text: string; every: number }): Promise<string> =>
  new Promise((done, failed) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(begin));
    sockets.push(socket);
    let answer = "";
    const dripping = drip && setInterval(() => socket.write(drip.text), drip.every);
    const late = setTimeout(() => failed(new Error(`It is still open: ${answer}`)), PATIENCE);
    socket.on("data", (chunk) => (answer += String(chunk)));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(dripping);
      clearTimeout(late);
      done(answer);
    });
  });

const HEAD =
  "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer token\r\nContent-Type: application/json\r\n";
const fine = async ({ base }: InProcess): Promise<number> =>
  (await fetch(`${base}/mcp`, modern("token", "tools/list"))).status;
const post = (
  base: string,
  body: string | Uint8Array | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Promise<Response> => {
  const { headers: usual, method } = modern("token", "tools/list");
  return fetch(`${base}/mcp`, {
    method: method!,
    headers: { ...(usual as Record<string, string>), ...headers },
    body,
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
  } as RequestInit);
};

test("the limits are those that the docs name", () => {
  expect(LIMITS).toMatchObject({
    header: 16_384,
    body: 33_554_432,
    bodies: 268_435_456,
    headersTime: 10_000,
    bodyTime: 15_000,
    longBodyTime: 120_000,
    bodyRate: 65_536,
    sockets: 2000,
    streams: 100,
    sessionsEach: 100,
    sessions: 1000,
    sessionIdle: 1_800_000,
    keepAlive: 25_000,
    grace: 600,
  });
});

describe("attack 29: too much", () => {
  test("headers: 431", async () => {
    const { port } = await serve();
    const answer = await raw(port, `${HEAD}X-Long: ${"x".repeat(LIMITS.header)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  test("many headers: the rest is not read", async () => {
    const { port } = await serve();
    const many = Array.from({ length: 3000 }, (_, at) => `h${at}:1\r\n`).join("");
    expect(await raw(port, `${HEAD}${many}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 4/);
  });

  test("a body that says its length: 413, before any of it is read", async () => {
    const { port } = await serve();
    const answer = await raw(port, `${HEAD}Content-Length: ${LIMITS.body + 1}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("a body that does not say its length: 413 as soon as it is too long", async () => {
    const { base } = await serve({ body: 100_000 });
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 10_000;
        controller.enqueue(new Uint8Array(10_000).fill(32));
      },
    });
    const answer = await post(base, endless).catch(() => null);
    // The client may see the closed socket before it sees the answer.
    if (answer) expect(answer.status).toBe(413);
    expect(sent).toBeLessThan(20_000_000);
    expect(await fine(served!)).toBe(200);
  });

  test("a compressed body: 415", async () => {
    const { base } = await serve();
    const bomb = gzipSync(Buffer.alloc(1_000_000, 32));
    expect((await post(base, bomb, { "content-encoding": "gzip" })).status).toBe(415);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])(
    "a body of the type %j: 415",
    async (type) => {
      const { base } = await serve();
      expect((await post(base, "{}", { "content-type": type })).status).toBe(415);
    },
  );

  test.each([
    ["arrays", `${"[".repeat(201)}${"]".repeat(201)}`],
    ["objects", `${'{"a":'.repeat(201)}1${"}".repeat(201)}`],
    ["an endless line of brackets", "[".repeat(1_000_000)],
  ])("%s nested too deep: 400", async (_, body) => {
    const { base } = await serve();
    const answer = await post(base, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32700 } });
  });

  test.each([
    ["text", "not json"],
    ["nothing", ""],
    ["half a character", new Uint8Array([34, 0xc3, 34])],
  ])("%s instead of JSON: 400", async (_, body) => {
    const { base } = await serve();
    expect((await post(base, body)).status).toBe(400);
  });

  test("all bodies together: 503, and served again when they are done", async () => {
    const { base, port } = await serve({ bodies: 200_000 });
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.write(`${HEAD}Content-Length: 1000000\r\n\r\n${" ".repeat(150_000)}`);
    await expect
      .poll(async () => (await post(base, " ".repeat(100_000))).status, { timeout: PATIENCE })
      .toBe(503);
    socket.destroy();
    await expect
      .poll(async () => (await post(base, " ".repeat(100_000))).status, { timeout: PATIENCE })
      .toBe(400);
  });
});

describe("attack 28: too slow", () => {
  test("headers: the socket is closed", async () => {
    const { port } = await serve({ headersTime: 500 });
    const answer = await raw(port, "POST /mcp HTTP/1.1\r\n", { text: "x: 1\r\n", every: 50 });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(await fine(served!)).toBe(200);
  });

  test("a body that drips: 408, and the socket is closed", async () => {
    const { port } = await serve({ bodyTime: 500 });
    const answer = await raw(port, `${HEAD}Content-Length: 100000\r\n\r\n`, { text: " ", every: 50 });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(await fine(served!)).toBe(200);
  });

  test("a body that keeps coming fast enough may take longer, up to a limit", async () => {
    const { port, requests } = await serve({ bodyTime: 300, bodyRate: 1000, longBodyTime: 1500 });
    const length = 100_000;
    const begin = `${HEAD}Content-Length: ${length}\r\n\r\n`;
    expect(await raw(port, begin, { text: " ".repeat(100), every: 20 })).toMatch(/^HTTP\/1\.1 408 /);
    // It was cut by the second limit, not by the first.
    expect(requests.at(-1)!.milliseconds).toBeGreaterThan(1000);
  });
});

describe("attack 28: too many", () => {
  test("sockets: the next is closed", async () => {
    const { port } = await serve({ sockets: 5 });
    const open = Array.from({ length: 5 }, () => connect(port, "127.0.0.1"));
    sockets.push(...open);
    await Promise.all(open.map((socket) => new Promise((done) => socket.once("connect", done))));
    await expect.poll(async () => fine(served!).catch(() => "closed"), { timeout: PATIENCE }).toBe("closed");
    for (const socket of open) socket.destroy();
    await expect.poll(async () => fine(served!).catch(() => "closed"), { timeout: PATIENCE }).toBe(200);
  });

  const listen = (base: string, token = "token") =>
    fetch(
      `${base}/mcp`,
      modern(token, "subscriptions/listen", { notifications: { resourcesListChanged: true } }),
    );

  test("streams of one identity: 429; another identity is served", async () => {
    const { base } = await serve({ streams: 3 }, [named("token"), named("other")]);
    const open = await Promise.all([listen(base), listen(base), listen(base)]);
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await listen(base)).status).toBe(429);
    expect((await listen(base, "other")).status).toBe(200);
    await open[0]!.body!.cancel();
    await expect.poll(async () => (await listen(base)).status, { timeout: PATIENCE }).toBe(200);
  });

  test("sessions: the one that was idle for longest ends", async () => {
    const { base } = await serve({ sessionsEach: 3 });
    const headers = (id?: string) => ({
      ...(modern("token", "ping").headers as Record<string, string>),
      "mcp-protocol-version": "2025-11-25",
      ...(id === undefined ? {} : { "mcp-session-id": id }),
    });
    const begin = async (path = "/mcp"): Promise<string> => {
      const params = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "old", version: "1" },
      };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
      const { "mcp-protocol-version": _, ...first } = headers();
      const answer = await fetch(base + path, { method: "POST", headers: first, body });
      await answer.text();
      return answer.headers.get("mcp-session-id")!;
    };
    const ping = async (id: string): Promise<number> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
      const answer = await fetch(`${base}/mcp`, { method: "POST", headers: headers(id), body });
      await answer.text();
      return answer.status;
    };
    const [one, two, three] = [await begin(), await begin(), await begin()];
    expect(await ping(one)).toBe(200);
    // Whichever surface the next is on.
    await begin("/mcp/wiki");
    expect([await ping(one), await ping(two), await ping(three)]).toEqual([200, 404, 200]);
  });
});

test("a request is logged without a token, an argument or a word of a note", async () => {
  const { base, requests } = await serve();
  const call = { name: "search_notes", arguments: { query: "secretword" } };
  await fetch(`${base}/mcp`, modern("token", "tools/call", call));
  expect(requests).toEqual([
    {
      identity: "token",
      surface: "native",
      tool: "search_notes",
      milliseconds: expect.any(Number),
      status: 200,
    },
  ]);
});

test("at the end calls under way are answered, streams close, and the health says so", async () => {
  const { base, close } = await serve();
  const stream = await fetch(
    `${base}/mcp`,
    modern("token", "subscriptions/listen", { notifications: { resourcesListChanged: true } }),
  );
  const ended = stream.text().catch(() => "cut");
  const closing = close();
  served = undefined;
  await closing;
  await ended;
  await expect(fetch(`${base}/healthz`)).rejects.toThrow();
});
