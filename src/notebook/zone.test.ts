import { describe, expect, test } from "vitest";
import { dayAt, isDay, wallClock, zoned } from "./zone.ts";

describe("the day", () => {
  const moment = new Date("2026-02-24T23:30:00Z");
  test.each([
    ["UTC", "2026-02-24"],
    ["Europe/Berlin", "2026-02-25"],
    ["Pacific/Kiritimati", "2026-02-25"],
    ["America/Los_Angeles", "2026-02-24"],
  ])("in %s it is %s", (zone, day) => {
    expect(dayAt(moment, zone)).toBe(day);
  });

  test("days before and after it are those of the calendar", () => {
    expect(dayAt(moment, "UTC", -24)).toBe("2026-01-31");
    expect(dayAt(moment, "Europe/Berlin", 4)).toBe("2026-03-01");
  });

  test.each(["2026-02-24", "2024-02-29", "0001-01-01"])("%s is one", (written) => {
    expect(isDay(written)).toBe(true);
  });
  test.each(["2026-02-30", "2025-02-29", "2026-2-4", "2026-02-24T00:00", "2026-02-24\n", ""])(
    "%j is none",
    (written) => {
      expect(isDay(written)).toBe(false);
    },
  );
});

test.each([
  ["0987-06-05T04:03:02Z", "UTC"],
  ["0001-01-02T00:00:00Z", "UTC"],
  ["2026-03-29T03:30:00Z", "Europe/Berlin"],
  ["2026-02-24T14:00:30.500Z", "America/New_York"],
  ["1931-02-24T14:00:30.500Z", "America/New_York"],
])("a clock that shows %s in %s shows it at one moment", (shown, zone) => {
  const wall = new Date(shown);
  expect(wallClock(zoned(wall, zone), zone)).toEqual(wall);
});
