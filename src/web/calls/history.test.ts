import { expect, test } from "vitest";
import type { Notebook } from "../../notebook/notebook.ts";
import type { Revision } from "../../notebook/parts.ts";
import { revisionOf } from "./history.ts";

const ID = "a".repeat(40);
const edited = (path: string): Revision["changes"][number] => ({ path, before: ID, version: ID }) as never;

test("what was meant stands before the links that followed it, and is named where many did", async () => {
  const changes = [
    ...Array.from({ length: 20 }, (_, at) => edited(`Link ${at}.md`)),
    { path: "Gone.md", before: ID, version: null },
    { path: "New.md", before: null, version: ID },
    { path: "There.md", from: "Here.md", before: ID, version: ID },
  ];
  const recorded = { id: "r", date: new Date(0), message: "", surface: "native", changes, touched: 23 };
  const count = async () => ({ added: 0, removed: 0 });
  const { notes, touched } = await revisionOf({ who: {} } as Notebook, count as never, recorded as never);
  expect(notes.map(({ done, path }) => `${done} ${path}`)).toEqual([
    "moved There.md",
    "created New.md",
    "removed Gone.md",
    ...[0, 1, 2, 3, 4].map((at) => `edited Link ${at}.md`),
  ]);
  expect(touched).toBe(23);
});
