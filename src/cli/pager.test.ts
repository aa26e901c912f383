import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { page, pagerFor } from "./pager.ts";

const folder = mkdtempSync(join(tmpdir(), "notewright-pager-"));
afterAll(() => rmSync(folder, { recursive: true }));
const screen = (more: object = {}) => {
  const written: string[] = [];
  return {
    written,
    output: { isTTY: true, rows: 5, columns: 10, write: (text: string) => written.push(text), ...more },
  };
};
const LONG = "1\n2\n3\n4\n5\n6\n";

test.each([
  ["1\n2\n3\n", {}, {}, null],
  [LONG, {}, {}, "less"],
  [`${"wide ".repeat(10)}\n`, {}, {}, "less"],
  [LONG, {}, { PAGER: "more" }, "more"],
  [LONG, {}, { PAGER: "" }, null],
  [LONG, {}, { PAGER: "cat" }, null],
  [LONG, {}, { TERM: "dumb" }, null],
  [LONG, { isTTY: false }, {}, null],
  [LONG, { rows: undefined }, {}, null],
])("%j on %j with %j goes to %j", (text, size, environment, pager) => {
  expect(pagerFor(text, screen(size).output, environment)).toBe(pager);
});

test("the pager gets the whole text, and flags for less", async () => {
  const { written, output } = screen();
  const file = join(folder, "paged");
  await page(LONG, { PATH: process.env.PATH, PAGER: `{ cat; echo "$LESS"; } > '${file}'` }, output);
  expect(readFileSync(file, "utf8")).toBe(`${LONG}FRX\n`);
  expect(written).toEqual([]);
});

test("a pager that is left early, or fails, is left at that; one that is not there is done without", async () => {
  const { written, output } = screen();
  await page(LONG.repeat(100_000), { PATH: process.env.PATH, PAGER: "exit 1" }, output);
  expect(written).toEqual([]);
  await page(LONG, { PATH: process.env.PATH, PAGER: "no-such-pager 2>/dev/null" }, output);
  expect(written).toEqual([LONG]);
});
