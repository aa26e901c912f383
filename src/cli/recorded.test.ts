import { expect, test } from "vitest";
import { wordsIn } from "./recorded.ts";

const folders = new Set(["~/Notes", "/n", "beef"]);
const words = (...rest: string[]) => wordsIn(rest, (path) => folders.has(path));

test.each([
  [[], { revisions: [], notes: [], vault: undefined }],
  [["/n"], { revisions: [], notes: [], vault: "/n" }],
  [["Plan", "~/Notes"], { revisions: [], notes: ["Plan"], vault: "~/Notes" }],
  [
    ["1f2e", "9a8b7c6d", "Garden/Plan", "/n"],
    { revisions: ["1f2e", "9a8b7c6d"], notes: ["Garden/Plan"], vault: "/n" },
  ],
  [["Plan.md", "1F2E3D4C"], { revisions: ["1F2E3D4C"], notes: ["Plan.md"], vault: undefined }],
  [["cafe.md", "cafe"], { revisions: ["cafe"], notes: ["cafe.md"], vault: undefined }],
  [["beef", "beef"], { revisions: ["beef"], notes: [], vault: "beef" }],
  [["abc", "-rf"], { revisions: [], notes: ["abc", "-rf"], vault: undefined }],
])("%j means %j", (rest, meant) => {
  expect(words(...rest)).toEqual(meant);
});

test.each([["/none"], ["~/Nots"], ["./x"], ["../x"]])(
  "%s is meant as a folder, and there is none",
  (word) => {
    expect(() => words("Plan", word)).toThrow(`There is no folder at ${word}`);
  },
);
