import { describe, expect, test } from "vitest";
import { ruleReader } from "../../knowledge/rule-edits.ts";
import { readSettings } from "./vault-settings.ts";
import type { SettingsPath } from "./settings-files.ts";

const PERIODIC = ".obsidian/plugins/periodic-notes/data.json";
const PLUGINS = ".obsidian/community-plugins.json";
const DAILY = ".obsidian/daily-notes.json";
const APP = ".obsidian/app.json";

const read = (files: Partial<Record<SettingsPath, unknown>>) =>
  readSettings(
    Object.entries(files).map(([path, value]) => ({
      path: path as SettingsPath,
      text: typeof value === "string" ? value : JSON.stringify(value),
    })),
    ruleReader,
    [],
  );

describe("periodic notes", () => {
  const daily = { folder: "/Journal/", format: "YYYY/MM/DD", template: "T/Day" };
  const ofDaily = { folder: "Journal", format: "YYYY/MM/DD", template: "T/Day", file: DAILY };
  test("of the plugin's first shape come before the core ones, where they are turned on", () => {
    const weekly = { folder: "W", format: "", template: "T/Week.md", enabled: true };
    const { periods, troubles } = read({
      [PLUGINS]: ["dataview", "periodic-notes"],
      [PERIODIC]: {
        weekly,
        daily: { folder: "D", format: "DD", enabled: true },
        monthly: { ...weekly, enabled: false },
      },
      [DAILY]: daily,
    });
    expect(periods).toEqual({
      day: [{ folder: "D", format: "DD", template: "", file: PERIODIC }, ofDaily],
      week: [{ folder: "W", format: "", template: "T/Week.md", file: PERIODIC }],
      month: [],
      quarter: [],
      year: [],
    });
    expect(troubles).toEqual([]);
  });
  test("of its second shape are those of the set that is active", () => {
    const week = { enabled: true, folder: "W", format: "gggg", templatePath: "T/W.md" };
    const calendarSets = [{ id: "Other" }, { id: "Default", week, day: { enabled: false, folder: "no" } }];
    const { periods } = read({
      [PLUGINS]: ["periodic-notes"],
      [PERIODIC]: { calendarSets, activeCalendarSet: "Default" },
    });
    expect(periods.week).toEqual([{ folder: "W", format: "gggg", template: "T/W.md", file: PERIODIC }]);
    expect(periods.day).toEqual([]);
  });
  test("of a plugin that is not turned on are passed over", () => {
    const { periods } = read({
      [PLUGINS]: ["calendar"],
      [PERIODIC]: { daily: { enabled: true, folder: "D" } },
      [DAILY]: daily,
    });
    expect(periods.day).toEqual([ofDaily]);
  });
});

describe("what cannot be used is named and left out", () => {
  test.each([
    [{ [DAILY]: "{ folder: 1" }, "is no JSON"],
    [{ [DAILY]: "" }, "is no JSON"],
    [{ [DAILY]: "[]" }, "is no JSON object"],
    [{ [DAILY]: "null" }, "is no JSON object"],
    [{ [DAILY]: "[".repeat(10_000) }, "nested more than"],
    [{ [DAILY]: { folder: 5 } }, '"folder" that is no short text'],
    [{ [DAILY]: { format: "Y".repeat(201) } }, "format that is too long"],
    [{ [DAILY]: { template: "x".repeat(2000) } }, '"template" that is no short text'],
    [{ [APP]: { userIgnoreFilters: "x" } }, "no list"],
    [{ [APP]: { userIgnoreFilters: ["/(a)\\1/"] } }, "refers back to a group"],
    [{ [APP]: { userIgnoreFilters: ["/(?=x)/"] } }, "looks ahead"],
    [{ [APP]: { userIgnoreFilters: ["/(/"] } }, "cannot be used"],
    [{ [APP]: { userIgnoreFilters: Array.from({ length: 101 }, () => "x/") } }, "more than 100 filters"],
  ] as [Partial<Record<SettingsPath, unknown>>, string][])("%j: %s", (files, said) => {
    const { troubles } = read(files);
    expect(troubles).toHaveLength(1);
    expect(troubles[0]!.what).toContain(said);
  });
  test("keys of objects that JSON has none of are no settings", () => {
    const { periods } = read({
      [PLUGINS]: ["periodic-notes"],
      [PERIODIC]: '{"__proto__": {"weekly": {"enabled": true}}}',
    });
    expect(periods.week).toEqual([]);
  });
});

test("filters are prefixes of paths, or patterns between slashes", () => {
  const { ignored } = read({
    [APP]: { userIgnoreFilters: ["Templates/", "/^old|\\.draft\\.md$/", "", 5, "/"] },
  });
  expect(ignored.prefixes).toEqual(["Templates/", "/"]);
  expect(["old/a.md", "a.draft.md", "a old.md"].map(ignored.found)).toEqual([true, true, false]);
});
