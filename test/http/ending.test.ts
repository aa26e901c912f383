/** What was answered over HTTP is kept, however the server ends; and it ends when it is asked to. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeHome, type Home } from "../process.ts";
import { some } from "../soak-size.ts";
import { callTool, modern, serveHttp, type HttpServed } from "./served.ts";

let home: Home | undefined;
afterEach(() => home?.remove());

const WRITES = 200;

/** Writes to as many notes at once as there are writers, and one note that all append to; the names of those that were answered. */
const writeAll = (served: HttpServed, token: string): { answered: Set<string>; ended: Promise<unknown> } => {
  const answered = new Set<string>();
  const write = async (at: number): Promise<void> => {
    const edits = [
      { note: `Notes/${at}.md`, do: "append", text: `word${at}` },
      { note: "Shared.md", do: "append", text: `shared${at}` },
    ];
    const said = await callTool(
      `${served.base}/mcp`,
      token,
      "edit_notes",
      { create: true, edits },
      `c${at % 7}`,
    );
    if (said.includes(`Notes/${at}.md`)) answered.add(String(at));
  };
  const ended = Promise.allSettled(Array.from({ length: WRITES }, (_, at) => write(at)));
  return { answered, ended };
};

/** Every answered write is in both notes, whole, once; the history is sound and knows them. */
const check = (vault: string, answered: ReadonlySet<string>): void => {
  const shared = readFileSync(join(vault, "Shared.md"), "utf8").split("\n");
  for (const at of answered) {
    expect(readFileSync(join(vault, `Notes/${at}.md`), "utf8").trim()).toBe(`word${at}`);
    expect(shared.filter((line) => line === `shared${at}`)).toHaveLength(1);
  }
  const git = (...args: string[]): string =>
    execFileSync("git", ["--git-dir", join(vault, ".notewright/history.git"), ...args], { encoding: "utf8" });
  git("fsck", "--full", "--strict");
  const known = git("show", "main:Shared.md").split("\n");
  for (const at of answered) expect(known).toContain(`shared${at}`);
};

test.each(some([30, 120, 300]))(
  "killed when %i of the writes have been answered: nothing answered is lost, and the next start serves at once",
  { timeout: 120_000 },
  async (count) => {
    home = makeHome();
    const served = await serveHttp([], { home });
    const { token } = served;
    const { answered, ended } = writeAll(served, token);
    await expect
      .poll(() => answered.size >= Math.min(count, WRITES), { timeout: 60_000, interval: 1 })
      .toBe(true);
    await served.kill();
    await ended;
    const next = await serveHttp([], { home });
    const first = await fetch(
      `${next.base}/mcp`,
      modern(token, "tools/call", { name: "read_notes", arguments: { notes: ["Shared.md"] } }),
    );
    expect(first.status).toBe(200);
    expect(await first.text()).toContain("shared");
    // A change through the next server records what was pending.
    await callTool(`${next.base}/mcp`, token, "write_note", { path: "Last.md", text: "last" });
    expect(await next.end()).toBe(0);
    check(home.vault, answered);
  },
);

test(
  "asked to end while writes are under way: what was answered is kept, and it ends with 0",
  { timeout: 120_000 },
  async () => {
    home = makeHome();
    const served = await serveHttp([], { home });
    const { answered, ended } = writeAll(served, served.token);
    await expect.poll(() => answered.size >= 20, { timeout: 60_000, interval: 1 }).toBe(true);
    expect(await served.end()).toBe(0);
    await ended;
    const next = await serveHttp([], { home });
    await callTool(`${next.base}/mcp`, served.token, "write_note", { path: "Last.md", text: "last" });
    expect(await next.end()).toBe(0);
    check(home.vault, answered);
  },
);
