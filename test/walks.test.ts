/** The walks that docs/ARCHITECTURE.md draws, kept true: every file and function is there, and each is called by one it is drawn below. */

import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";

type Step = { depth: number; file: string; name: string };

const stepOf = (line: string): Step => {
  const [, indent, file, name] = /^( *)(\S+\.ts) (\S+) {2,}\S/.exec(line) ?? [];
  if (indent === undefined) throw new Error(`This is no step: ${line}`);
  return { depth: indent.length / 2, file: `src/${file}`, name: name! };
};

const page = readFileSync("docs/ARCHITECTURE.md", "utf8");
const walks = [...page.matchAll(/### (.*)\n\n```walk\n([\s\S]*?)```/g)].map(
  ([, title = "", steps = ""]): [string, Step[]] => [title, steps.trimEnd().split("\n").map(stepOf)],
);

const texts = new Map<string, string>();
const textOf = (file: string): string => {
  const text = texts.get(file) ?? (existsSync(file) ? readFileSync(file, "utf8") : "");
  texts.set(file, text);
  return text;
};

/** `tool.run` is the member of an object: both are defined in the file. */
const isDefined = ({ file, name }: Step): boolean =>
  name.split(".").every((part, at) => {
    const member = at > 0 ? "" : String.raw`^\s*(?:async )?${part}(?:\(.*\{$|: |,$)|`;
    const declared = String.raw`\b(?:function\*?|const|let) ${part}\b`;
    return new RegExp(`${member}${declared}|\\b${part}\\(.*\\{$|\\b${part}: `, "m").test(textOf(file));
  });

const imports = (from: string, to: string): boolean =>
  [...textOf(from).matchAll(/(?:from |import\()"(\.[^"]+)"/g)].some(
    ([, target = ""]) => posix.join(posix.dirname(from), target) === to,
  );

/** Whether a file calls a function: its own, one that it imports and names, or one of a part that it is handed. */
const mayCall = (caller: string, { file, name }: Step): boolean => {
  const called = name.split(".").at(-1)!;
  if (caller === file) return true;
  if (imports(caller, file) && new RegExp(String.raw`\b${called}\b`).test(textOf(caller))) return true;
  return new RegExp(String.raw`\.${called}[(,;)]`).test(textOf(caller));
};

/** Steps by their callers, the nearest first: those that have begun and not ended. */
const callersOf = (steps: readonly Step[], at: number): Step[] => {
  const open: Step[] = [];
  let depth = steps[at]!.depth;
  for (let before = at - 1; before >= 0; before--)
    if (steps[before]!.depth < depth) {
      open.push(steps[before]!);
      depth = steps[before]!.depth;
    }
  return open;
};

test("these are drawn", () => {
  expect(walks.map(([title]) => title)).toEqual([
    "Every call",
    "`edit_notes`",
    "`search_notes`",
    "`rename_note` (obsidian)",
    "An edit by another program",
  ]);
  expect(() => stepOf("no step")).toThrow();
});

describe.each(walks)("%s", (_, steps) => {
  test.each(steps.map((step, at) => [`${step.file} ${step.name}`, step, at] as const))(
    "%s",
    (named, step, at) => {
      expect(existsSync(step.file), named).toBe(true);
      expect(isDefined(step), `${named} is not defined`).toBe(true);
      const callers = callersOf(steps, at);
      expect(callers.length, `${named} is drawn too deep`).toBe(step.depth);
      expect(
        callers.length === 0 || callers.some(({ file }) => mayCall(file, step)),
        `${named} is called by none that it is drawn below`,
      ).toBe(true);
    },
  );

  test("no function is entered twice", () => {
    const names = steps.map(({ file, name }) => `${file} ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

test("what is not so is noticed", () => {
  const step = (file: string, name: string): Step => ({ depth: 0, file, name });
  expect(isDefined(step("src/notebook/commit.ts", "carryOut"))).toBe(true);
  expect(isDefined(step("src/notebook/commit.ts", "planEdit"))).toBe(false);
  expect(mayCall("src/notebook/commit.ts", step("src/stores/folder.ts", "apply"))).toBe(true);
  expect(mayCall("src/notebook/commit.ts", step("src/notebook/plan.ts", "planEdit"))).toBe(false);
});
