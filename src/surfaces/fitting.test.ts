import { expect, test } from "vitest";
import { LIST_ROOM, firstThatFit, listRemark, withRemark } from "./fitting.ts";

const asIs = (item: string) => item;

test("a list that fits is given whole", () => {
  expect(firstThatFit(["a", "b", "c"], asIs, 1)).toEqual(["a", "b", "c"]);
  expect(firstThatFit([], asIs, 1)).toEqual([]);
});

test.each([
  [["aaaa", "bbbb", "cccc"], 1, 10, 2],
  [["aaaa", "bbbb", "cccc"], 1, 9, 1],
  [["aaaa"], 1, 3, 0],
  [["éé", "éé"], 0, 7, 1],
])("%j with %i between them, in a room of %i bytes: %i fit", (items, between, room, fits) => {
  expect(firstThatFit(items, asIs, between, room)).toEqual(items.slice(0, fits));
});

test("a long list is cut on a whole item, within the room", () => {
  const items = Array.from({ length: 200_000 }, (_, at) => `note ${at}`);
  const shown = firstThatFit(items, JSON.stringify, 1);
  expect(shown.length).toBeLessThan(items.length);
  expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThanOrEqual(LIST_ROOM + 1);
  expect(Buffer.byteLength(JSON.stringify(items.slice(0, shown.length + 1)))).toBeGreaterThan(LIST_ROOM);
});

test("a remark says what is missing, and there is none where nothing is", () => {
  expect(listRemark(3, 3)).toBe("");
  expect(listRemark(3, 5)).toContain("3 of 5");
  expect(listRemark(3, 3, { partial: true })).toContain("no time to look at every note");
  const soFar = { done: 2310, total: 6571 };
  expect(listRemark(3, 3, { partial: true, soFar })).toContain("Still indexing, 2,310 of 6,571 notes so far");
  expect(listRemark(0, 0, { partial: true, unread: 1 })).toContain(
    "1 note could not be read when last tried",
  );
  expect(listRemark(3, 3, { partial: true, unread: 2 })).toContain("2 notes could not be read");
  expect(withRemark({ a: 1 }, "")).toEqual({ a: 1 });
  expect(withRemark({ a: 1 }, "cut")).toEqual({ text: '{"a":1}', remark: "cut" });
  expect(withRemark("text", "cut")).toEqual({ text: "text", remark: "cut" });
});
