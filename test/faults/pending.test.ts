/** G3 as a reader sees it: a process dies in the middle of a change of several notes, and whoever reads is told so until it is finished. */

import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { realCalls } from "../../src/disk/calls.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { faulty, quickPlace } from "./faulty.ts";
import { callTool, copyTemplate, makeTemplate, notesIn, openProcess, type Call } from "./point.ts";

const CHANGE: Call = [
  "native",
  "edit_notes",
  {
    edits: [
      { note: "Beta.md", do: "append", text: "changed" },
      { note: "folder/Gamma.md", do: "append", text: "changed" },
    ],
  },
];
const READ: Call = ["native", "read_notes", { notes: ["Beta.md", "folder/Gamma.md"] }];
const TOLD = "a change of several notes is under way";

let template: Awaited<ReturnType<typeof makeTemplate>>;
let place: string;
beforeAll(async () => {
  template = await makeTemplate();
  place = fs.mkdtempSync(join(quickPlace, "notewright-pending-"));
});
afterAll(() => {
  for (const folder of [template.folder, place]) fs.rmSync(folder, { recursive: true, force: true });
});

test("wherever the process dies, half a change is never shown without a word", async () => {
  const { revisions } = template;
  let half = 0;
  for (let at = 0, met = true; met; at++) {
    const folder = join(place, String(at));
    copyTemplate(template.folder, folder);
    const reader = await openProcess(folder);
    const fate = faulty(at, "die after", realCalls);
    const doomed = await openProcess(folder, fate);
    await callTool(doomed, CHANGE, revisions);
    await doomed.die();
    met = fate.seen.fired;

    const { "Beta.md": beta, "folder/Gamma.md": gamma } = notesIn(folder);
    const changed = [beta, gamma].filter((text) => text!.includes("changed")).length;
    const { said, data } = await callTool(reader, READ, revisions);
    expect(said.includes("changed"), `call ${at}`).toBe(changed > 0);
    if (changed === 1) {
      half++;
      expect(said, `call ${at}: ${fate.seen.names[at]}`).toContain(TOLD);
      expect(data).toMatchObject({ notes: [{ pending_operation: true }, { pending_operation: true }] });
    }
    // The next change, of whatever note, finishes it first.
    await reader.notebook.write(notePath("other.md"), "text\n");
    expect((await callTool(reader, READ, revisions)).said, `call ${at}`).not.toContain(TOLD);
    await reader.close();
  }
  expect(half).toBeGreaterThan(0);
});
