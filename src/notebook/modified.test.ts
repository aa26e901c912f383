import { describe, expect, test } from "vitest";
import { changedAt, fieldTimes, modifiedAt } from "./modified.ts";
import type { Revision } from "./parts.ts";

const at = (time: string): number => new Date(time).getTime();
const NOW = "2026-02-24T12:00:00Z";

describe("the fields tell", () => {
  test.each([
    ["nothing", {}, "UTC", null, null],
    ["a moment", { updated: "2026-02-01T08:30:00Z" }, "UTC", "2026-02-01T08:30:00Z", null],
    ["a moment somewhere", { modified: "2026-02-01 08:30 +02:00" }, "UTC", "2026-02-01T06:30:00Z", null],
    ["a day", { modified: "2026-02-01" }, "UTC", "2026-02-01T00:00:00Z", null],
    ["a day in Vienna", { updated: "2026-02-01" }, "Europe/Vienna", "2026-01-31T23:00:00Z", null],
    ["a summer's day there", { updated: "2025-08-01" }, "Europe/Vienna", "2025-07-31T22:00:00Z", null],
    [
      "the later of both",
      { updated: "2026-01-01", modified: "2026-01-02" },
      "UTC",
      "2026-01-02T00:00:00Z",
      null,
    ],
    ["no date", { updated: "last week", modified: 2026 }, "UTC", null, null],
    ["one in the future", { updated: "2026-02-25" }, "UTC", null, "2026-02-25T00:00:00Z"],
    [
      "one of both",
      { updated: "2027-01-01", modified: "2026-01-01" },
      "UTC",
      "2026-01-01T00:00:00Z",
      "2027-01-01T00:00:00Z",
    ],
    [
      "both in the future",
      { updated: "2028-01-01", modified: "2027-01-01" },
      "UTC",
      null,
      "2027-01-01T00:00:00Z",
    ],
    [
      "today, where it is tomorrow already",
      { updated: "2026-02-25" },
      "Pacific/Auckland",
      "2026-02-24T11:00:00Z",
      null,
    ],
  ] as const)("%s", (_, fields, timeZone, counted, due) => {
    expect(fieldTimes(fields, { now: () => new Date(NOW), timeZone })).toEqual({
      counted: counted === null ? null : at(counted),
      due: due === null ? null : at(due),
    });
  });
});

test.each([
  ["only the file", null, null, 5000, 5000],
  ["a field, and no change recorded", 2000, null, 5000, 2000],
  ["a change after the field", 2000, 3000, 5000, 3000],
  ["a field after the change", 4000, 3000, 5000, 4000],
  ["a change, whatever the file says", null, 3000, 5000, 3000],
  ["a change that is not recorded yet", 2000, "since", 5000, 5000],
  ["whole seconds", null, null, 5999, 5000],
] as const)("%s", (_, counted, change, saved, modified) => {
  expect(modifiedAt(counted, change, saved)).toBe(modified);
});

describe("a revision changed a note's text", () => {
  const date = new Date("2026-01-01T00:00:00Z");
  const saved = new Date("2025-01-01T00:00:00Z");
  const [path, from] = ["a.md", "b.md"] as Revision["changes"][number]["path"][];
  test.each([
    ["made by us", "native", { before: null, version: "1" }, date],
    ["changed by us", "native", { before: "1", version: "2" }, date],
    ["restored as it was", "wiki", { before: "1", version: "1" }, date],
    ["moved", "native", { before: "1", version: "1", from }, null],
    ["moved and changed", "native", { before: "1", version: "2", from }, date],
    ["taken away", "native", { before: "1", version: null }, null],
    ["found", "outside", { before: null, version: "1" }, null],
    ["changed outside", "outside", { before: "1", version: "2" }, date],
    ["changed outside, saved earlier", "outside", { before: "1", version: "2", saved }, saved],
    ["moved outside", "outside", { before: "1", version: "1", from }, null],
  ])("%s", (_, surface, change, when) => {
    const revision = { surface, date } as Revision;
    expect(changedAt(revision, { path: path!, ...change } as Revision["changes"][number])).toBe(
      when?.getTime() ?? null,
    );
  });
});
