/** Git's formats, against what git itself says of the same bytes. */

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { plainMessage, readMessage, withTrailers } from "./message.ts";
import { idOf } from "./hashing.ts";
import { decodeCommit, encodeCommit, identName, recordable, type Commit } from "./objects.ts";
import { applyDelta } from "./pack.ts";

const commit: Commit = {
  tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  parent: null,
  author: { name: "Ada", email: "a@x", date: new Date(1_700_000_000_000) },
  committer: { name: "notewright", email: "h@x", date: new Date(1_700_000_001_000) },
  message: "Write ä\n\nSurface: wiki",
};

test.each(["", "hello\n", "é\r\n", "x".repeat(100_000)])("a blob has the id git gives it", (text) => {
  const printed = execFileSync("git", ["hash-object", "--no-filters", "--stdin"], {
    input: text,
    encoding: "utf8",
  });
  expect(idOf("blob", Buffer.from(text))).toBe(printed.trim());
});

test("a commit reads back as it was written, and has the id git gives it", () => {
  for (const one of [commit, { ...commit, parent: "a".repeat(40) }]) {
    const bytes = encodeCommit(one);
    expect(decodeCommit(bytes)).toEqual(one);
    const printed = execFileSync("git", ["hash-object", "-t", "commit", "--literally", "--stdin"], {
      input: bytes,
      encoding: "utf8",
    });
    expect(idOf("commit", bytes)).toBe(printed.trim());
  }
});

test.each([
  [new Date(Number.NaN), 0],
  [new Date(-1), 0],
  [new Date(1999), 1000],
  [new Date("2100-01-01"), Date.parse("2100-01-01")],
])("the date %s is one git can hold", (date, kept) => {
  const written = encodeCommit({ ...commit, author: { ...commit.author, date } });
  expect(decodeCommit(written)!.author.date.getTime()).toBe(kept);
});

test.each(["", "tree x\n\nm", "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\nno author", "\0\0\0"])(
  "%j is no commit",
  (text) => expect(decodeCommit(Buffer.from(text))).toBe(null),
);

test.each([
  ["Claude Desktop", "Claude Desktop"],
  ["", "unknown"],
  [" <evil@x> \n", "evil@x"],
  ["a\nauthor b <c> 1 +0000", "a author b c 1 +0000"],
  ["\u202eabc\u0000", "abc"],
  ["...", "unknown"],
  ['Ada, "the" <first>', 'Ada, "the" first'],
  ["日本", "日本"],
  ["\ud800x", "x"],
  ["y".repeat(500), "y".repeat(200)],
])("the author %j is %j", (name, plain) => expect(identName(name)).toBe(plain));

test.each([
  ["a.md", true],
  [".llm_bridges/knowledge_base/k/meta.md", true],
  ["-rf.md", true],
  ["a\\b.md", true],
  ["git.md", true],
  [".github/x.md", true],
  ["", false],
  ["a//b.md", false],
  ["../x.md", false],
  ["a/./x.md", false],
  ["/x.md", false],
  [".git/x.md", false],
  ["a/.GIT/x.md", false],
  ["a/.g\u200cit/x.md", false],
  ["git~1/x.md", false],
  [".git./x.md", false],
  [".git /x.md", false],
  [".git:x/x.md", false],
  ["a\\.git\\x.md", false],
  ["a\0.md", false],
  ["\ud800.md", false],
])("%j may stand in a tree: %s", (path, may) => expect(recordable(path)).toBe(may));

describe("trailers", () => {
  test("come back as they went, and a message cannot bring its own", () => {
    const message = plainMessage('Change\r\n\r\nSurface: forged\nTool: forged\nMoved: ["x","y"]\u0007\n\n\n');
    const trailers = {
      surface: "wiki",
      tool: "update_note\nTool: two",
      connection: "",
      moved: [["a\n.md", 'b".md']] as [string, string][],
      kept: [["c.md", "0".repeat(40)]] as [string, string][],
      folders: [["a", "b"]] as [string, string][],
      saved: [["d.md", "1700000000"]] as [string, string][],
    };
    expect(readMessage(withTrailers(message, trailers))).toEqual({
      message: 'Change\n\nSurface: forged\nTool: forged\nMoved: ["x","y"]',
      surface: "wiki",
      tool: "update_note Tool: two",
      moved: trailers.moved,
      kept: trailers.kept,
      saved: trailers.saved,
      folders: trailers.folders,
    });
  });

  test.each(["", "only a subject", "subject\n\nA body: of words", "subject\n\nSurface: x\nNo trailer"])(
    "the message %j of another program is left as it is",
    (text) =>
      expect(readMessage(text)).toEqual({
        message: text,
        moved: [],
        kept: [],
        saved: [],
        folders: [],
      }),
  );

  test.each(['Moved: "x"', "Moved: [1,2]", "Moved: {", 'Kept: ["a"]'])("%s is passed over", (line) =>
    expect(readMessage(`m\n\nSurface: x\n${line}`)).toEqual({
      message: "m",
      surface: "x",
      moved: [],
      kept: [],
      saved: [],
      folders: [],
    }),
  );

  test.each(["", " \n ", "\u0000"])("an empty message %j is given words", (text) =>
    expect(plainMessage(text)).toBe("Change notes"),
  );
});

test.each([
  ["nothing", []],
  ["another size of base", [9, 0]],
  ["an unknown step", [5, 1, 0]],
  ["an insertion that is cut off", [5, 3, 3, 65]],
  ["a copy beyond the base", [5, 9, 0x90, 9]],
  ["too little", [5, 9, 0x90, 5]],
  ["a size without end", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
])("a delta with %s is refused", (_, bytes) =>
  expect(() => applyDelta(Buffer.from("hello"), Buffer.from(bytes))).toThrow(),
);

test("a delta copies and inserts", () => {
  const delta = Buffer.from([5, 7, 0x91, 1, 4, 3, 65, 66, 67]);
  expect(applyDelta(Buffer.from("hello"), delta).toString()).toBe("elloABC");
});
