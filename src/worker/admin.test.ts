/** The owner's calls, without a Worker: what they take, what they refuse, and what is left of it. */

import { expect, test } from "vitest";
import { openBodies } from "../http/body.ts";
import { LIMITS } from "../http/limits.ts";
import type { Identity } from "../identity/identity.ts";
import { secretOf } from "../identity/token.ts";
import { openSql } from "../sqlite/node.ts";
import { openAdmin } from "./admin.ts";
import { isWorkspaceId } from "./ids.ts";
import { openMembers } from "./members.ts";

const open = async () => {
  const told: unknown[] = [];
  const removed: Identity[] = [];
  const now = () => new Date("2026-11-18T04:00:00Z");
  const members = openMembers(await openSql(":memory:"), now, (identity) => removed.push(identity));
  const admin = openAdmin({
    members,
    workspace: (id) => ({
      rebuildIndex: async () => void told.push([id, "rebuild"]),
      setTimeZone: async (zone) => void told.push([id, zone]),
    }),
    newCode: async () => "ABCD",
    bodies: openBodies({ ...LIMITS, body: LIMITS.form }),
    now,
  });
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await admin(
      new Request(`https://x/admin${path}`, {
        method,
        ...(body === undefined
          ? {}
          : {
              headers: { "content-type": "application/json" },
              body: typeof body === "string" ? body : JSON.stringify(body),
            }),
      }),
    );
    return [response.status, (await response.json()) as Record<string, unknown>] as const;
  };
  return { ask, members, told, removed };
};

test("a workspace is made once, under an id that is no route", async () => {
  const { ask, told } = await open();
  expect(await ask("POST", "/workspaces", { id: "garden", timezone: "europe/berlin" })).toEqual([
    201,
    { id: "garden", timezone: "Europe/Berlin" },
  ]);
  expect(await ask("POST", "/workspaces", { id: "garden" })).toMatchObject([409, { error: "exists" }]);
  for (const id of ["ab", "A-b", "a".repeat(64), "a/b", "a.b", "admin", "oauth", "", 7, null])
    expect(await ask("POST", "/workspaces", { id }), String(id)).toMatchObject([
      400,
      { error: "input_refused" },
    ]);
  expect(["abc", "a".repeat(63), "0-9"].every(isWorkspaceId)).toBe(true);
  expect(told).toEqual([["garden", "Europe/Berlin"]]);
});

test("45: two that are made at once are one", async () => {
  const { ask, told } = await open();
  const both = await Promise.all([
    ask("POST", "/workspaces", { id: "twice", timezone: "UTC" }),
    ask("POST", "/workspaces", { id: "twice", timezone: "Asia/Tokyo" }),
  ]);
  expect(both.map(([status]) => status)).toEqual([201, 409]);
  expect(told).toEqual([["twice", "UTC"]]);
});

test("a member's token is shown once, and kept as its hash; who is removed is told of", async () => {
  const { ask, members, removed } = await open();
  await ask("POST", "/workspaces", { id: "garden" });
  const [status, made] = await ask("POST", "/workspaces/garden/members", {
    name: "Änne B.",
    rights: "write",
    folders: ["Projects/", "Ideas"],
  });
  expect([status, made]).toMatchObject([201, { name: "Änne B.", folders: ["Projects", "Ideas"] }]);
  const token = made["token"] as string;
  expect(token).toMatch(/^nw_[\w-]{43}$/);
  expect(members.withSecret(await secretOf(token))).toMatchObject({ vault: "garden", rights: "write" });
  expect(JSON.stringify(members.list())).not.toContain(token);
  const again = { name: "Änne B.", rights: "read" };
  expect(await ask("POST", "/workspaces/garden/members", again)).toMatchObject([409, { error: "exists" }]);
  const path = `/workspaces/garden/members/${encodeURIComponent("Änne B.")}`;
  expect(await ask("DELETE", path)).toEqual([200, { name: "Änne B." }]);
  expect(removed.map(({ name }) => name)).toEqual(["Änne B."]);
  expect(members.withSecret(await secretOf(token))).toBe(null);
  expect((await ask("DELETE", path))[0]).toBe(404);
});

test("the time zone changes, and the index is made anew, where there is such a workspace", async () => {
  const { ask, told } = await open();
  await ask("POST", "/workspaces", { id: "garden" });
  expect(await ask("PATCH", "/workspaces/garden", { timezone: "Asia/Tokyo" })).toEqual([
    200,
    { id: "garden", timezone: "Asia/Tokyo" },
  ]);
  expect(await ask("POST", "/workspaces/garden/rebuild-index")).toEqual([202, { id: "garden" }]);
  expect(told.slice(1)).toEqual([
    ["garden", "Asia/Tokyo"],
    ["garden", "rebuild"],
  ]);
  for (const [method, path, body] of [
    ["PATCH", "/workspaces/other", { timezone: "UTC" }],
    ["POST", "/workspaces/other/rebuild-index", undefined],
    ["POST", "/workspaces/other/members", { name: "a", rights: "read" }],
    ["DELETE", "/workspaces/other/members/a", undefined],
  ] as const)
    expect((await ask(method, path, body))[0], path).toBe(404);
});

test.each([
  ["a zone that is none", { timezone: "Mars/Olympus" }, "IANA name"],
  ["no zone", {}, "IANA name"],
  ["a field that is not known", { timezone: "UTC", colour: "red" }, '"colour" is not taken'],
  ["a list", ["UTC"], "JSON object"],
  ["a word", "UTC", "JSON object"],
  ["half a value", '{"timezone": "UTC"', "JSON object"],
])("%s is refused with a reason", async (_, body, reason) => {
  const { ask } = await open();
  await ask("POST", "/workspaces", { id: "garden" });
  const [status, said] = await ask("PATCH", "/workspaces/garden", body);
  expect([status, said["error"]]).toEqual([400, "input_refused"]);
  expect(said["error_description"]).toContain(reason);
});

test.each([
  [{ rights: "read" }, "A name has"],
  [{ name: "-x", rights: "read" }, "A name has"],
  [{ name: "x" }, "rights is one of read, propose, write, admin"],
  [{ name: "x", rights: "owner" }, "rights is one of"],
  [{ name: "x", rights: "read", folders: [] }, "Folders are"],
  [{ name: "x", rights: "read", folders: ["../up"] }, "Folders are"],
  [{ name: "x", rights: "read", folders: "Projects" }, "Folders are"],
])("the member %j is refused with a reason", async (body, reason) => {
  const { ask, members } = await open();
  await ask("POST", "/workspaces", { id: "garden" });
  const [status, said] = await ask("POST", "/workspaces/garden/members", body);
  expect(status).toBe(400);
  expect(said["error_description"]).toContain(reason);
  expect(members.list()).toEqual([]);
});

test("what is too large, of another type, by another method or elsewhere", async () => {
  const { ask } = await open();
  expect((await ask("POST", "/workspaces", { id: "x".repeat(20_000) }))[0]).toBe(413);
  expect((await ask("POST", "/workspaces"))[0]).toBe(415);
  expect((await ask("GET", "/workspaces"))[0]).toBe(405);
  expect((await ask("POST", "/nowhere", {}))[0]).toBe(404);
});

test("a list of members that is changed as a whole tells of whoever went, and of nobody else", async () => {
  const { ask, members, removed } = await open();
  await ask("POST", "/workspaces", { id: "garden" });
  for (const name of ["a", "b"]) await ask("POST", "/workspaces/garden/members", { name, rights: "read" });
  const consent: Identity = { ...members.list()[0]!, name: "app", secret: null, consent: "c1" };
  await members.change((known) => [...known, consent]);
  await members.change((known) => known.filter(({ name }) => name !== "a"));
  expect(removed.map(({ name }) => name)).toEqual(["a"]);
  expect(members.list().map(({ name, consent: of }) => [name, of])).toEqual([
    ["app", "c1"],
    ["b", undefined],
  ]);
});
