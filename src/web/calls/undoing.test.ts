import { expect, test } from "vitest";
import { NoteError } from "../../markdown/errors.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { bounded, resultOf } from "../../protocol/answers.ts";
import { EDITS, type Tool } from "../../surfaces/surface.ts";
import { undoing } from "./undoing.ts";

const MANY = 6000;
const paths = Array.from({ length: MANY }, (_, at) => `${"A long folder name/".repeat(4)}Note ${at}.md`);
const count = async () => ({ added: 0, removed: 0 });
const undo = { name: "undo", annotations: EDITS } as Tool;
const goesOut = (answer: object): void => void bounded(undo, resultOf(answer));

test("the answer goes out once notes are written, however many keep something or break rules", async () => {
  const state = (version: string) => ({ version, text: "Words.\n" });
  const changes = paths.map((path) => ({ path, before: state("b"), after: state("c") }));
  const broken = paths.map((path) => ({ path, verdict: { issues: [] } }));
  const notebook = { undo: async () => ({ changes, broken, revision: "r" }) } as unknown as Notebook;
  const revisions = [{ changes: paths.map((path) => ({ path, before: "a", version: "b" })) }];
  const answer = await undoing(notebook, count, revisions as never, { skip: [], preview: false });
  goesOut(answer);
  expect(answer.touched).toBe(MANY);
  expect(answer.stays.length).toBeGreaterThan(500);
  expect(answer.broken.length).toBeGreaterThan(500);
});

test("a preview goes out, however many notes stand in the way, and however much of them differs", async () => {
  const long = (word: string): string => `${word}\n`.repeat(500);
  const conflicts = paths.map((path) => ({
    path,
    reason: "edited since",
    now: long("Da"),
    earlier: long("Ja"),
  }));
  const undoes = async () => {
    throw new NoteError("version_conflict", "No.", { conflicts: conflicts.slice(0, 300) });
  };
  const notebook = { undo: undoes } as unknown as Notebook;
  const answer = await undoing(notebook, count, [], { skip: [], preview: true });
  goesOut(answer);
  expect(answer.conflicts.length).toBe(300);
  expect(answer.conflicts[0]!.diff.parts.length).toBeGreaterThan(0);
  expect(answer.conflicts.at(-1)!.diff.unshown).toBe(1);
});

test("a note that is as it was before already is no note to undo, whatever others wrote elsewhere in it", async () => {
  const now = { version: "c", text: "Words.\n" };
  const notebook = {
    undo: async () => ({ changes: [{ path: "a.md", before: now, after: now }], broken: [], revision: null }),
  } as unknown as Notebook;
  const revisions = [{ changes: [{ path: "a.md", before: "a", version: "b" }] }];
  const answer = await undoing(notebook, count, revisions as never, { skip: [], preview: true });
  expect([answer.touched, answer.changed, answer.stays]).toEqual([0, [], []]);
});
