import { expect, test } from "vitest";
import { progressOn } from "./progress.ts";

const written = (
  screen: { isTTY?: boolean },
  environment: Record<string, string>,
  steps: [number, number][],
) => {
  let text = "";
  const show = progressOn({ ...screen, write: (more: string) => (text += more) }, environment);
  for (const [done, total] of steps) show(done, total);
  return text;
};
const steps = Array.from({ length: 51 }, (_, at): [number, number] => [at * 200, 10_000]);

test("elsewhere than on a terminal it is ten plain lines", () => {
  const text = written({}, {}, steps);
  expect(text.split("\n")).toHaveLength(11);
  expect(text).toMatch(/^notewright: indexed 1,000 of 10,000 notes\n/);
  expect(text).toMatch(/notewright: indexed 10,000 of 10,000 notes\n$/);
  expect(text).not.toContain("\u001b");
});

test("on a terminal it is one line that fills", () => {
  const text = written({ isTTY: true }, { NO_COLOR: "1" }, steps);
  expect(text.match(/\n/g)).toHaveLength(1);
  expect(text).toContain(`\rIndexing ${"█".repeat(12)}${"░".repeat(12)} 5,000 of 10,000 notes`);
  expect(text).not.toContain("\u001b[2m");
});

test("a few changed notes are not worth a line", () => {
  expect(
    written({}, {}, [
      [9_950, 10_000],
      [10_000, 10_000],
    ]),
  ).toBe("");
});
