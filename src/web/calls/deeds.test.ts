import { expect, test } from "vitest";
import { deedOf, followed } from "./deeds.ts";

type Made = { message: string; author: string; changes: object[]; touched?: number; surface?: string };
const said = ({ changes, ...made }: Made): string =>
  deedOf({ touched: changes.length, ...made, changes } as never)
    .map((piece) =>
      typeof piece === "string" ? piece : "name" in piece ? `‹${piece.name}›` : `@${piece.author}`,
    )
    .join("");
const edited = (path: string) => ({ path, before: "a", version: "b" });
const created = (path: string) => ({ path, before: null, version: "b" });
const moved = (from: string, path: string) => ({ path, from, before: "a", version: "a" });
const author = "bot";

test("notes that were created, edited and removed are named; of many the first three", () => {
  const changes = [edited("P/Eve.md"), created("Ada.md"), edited("Bob.md")];
  expect(said({ author, message: "Update 3 notes: Ada and others", changes })).toBe(
    "created ‹Ada›, edited ‹Eve› and ‹Bob›",
  );
  const many = ["A", "B", "C", "D", "E"].map((name) => edited(`${name}.md`));
  expect(said({ author, message: "Update 5 notes: A and others", changes: many })).toBe(
    "edited ‹A›, ‹B›, ‹C› and 2 more notes",
  );
  expect(said({ author, message: "x", changes: many.slice(0, 2), touched: 9 })).toBe(
    "edited ‹A›, ‹B› and 7 more notes",
  );
});

test("a folder that was moved is said by its folders, a rename by both names, and links that followed are counted", () => {
  const folder = [moved("Obsidian Sync/a.md", "Sync/a.md"), moved("Obsidian Sync/x/b.md", "Sync/x/b.md")];
  const message = "Move 2 notes: Sync/a and others";
  expect(said({ author, message, changes: folder })).toBe("moved 2 notes from ‹Obsidian Sync› to ‹Sync›");
  const rename = [moved("L/Internal links.md", "L/Links.md"), edited("a.md"), edited("b.md")];
  const renamed = { author, message: "Move note: L/Links", changes: rename };
  expect(said(renamed)).toBe("renamed ‹Internal links› to ‹Links›; links in 2 notes followed");
  expect(followed({ ...renamed, touched: 3 } as never)).toBe(2);
  // More was asked for than moved: what else was edited was meant.
  expect(followed({ ...renamed, message: "Move 2 notes: L/Links and others", touched: 3 } as never)).toBe(0);
  expect(said({ author, message, changes: [moved("Inbox/a.md", "a.md")] })).toBe(
    "moved ‹a› from ‹Inbox› to the top folder",
  );
  const both = [moved("a.md", "b.md"), moved("c.md", "D/c.md")];
  expect(said({ author, message, changes: both })).toBe(
    "renamed ‹a› to ‹b›, moved ‹c› from the top folder to ‹D›",
  );
});

test("undo, redo and a version that was set back are called so", () => {
  const changes = [edited("Ada.md")];
  expect(said({ author, message: "Undo: Update note: Ada", changes })).toBe("undid a change of ‹Ada›");
  expect(said({ author, message: "Undo: Undo: Update note: Ada", changes })).toBe("redid a change of ‹Ada›");
  expect(said({ author, message: "Undo 3 changes by Research agent\n\nTakes back", changes })).toBe(
    "undid 3 changes by @Research agent",
  );
  expect(said({ author, message: "Undo: Undo 3 changes", changes })).toBe("redid 3 changes");
  expect(said({ author, message: "Restore note: Ada", changes })).toBe("set back ‹Ada›");
  expect(said({ author, message: "Record 9 notes as found", surface: "outside", changes, touched: 9 })).toBe(
    "recorded 9 notes",
  );
});
