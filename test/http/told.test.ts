/** What a caller who is wrong is told over HTTP, and what the log says of it. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { named, serveInProcess, type InProcess } from "./in-process.ts";
import { modern } from "./served.ts";

let server: InProcess;
beforeEach(async () => {
  server = await serveInProcess({}, [named("admin"), named("reader", { rights: "read" })]);
});
afterEach(() => server.close());

test("a message that is none is the client's mistake, and none of ours", async () => {
  for (const body of ["{}", "[]", '{"jsonrpc":"2.0"}', "7"]) {
    const init = modern("admin", "tools/list");
    const { status } = await fetch(`${server.base}/mcp`, { ...init, body });
    expect(status).toBe(400);
  }
  expect(server.logged.join("\n")).toContain("It does not follow the protocol");
  expect(server.logged.join("\n")).not.toContain("mistake in Notewright");
});

test("a token that comes without the word Bearer", async () => {
  const answer = await fetch(`${server.base}/mcp`, {
    method: "POST",
    headers: { authorization: "admin" },
    body: "{}",
  });
  expect(answer.status).toBe(401);
  expect(await answer.text()).toContain("Send it after the word Bearer: Authorization: Bearer TOKEN.");
});

test("a member who may only read is told so, where the server lets others write", async () => {
  const init = modern("reader", "tools/call", { name: "write_note", arguments: { path: "a.md", text: "a" } });
  const said = await (await fetch(`${server.base}/mcp`, init)).text();
  expect(said).toContain("write_note writes, and your token may only read.");
});
