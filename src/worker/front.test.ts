/** The front, where no object has to be asked: what is refused before anything else is done. */

import { describe, expect, test } from "vitest";
import { front } from "./front.ts";
import { workspaceAt } from "./place.ts";
import type { Bindings } from "./runtime.ts";

const never = {
  idFromName: () => {
    throw new Error("an object was asked for");
  },
};
const env = { NOTES: {}, WORKSPACE: never, ACCOUNTS: never } as unknown as Bindings;
const ask = (
  address: string,
  headers: Record<string, string> = {},
  more: Partial<Bindings> = {},
  method = "GET",
) =>
  front(new Request(address, { method, headers: { host: new URL(address).host, ...headers } }), {
    ...env,
    ...more,
  });
const said = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { error_description: string }).error_description;

test("114: without TLS nobody is answered, but on this computer", async () => {
  expect(await said(await ask("http://notes.example.org/garden/mcp"))).toBe("Call this server over https.");
  expect((await ask("https://notes.example.org/healthz")).status).toBe(200);
  expect((await ask("http://127.0.0.1:8787/healthz")).status).toBe(200);
});

test("114: a Worker that has a name answers to no other", async () => {
  const named = { PUBLIC_URL: "https://notes.example.org" };
  expect((await ask("https://notes.example.org/healthz", {}, named)).status).toBe(200);
  const other = await ask("https://evil.example/healthz", {}, named);
  expect([other.status, await said(other)]).toEqual([403, expect.stringContaining("PUBLIC_URL")]);
});

test("at the bare address a person is told in a sentence what it is, and not which workspaces there are", async () => {
  const answer = await ask("https://notes.example.org/");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(await answer.text()).toBe("Notewright runs here. A workspace is at /ID/.\n");
  expect((await ask("https://notes.example.org/x")).status).toBe(404);
});

test("pages of other origins are let in where they are named, and may read the answer", async () => {
  const origin = "https://app.example";
  const refused = await ask("https://notes.example.org/healthz", { origin });
  expect([refused.status, await said(refused)]).toEqual([403, expect.stringContaining("ALLOW_ORIGIN")]);
  const named = { ALLOW_ORIGIN: `https://other.example ${origin}` };
  const answer = await ask("https://notes.example.org/healthz", { origin }, named);
  expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
  const asked = await ask("https://notes.example.org/garden/mcp", { origin }, named, "OPTIONS");
  expect(asked.headers.get("access-control-allow-methods")).toBe("GET, POST, DELETE");
});

test("where an object fails, the answer is to try again", async () => {
  const answer = await ask("https://notes.example.org/garden/mcp", { authorization: "Bearer nw_x" });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
});

describe("a workspace's object is not touched", () => {
  const asked: unknown[] = [];
  /** The accounts let in whoever brings a token, into one workspace. */
  const accounts = {
    idFromName: (name: string) => name,
    get: () => {
      const who = async (question: { authorization: string | null }) => {
        asked.push(question);
        return question.authorization === null
          ? new Response(null, { status: 401 })
          : {
              name: "x",
              made: "",
              vault: "garden",
              secret: null,
              rights: "admin",
              folders: "all",
              surfaces: "all",
            };
      };
      return { who, onPage: who };
    },
  } as unknown as Bindings["ACCOUNTS"];
  const touched: unknown[] = [];
  const workspace = {
    idFromName: (name: string) => {
      touched.push(name);
      throw new Error("an object was asked for");
    },
  } as unknown as Bindings["WORKSPACE"];
  const page = { "sec-fetch-site": "same-origin" };
  const calling = async (path: string, headers: Record<string, string>, method: string) => {
    asked.length = 0;
    touched.length = 0;
    const more = { ACCOUNTS: accounts, WORKSPACE: workspace };
    const { status } = await ask(`https://notes.example.org${path}`, { ...page, ...headers }, more, method);
    return [status, asked.length, touched];
  };
  const token = { authorization: "Bearer nw_x" };
  const PATHS = [
    ["mcp", "POST"],
    ["mcp/wiki", "POST"],
    ["history.bundle", "GET"],
    ["sync/state", "POST"],
    ["api/note", "POST"],
  ] as const;

  test.each(PATHS)("without a token, at %s", async (path, method) => {
    expect(await calling(`/garden/${path}`, {}, method)).toEqual([401, 1, []]);
  });
  test.each(PATHS)("by a member of another, at %s", async (path, method) => {
    const [status, count, none] = await calling(`/office/${path}`, token, method);
    expect([status, count, none]).toEqual([path.startsWith("api") ? 401 : 404, 1, []]);
  });
  test.each(PATHS)("before its own member was let in, at %s", async (path, method) => {
    expect(await calling(`/garden/${path}`, token, method)).toEqual([503, 1, ["garden"]]);
  });
});

test.each([
  ["https://notes.example.org/garden/mcp", "garden"],
  ["https://notes.example.org/garden", "garden"],
  ["https://notes.example.org/garden/mcp/wiki", "garden"],
  ["https://notes.example.org/garden/mcp?x=1", null],
  ["https://notes.example.org/garden/mcp#x", null],
  ["https://evil.example/garden/mcp", null],
  ["http://notes.example.org/garden/mcp", null],
  ["https://notes.example.org/oauth/mcp", null],
  ["https://notes.example.org/", null],
  ["garden", null],
])("%s is an address of %s", (address, id) => {
  expect(workspaceAt(new URL("https://notes.example.org"), address)).toBe(id);
});
