import { expect, test } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import { defectLine } from "./defect.ts";

const SECRET = "my diary";
const parseError = () => {
  try {
    return JSON.parse(SECRET) as never;
  } catch (error) {
    return error;
  }
};

test.each([
  ["a parser that quotes its input", parseError()],
  [
    "a file system error",
    Object.assign(new Error(`ENOENT: no such file, open '/home/ada/${SECRET}.md'`), { code: "ENOENT" }),
  ],
  ["a path without quotes", new Error("cannot open /home/ada/notes/x.md now")],
  ["a Windows path", new Error("cannot open C:\\Users\\ada\\x.md now")],
  ["a refusal that names a note", new NoteError("note_missing", `Note ${SECRET} not found`)],
  ["a cause", new Error("wrapped", { cause: new Error(`bad value "${SECRET}" at line 3`) })],
  ["a second line", new Error(`first\n${SECRET}`)],
  ["something thrown that is no error", SECRET],
])("%s leaves no note text and no path in the log", (_, error) => {
  const line = defectLine(error);
  expect(line).not.toContain(SECRET);
  expect(line).not.toMatch(/ada|[/\\]/);
  expect(line).not.toContain("\n");
});

test("what failed, where, and why stays readable", () => {
  const line = defectLine(
    new TypeError("rows is not iterable", { cause: Object.assign(new Error("disk"), { code: "EIO" }) }),
  );
  expect(line).toMatch(
    /^TypeError: rows is not iterable \[.*defect\.test\.ts:\d+:\d+.*\]; caused by Error EIO: disk/,
  );
});
