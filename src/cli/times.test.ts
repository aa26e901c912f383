import { expect, test } from "vitest";
import { localTime, timeAgo } from "./times.ts";

const NOW = new Date("2026-11-15T15:30:00Z");

test.each([
  ["2026-11-15T15:30:00Z", "just now"],
  ["2026-11-15T15:31:00Z", "just now"],
  ["2026-11-15T15:29:59Z", "1 second ago"],
  ["2026-11-15T15:28:59Z", "1 minute ago"],
  ["2026-11-15T13:29:00Z", "2 hours ago"],
  ["2026-11-13T15:29:00Z", "2 days ago"],
  ["2025-11-15T15:29:00Z", "52 weeks ago"],
])("%s was %s", (date, said) => {
  expect(timeAgo(new Date(date), NOW)).toBe(said);
});

test("a time is shown as the clocks there showed it", () => {
  expect(localTime(NOW, "Asia/Kolkata")).toBe("2026-11-15 21:00:00");
});
