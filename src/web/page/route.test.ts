import { expect, test } from "vitest";
import { changeAddress, noteAddress, routeOf, searchAddress, undoAddress } from "./route.ts";

test.each(["A.md", "Folder/What? #1 & 100% + ü.md", "a/b/c d.md", "‮evil.md"])(
  "the address of %s leads back to it",
  (path) => {
    expect(routeOf(noteAddress(path))).toEqual({ screen: "note", path, at: null, section: null, line: null });
    expect(routeOf(noteAddress(path, "note", { at: "1a2b", section: "What & why?" }))).toEqual({
      screen: "note",
      path,
      at: "1a2b",
      section: "What & why?",
      line: null,
    });
    expect(routeOf(noteAddress(path, "edit"))).toEqual({ screen: "edit", path });
  },
);

test("other addresses lead back, too, and wrong ones nowhere", () => {
  expect(routeOf(searchAddress('"a b" tag:x & y'))).toEqual({ screen: "home", query: '"a b" tag:x & y' });
  expect(routeOf(changeAddress("1a2b"))).toEqual({ screen: "change", id: "1a2b" });
  for (const which of [{ since: "2026-11-18T00:00:00.000Z" }, { revisions: ["1a2b", "3c4d"] }])
    expect(routeOf(undoAddress("A & B", which))).toEqual({ screen: "undo", author: "A & B", which });
  expect(routeOf("")).toEqual({ screen: "home", query: "" });
  expect(routeOf("#/nowhere")).toEqual({ screen: "lost" });
  expect(routeOf("#/note/%E0%A4%A")).toMatchObject({ screen: "note", path: "%E0%A4%A" });
});
