/** T4, the short form of each commit: what several clients were told fits one copy of the notes; no append is lost or refused. */

import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeHome } from "../process.ts";
import { askAndRecord, startSession } from "./clients.ts";
import { commitSeed } from "./dice.ts";
import { anomalies, tokensOf, type Call } from "./recorded.ts";

describe("appends sent without waiting for answers", () => {
  test.each([
    [1, "one connection"],
    [2, "two server processes"],
  ])("100 each from %i: all there, none refused, each connection's in its order", async (servers) => {
    const home = makeHome();
    const path = join(home.vault, "log.md");
    fs.writeFileSync(path, "# Log\n");
    const sessions = await Promise.all(Array.from({ length: servers }, () => startSession(home, "obsidian")));
    const answers = await Promise.all(
      sessions.flatMap((session, number) =>
        Array.from({ length: 100 }, (_, at) =>
          session.call("append_note", { name: "log", text: `t${number}-${at}` }),
        ),
      ),
    );
    await Promise.all(sessions.map((session) => session.close()));
    expect(answers.filter(({ refused }) => refused)).toEqual([]);
    const order = tokensOf(fs.readFileSync(path, "utf8"));
    expect(order).toHaveLength(servers * 100);
    for (let number = 0; number < servers; number++)
      expect(order.filter((token) => token.startsWith(`t${number}-`))).toEqual(
        Array.from({ length: 100 }, (_, at) => `t${number}-${at}`),
      );
    home.remove();
  });
});

test("600 appends, reads and guarded replacements by three servers fit one copy of the notes", async () => {
  const plan = { servers: 3, operations: 600, atOnce: 4, notes: 4, seed: commitSeed() };
  const { calls, final } = await askAndRecord(plan);
  expect(anomalies(calls, final), `seed ${plan.seed}`).toEqual([]);
  const of = (kind: Call["kind"], acknowledged: boolean) =>
    calls.filter((call) => call.kind === kind && call.acknowledged === acknowledged).length;
  expect([of("append", false), of("read", false)]).toEqual([0, 0]);
  // Some replacements must have met another, or nothing was tried.
  expect(Math.min(of("append", true), of("replace", true), of("replace", false))).toBeGreaterThan(0);
});

describe("the checker itself", () => {
  const call = (more: Partial<Call>): Call => ({
    kind: "append",
    note: "n",
    token: "t0-1",
    begun: 0,
    ended: 1,
    acknowledged: true,
    answer: "",
    ...more,
  });
  const second = { token: "t0-2", begun: 2, ended: 3 };
  const read = { kind: "read" as const, begun: 4, ended: 5 };
  const replace = { kind: "replace" as const, expected: "a", answer: "b" };
  test.each<[string, Call[], string, boolean]>([
    ["all is well", [call({}), call(second), call({ ...read, answer: "t0-1 t0-2" })], "t0-1\nt0-2", true],
    ["lost", [call({})], "", false],
    ["refused and there", [call({ acknowledged: false })], "t0-1", false],
    ["twice", [call({})], "t0-1 t0-1", false],
    ["out of order", [call({}), call(second)], "t0-2 t0-1", false],
    ["a stale read", [call({}), call(second), call({ ...read, answer: "t0-1" })], "t0-1 t0-2", false],
    ["a read of nothing that was", [call({}), call({ ...read, answer: "t0-2" })], "t0-1", false],
    [
      "a read of the future",
      [call({ begun: 6, ended: 7 }), call({ ...read, answer: "t0-1" })],
      "t0-1",
      false,
    ],
    ["a chain", [call(replace), call({ ...replace, ...second, expected: "b", answer: "c" })], "t0-2", true],
    ["a fork", [call(replace), call({ ...replace, ...second, answer: "c" })], "t0-2", false],
    [
      "a lost link",
      [call(replace), call({ ...replace, ...second, expected: "x", answer: "y" })],
      "t0-2",
      false,
    ],
  ])("%s", (_, calls, text, well) => {
    expect(anomalies(calls, new Map([["n", text]])).length === 0).toBe(well);
  });
});
