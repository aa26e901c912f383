import { expect, test } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import { failureLine, messageLine } from "./failure.ts";

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
  const line = failureLine("It failed.", error);
  expect(line).not.toContain(SECRET);
  expect(line).not.toMatch(/ada|[/\\]/);
  expect(line).not.toContain("\n");
});

test.each([
  [
    "a refusal of the disk",
    new NoteError("disk_failed", "The disk failed (EIO). Try again; if it stays, check the disk."),
    "The disk failed (EIO). Try again; if it stays, check the disk.",
  ],
  ["a refusal that may name a note", new NoteError("note_missing", "x"), "It was refused with note_missing."],
  [
    "a word of the system",
    Object.assign(new Error("EACCES: permission denied, open '/home/ada/x'"), { code: "EACCES" }),
    "The system does not permit it (EACCES).",
  ],
  ["one we do not know", Object.assign(new Error("x"), { code: "EXDEV" }), "The system refused it (EXDEV)."],
  [
    "a word of the index",
    Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR" }),
    "The index said: database or disk is full.",
  ],
])("%s is told in a sentence, without a place in the code", (_, error, reason) => {
  expect(failureLine("What it means.", error)).toBe(`What it means. ${reason}`);
});

test("a message that follows no protocol is no mistake of ours, unless our code failed over it", () => {
  expect(messageLine(new Error('Invalid request: "a text"'))).toBe(
    "A message of the client could not be used. It does not follow the protocol: Invalid request: ….",
  );
  expect(messageLine(new TypeError("x is not iterable"))).toContain("This is a mistake in Notewright");
  expect(messageLine(Object.assign(new Error("x"), { code: "EIO" }))).toContain("The disk failed (EIO).");
});

test("a mistake of ours is told as one, with what failed, where, and why", () => {
  const line = failureLine(
    "A call failed.",
    new TypeError("rows is not iterable", { cause: Object.assign(new Error("disk"), { code: "EIO" }) }),
  );
  expect(line).toMatch(
    /^A call failed\. This is a mistake in Notewright; please report it: TypeError: rows is not iterable \(failure\.test\.ts:\d+:\d+\)\. Its cause: The disk failed \(EIO\)\.$/,
  );
});
