import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import { runs } from "../../test/soak-size.ts";
import { carriedTo, folderOf, folderPath, nameOf, notePath, oddSegments, rulePath } from "./paths.ts";

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof NoteError) return error.code;
    throw error;
  }
  return "taken";
};

describe("attack 1: no path leads out of the vault", () => {
  test.each([
    ["../x.md"],
    ["a/../../x.md"],
    ["a/./x.md"],
    ["/etc/passwd.md"],
    ["/x.md"],
    ["~/x.md"],
    ["C:/x.md"],
    ["C:\\x.md"],
    ["\\\\host\\share\\x.md"],
    ["a\\..\\x.md"],
    ["%2e%2e/x.md"],
    ["a/%2E%2E/x.md"],
    ["a%2f..%2fx.md"],
    ["a%5cx.md"],
    ["\uff0e\uff0e/x.md"],
    ["\u2024\u2024/x.md"],
    [".\u200b./x.md"],
    ["a//x.md"],
    ["a/.. /x.md"],
    ["x\0.md"],
    ["x\n.md"],
    ["x\u2028.md"],
    ["x\ud800.md"],
    ["\udc00/x.md"],
    [""],
    [".md"],
    ["a/.md"],
    ["x.txt"],
    ["x"],
    ["a/"],
    [`${"a/".repeat(600)}x.md`],
  ])("%j is refused", (path) => expect(refusal(() => notePath(path))).toBe("path_refused"));
});

describe("attack 8: what is reserved or hidden cannot be named", () => {
  test.each([
    [".git/x.md"],
    [".GIT/x.md"],
    [".git./x.md"],
    ["git~1/x.md"],
    ["GIT~2/x.md"],
    [".g\u200cit/x.md"],
    ["\u200c.git/x.md"],
    ["a/.git/x.md"],
    [".gitattributes.md"],
    [".obsidian/plugins/x.md"],
    ["obsidi~1/x.md"],
    [".notewright/x.md"],
    [".trash/x.md"],
    [".llm_bridges/x.md"],
    [" .git/x.md"],
    ["\uff0egit/x.md"],
  ])("%j is refused", (path) => expect(refusal(() => notePath(path))).toBe("path_refused"));
});

describe("attack 35: names that some system does not allow are not made, but are read", () => {
  test.each([
    ["CON.md"],
    ["nul.md"],
    ["a/COM1.md"],
    ["COM\u00b9.md"],
    ["lpt3.notes.md"],
    ["a:b.md"],
    ["what?.md"],
    ["a*b.md"],
    ['say "x".md'],
    ["a|b.md"],
    ["<a>.md"],
    ["folder./x.md"],
    ["folder /x.md"],
    ["x .md"],
    [" x.md"],
    ["x..md"],
    ["\u202egpj.md"],
    ["A.md#x/s.md"],
    ["A.md@1a2b3c4d.md"],
    [`${"ä".repeat(130)}.md`],
  ])("%j", (path) => {
    expect(refusal(() => notePath(path))).toBe("taken");
    expect(oddSegments(notePath(path))).not.toEqual([]);
  });
  test.each([
    ["x.md"],
    ["a/b c/@Jamie.md"],
    ["2026-02-24.md"],
    ["日本/ノート.md"],
    ["Node.js.md"],
    ["-rf.md"],
    ["--output=x.md"],
    ["C# tips.md"],
    ["100%.md"],
  ])("%j can be made", (path) => expect(oddSegments(notePath(path))).toEqual([]));
});

describe("a new note has no ending of another kind of file", () => {
  const endings =
    "avif bmp gif jpeg jpg png svg webp flac m4a mp3 ogg wav webm 3gp mkv mov mp4 ogv pdf canvas base txt html json csv docx xlsx pptx zip";
  test.each(endings.split(" "))("%s", (ending) => {
    for (const path of [`a.${ending}.md`, `b/a.b.${ending.toUpperCase()}.md`]) {
      expect(refusal(() => notePath(path))).toBe("taken");
      expect(oddSegments(notePath(path))).not.toEqual([]);
      expect(oddSegments(notePath(path), { mdWritten: true })).toEqual([]);
    }
    for (const path of [`a ${ending}.md`, `${ending}.md`, `a.${ending}/b.md`])
      expect(oddSegments(notePath(path))).toEqual([]);
  });
  test.each(["Node.js.md", "2026.11.15.md", "v1.2.md", "a.md.md", "e.g.this.md"])(
    "%j is a good name",
    (path) => expect(oddSegments(notePath(path))).toEqual([]),
  );
});

test("what goes with its folder keeps its name, within the limit of a path", () => {
  expect(carriedTo("new", "RedShift: OLED.md")).toBe("new/RedShift: OLED.md");
  expect(refusal(() => carriedTo("", "x.md"))).toBe("path_refused");
  expect(refusal(() => carriedTo("a".repeat(1022), "x.md"))).toBe("path_refused");
});

test("a path is given in one Unicode form", () => {
  expect(notePath("Cafe\u0301.md")).toBe("Café.md");
});

test("the parts of a path", () => {
  expect(nameOf(notePath("a/b/c.d.md"))).toBe("c.d");
  expect(folderOf("a/b/c.md")).toBe("a/b");
  expect(folderOf("c.md")).toBe("");
});

test("folders may end in a slash, and nothing is the vault itself", () => {
  expect(folderPath("a/b/")).toBe("a/b");
  expect(folderPath("")).toBe("");
  for (const bad of ["/", "..", "a/..", ".git", "/a"])
    expect(refusal(() => folderPath(bad))).toBe("path_refused");
});

test("a rule file lies in the folder of rules, nowhere else", () => {
  expect(rulePath(".llm_bridges/knowledge_base/ai/meta.md")).toBe(".llm_bridges/knowledge_base/ai/meta.md");
  for (const bad of [
    "meta.md",
    ".llm_bridges/x.md",
    ".llm_bridges/knowledge_base/../../x.md",
    ".llm_bridges/knowledge_base/.x/meta.md",
  ])
    expect(refusal(() => rulePath(bad))).toBe("path_refused");
});

test("whatever is taken stays inside: no segment is empty, hidden, or a way up", () => {
  const segment = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("..", ".", "a", ".git", "%2e%2e", "\u200b..", "．．", "~", "x\\y"),
  );
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
      const written = `${segments.join("/")}.md`;
      if (refusal(() => notePath(written)) !== "taken") return;
      for (const part of notePath(written).split("/")) expect(part).not.toMatch(/^$|^\.|^~$|[\\\0]/);
    }),
    runs(2000),
  );
});
