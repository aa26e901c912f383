/** The tour behind `npm start`, and its picture in the README. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { filesBelow, makeHome, runToEnd } from "./process.ts";
import { tourPicture } from "./tour-picture.ts";

const PICTURE = "docs/tour.svg";
const home = makeHome();
afterAll(home.remove);
const { environment } = home;

test("the tour runs from beginning to end, as the picture shows it, and leaves nothing behind", async () => {
  const ended = await runToEnd(["dist/tour.mjs"], { environment: { ...environment, TMPDIR: home.folder } });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(ended.stdout).toContain("+- [ ] Borrow the long spade");
  expect(ended.stdout).toContain("claude mcp add notes");
  expect(ended.stdout).toContain("notewright.mjs install --vault ");
  if (process.env.PAGES === "write") writeFileSync(PICTURE, tourPicture(ended.stdout));
  expect(readFileSync(PICTURE, "utf8"), "PAGES=write npx vitest run test/tour.test.ts renews it").toBe(
    tourPicture(ended.stdout),
  );
  expect(Object.keys(filesBelow(home.folder)).filter((path) => path.includes("notewright-tour"))).toEqual([]);
});

test("the tour of one's own notes shows them at the first time, and writes nothing into them", async () => {
  const fresh = makeHome();
  try {
    const before = filesBelow(fresh.vault);
    const notes = Object.keys(before).filter((path) => path.endsWith(".md"));
    const ended = await runToEnd(["dist/tour.mjs", fresh.vault], { environment: fresh.environment });
    expect(ended).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("read only") });
    expect(ended.stdout).toContain(`serves ${notes.length} notes`);
    expect(ended.stdout).toMatch(/1\. Search .*\n +\S+.*\.md/);
    expect(ended.stdout).toContain("2. Read");
    expect(filesBelow(fresh.vault)).toEqual(before);
    const empty = join(fresh.folder, "empty");
    mkdirSync(empty);
    const nothing = await runToEnd(["dist/tour.mjs", empty], { environment: fresh.environment });
    expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining("There is no .md file") });
  } finally {
    fresh.remove();
  }
});
