/** T7: another program saves a note while we edit it, and every text it saved is looked for afterwards. */

import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { realCalls, type Calls } from "../../src/disk/calls.ts";
import { NoteError } from "../../src/markdown/errors.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { openTestFolder } from "./notebook.ts";
import { bundle } from "./processes/bundle.ts";
import type { Saved } from "./processes/editor.ts";

export type EditorFigures = {
  edits: number;
  /** Edits of ours that met a save in each of their tries. */
  refused: number;
  saves: number;
  /** Saves that were replaced unseen and are found nowhere. */
  lost: number[];
  /** Saves that were replaced unseen, and are kept. */
  kept: number;
  copies: number;
  /** From our last look at the note to the rename, in microseconds. */
  window: { median: number; most: number };
};

const NOTE = "note.md";
const START = `---\nours: 0\n---\n# Note\n\n${"A line between.\n".repeat(5)}\neditor 0\n\n${"A line at the end.\n".repeat(5)}`;

export async function editorTest(plan: {
  way: "in place" | "rename";
  edits: number;
  every: number;
  place: string;
}): Promise<EditorFigures> {
  const programs = fs.mkdtempSync(join(tmpdir(), "notewright-editor-"));
  const root = fs.mkdtempSync(join(plan.place, "notewright-external-"));
  const windows: number[] = [];
  try {
    const script = join(programs, "editor.mjs");
    await bundle("test/faults/processes/editor.ts", script);
    fs.writeFileSync(join(root, NOTE), START);
    const ours = await openTestFolder(root, { calls: timing(windows) });
    const editor = spawn(process.execPath, [script, join(root, NOTE), plan.way, String(plan.every)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const saves: Saved[] = [];
    const lines = createInterface({ input: editor.stdout });
    lines.on("line", (line) => saves.push(JSON.parse(line) as Saved));
    while (saves.length === 0) await pause(5);
    let refused = 0;
    for (let at = 1; at <= plan.edits; at++) {
      try {
        await ours.notebook.edit([
          { path: notePath(NOTE), edits: [(text) => text.replace(/^ours: \d+/m, `ours: ${at}`)] },
        ]);
      } catch (error) {
        if (!(error instanceof NoteError) || error.code !== "version_conflict") throw error;
        refused++;
      }
      // The editor is another process, but reading what it says is not.
      if (at % 10 === 0) await pause(0);
    }
    editor.stdin.end();
    await new Promise((done) => lines.on("close", done));
    // Long enough for what was kept to be looked at, and for what that replaced.
    for (let waited = 0; waited < 100 && guarded(root) > 0; waited++) await pause(100);
    await ours.notebook.refresh();
    const found = await textsOf(ours, root);
    await ours.close();
    const unseen = unseenSaves(saves);
    const lost = unseen.filter((number) => !found.has(`editor ${number}`));
    const copies = fs.readdirSync(root).filter((name) => name.includes("(conflict ")).length;
    const sorted = windows.toSorted((a, b) => a - b);
    const window = { median: sorted[sorted.length >> 1] ?? 0, most: sorted.at(-1) ?? 0 };
    const { edits } = plan;
    return { edits, refused, saves: saves.length, lost, kept: unseen.length - lost.length, copies, window };
  } finally {
    for (const each of [programs, root]) fs.rmSync(each, { recursive: true, force: true });
  }
}

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));
const guarded = (root: string): number => fs.readdirSync(join(root, ".notewright/guard")).length;

/** Whatever the editor did not see again when it next read the note; of the last one nobody can tell. */
function unseenSaves(saves: readonly Saved[]): number[] {
  return saves.flatMap(({ saved }, at) => {
    const next = saves[at + 1];
    return next?.saw && next.saved === saved + 1 ? [] : [saved];
  });
}

/** Every line that stands in any version of any note. */
async function textsOf(ours: Awaited<ReturnType<typeof openTestFolder>>, root: string): Promise<Set<string>> {
  const lines = new Set<string>();
  const take = (text: string) => {
    for (const line of text.split("\n")) lines.add(line);
  };
  for (const name of fs.readdirSync(root))
    if (name.endsWith(".md")) take(fs.readFileSync(join(root, name), "utf8"));
  for (const { changes } of await ours.history.log({ limit: 1_000_000 }))
    for (const { version } of changes) {
      const bytes = version === null ? null : await ours.history.blob(version);
      if (bytes) take(Buffer.from(bytes).toString("utf8"));
    }
  return lines;
}

/** Takes down how long it is from our last reading of the note to its replacement. */
function timing(windows: number[]): Calls {
  const handles = new Set<number>();
  let read = 0;
  return {
    ...realCalls,
    open(path, flags, mode) {
      const handle = realCalls.open(path, flags, mode);
      if (path.endsWith(`/${NOTE}`)) handles.add(handle);
      return handle;
    },
    fstat(handle) {
      const stats = realCalls.fstat(handle);
      if (handles.has(handle)) read = performance.now();
      return stats;
    },
    close(handle) {
      handles.delete(handle);
      realCalls.close(handle);
    },
    rename(from, to) {
      realCalls.rename(from, to);
      if (to.endsWith(`/${NOTE}`)) windows.push((performance.now() - read) * 1000);
    },
  };
}
