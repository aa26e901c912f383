import { describe, expect, test } from "vitest";
import { decodeStamp, encodeStamp, isCurrent, NO_STAMP, partial, racy, stampOf } from "./stamp.ts";

const stamps = [
  ["read", "x", stampOf("x")],
  ["racy", "x?", racy(stampOf("x"))],
  ["partial", "x+", partial(stampOf("x"))],
  ["racy and partial", "x?+", partial(racy(stampOf("x")))],
  ["none", "", NO_STAMP],
] as const;

describe.each(stamps)("%s", (name, text, stamp) => {
  test("is stored as one text and comes back", () => {
    expect(encodeStamp(stamp)).toBe(text);
    expect(decodeStamp(text)).toEqual(stamp);
  });
  test("is current only where all was read, and may not be saved again under it", () =>
    expect(isCurrent(stamp, "x")).toBe(name === "read"));
});

test("nothing held, or another file's, is not current", () =>
  expect([isCurrent(null, "x"), isCurrent(undefined, ""), isCurrent(stampOf("y"), "x")]).toEqual(
    Array(3).fill(false),
  ));
