import { describe, expect, test } from "vitest";
import { localeNamed } from "../calendar/locales.ts";
import { filled, templateWith, type Filling } from "./templates.ts";

const NOW: Filling = {
  title: "Plan",
  at: { wall: new Date("2026-02-24T14:05:09Z"), offset: 60 },
  locale: localeNamed("en")!,
  date: "YYYY-MM-DD",
  time: "HH:mm",
};
const WEEK: Filling = {
  ...NOW,
  title: "2026-W09",
  date: "gggg-[W]ww",
  at: { ...NOW.at, wall: new Date("2026-02-22T14:05:09Z") },
  period: { format: "[Weeks]/gggg-[W]ww" },
};

describe("words of a template", () => {
  test.each([
    ["# {{title}}", "# Plan"],
    ["{{ Title }} {{date}} {{TIME}}", "Plan 2026-02-24 14:05"],
    ["{{date:dddd, MMMM Do YYYY}}", "Tuesday, February 24th 2026"],
    ["{{time:h:mm A Z}}", "2:05 PM +01:00"],
    ["{{date+1d:YYYY-MM-DD}} {{date-1M:MM}} {{date+1Q:Q}} {{time+90m:HH:mm}}", "2026-02-25 01 2 15:35"],
    ["{{date+1w}} {{date-2y:YYYY}}", "2026-03-03 2024"],
    ["{{yesterday}} {{monday:DD}}", "{{yesterday}} {{monday:DD}}"],
    ["{{unknown}} {{title:x}} {{ {{date}} }}", "{{unknown}} {{title:x}} {{ 2026-02-24 }}"],
    ["{{date:[{{x}}]}}", "{{date:[{{x}}]}}"],
    ["<% tp.date.now() %> {{date}}", "<% tp.date.now() %> 2026-02-24"],
    ["{{date:[$&]}}", "$&"],
  ])("%s", (template, text) => expect(filled(template, NOW)).toBe(text));
});

describe("in the note of a period they mean the period", () => {
  test.each([
    ["{{title}} {{date}}", "2026-W09 2026-W09"],
    ["{{date:YYYY-MM-DD}} {{time}}", "2026-02-22 14:05"],
    ["{{sunday:DD}} {{monday:YYYY-MM-DD}} {{Saturday: D}}", "22 2026-02-23 28"],
    ["{{yesterday:YYYY-MM-DD}} {{tomorrow:DD}} {{yesterday}}", "2026-02-21 23 2026-W08"],
  ])("%s", (template, text) => expect(filled(template, WEEK)).toBe(text));
  test("weeks begin as the locale has them", () => {
    const german = {
      ...WEEK,
      locale: localeNamed("de")!,
      at: { ...NOW.at, wall: new Date("2026-02-23T00:00:00Z") },
    };
    expect(filled("{{monday:DD}} {{sunday:DD}}", german)).toBe("23 01");
  });
});

describe("a text after a template", () => {
  test.each([
    ["# T\n", "Text\n", "# T\n\nText\n"],
    [
      "---\na: 1\nb: 2\n---\n# T\n",
      "---\nb: 3\nc: [x]\n---\nText\n",
      "---\na: 1\nb: 3\nc:\n  - x\n---\n# T\n\nText\n",
    ],
    ["# T\n", "---\na: 1\n---\n", "---\na: 1\n---\n# T\n"],
    ["# T\n", "", "# T\n"],
    ["", "Text\n", "Text\n"],
  ])("%j and %j", (template, text, both) => expect(templateWith(template, text)).toBe(both));
  test("is refused where its fields cannot be read", () => {
    expect(() => templateWith("# T\n", "---\na: [\n---\nText\n")).toThrow(/cannot be read/);
  });
});
