/** Attack 64: a process is killed at any step of a change. Whoever finishes the change records it as it was meant, as one revision of whoever asked for it. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { join } from "node:path";
import { realCalls } from "../../src/disk/calls.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { some } from "../soak-size.ts";
import { faulty } from "./faulty.ts";
import { makeGrounds, runPoints, type Grounds } from "./grounds.ts";
import { callTool, copyTemplate, notesIn, openProcess, type Call } from "./point.ts";

let grounds: Grounds;
beforeAll(async () => {
  grounds = await makeGrounds();
});
afterAll(() => grounds.remove());

const LARGE = `${"A line of a long note, which is too long to be left waiting.\n".repeat(2000)}`;
const MOVE: Call = ["obsidian", "rename_note", { old_name: "Beta", new_name: "Omega" }];
const CALLS: [string, Call][] = [
  ["a rename that rewrites links", MOVE],
  ["an append", ["obsidian", "append_note", { name: "Alpha", text: "appended" }]],
  ["a long note, recorded at once", ["native", "write_note", { path: "Long.md", text: LARGE }]],
  ["a removal to the trash", ["obsidian", "delete_note", { name: "Beta" }]],
];

test.each(CALLS)("attack 64: %s, killed at any step", async (_, call) => {
  const { ground, count } = await grounds.of(call);
  const points = Array.from({ length: count }, (_, at) => ({
    call,
    at,
    fault: "die after" as const,
    peer: at % 2 === 0,
  }));
  await runPoints(ground, some(points));
});

test("attack 64: what was finished for another can be undone as the work of its client", async () => {
  const { ground, count } = await grounds.of(MOVE);
  const { folder, template, revisions, before, after } = ground;
  let finished = 0;
  const steps = some(Array.from({ length: count }, (_, at) => at));
  for (const at of steps) {
    const place = join(folder, `undo-${at}`);
    copyTemplate(template, place);
    const fate = faulty(at, "die after", realCalls);
    const doomed = await openProcess(place, fate);
    await callTool(doomed, MOVE, revisions);
    await doomed.die();
    const next = await openProcess(place);
    const [newest] = await next.notebook.log({ limit: 1 });
    if (JSON.stringify(notesIn(place)) === JSON.stringify(after)) {
      finished++;
      expect(newest).toMatchObject({
        author: "test",
        surface: "obsidian",
        tool: "rename_note",
        connection: "c",
      });
      expect(newest!.changes.find(({ path }) => path === "Omega.md")!.from).toBe("Beta.md");
      await next.notebook.undo([newest!]);
      expect(notesIn(place)).toEqual(before);
      expect((await next.notebook.log({ path: notePath("Beta.md"), limit: 5 })).length).toBeGreaterThan(1);
    } else expect(newest!.tool).not.toBe("rename_note");
    await next.close();
  }
  expect(finished).toBeGreaterThan(steps.length / 4);
});
