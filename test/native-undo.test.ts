/** A law of the native surface: whatever is changed by it, undoing all of it gives back the vault, byte for byte. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { openNative, type NativeSession } from "./native-session.ts";

const START: Record<string, string> = {
  "a.md":
    "---\ntags: [ x,y ]\nn: 1.10 # kept\n---\n# A\n\nSee [[b]] and [c](sub/c.md).\n\n## Log\n\n- one\n- two\n\n## Log\n\nagain\n",
  "b.md": "\uFEFFwindows\r\n\r\n## Log\r\n\r\nline\r\n[[a#Log|back]]",
  "sub/c.md": "no newline at the end [[a]]",
  "sub/d.md": "---\naliases: [dee]\n---\n![[sub/c]]\n\n```\n[[a]] in code\n```\n",
  "e.md": "",
};
const PATHS = [...Object.keys(START), "new.md", "sub/deep/new.md"];

const path = fc.constantFrom(...PATHS);
const words = fc.constantFrom("one", "[[b]]", "See", "line", "# H\n\ntext", "- item", "", "日本\n");
const section = fc.constantFrom("", "#Log", "#A", "#None");
const edit = fc.record({
  note: fc.tuple(path, section).map(([note, heading]) => note + heading),
  do: fc.constantFrom(
    "append",
    "prepend",
    "replace",
    "delete",
    "insert_before",
    "insert_after",
    "replace_text",
    "set_fields",
    "unset_fields",
    "add_tags",
    "remove_tags",
    "add_aliases",
  ),
  text: words,
  find: words,
  all: fc.boolean(),
  fields: fc.dictionary(
    fc.constantFrom("n", "title", "k"),
    fc.constantFrom<unknown>(1, "x: y", ["p", "q"], null),
  ),
  items: fc.subarray(["x", "y", "n", "z/w"]),
});
type Step = [string, Record<string, unknown>];
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(edit, { minLength: 1, maxLength: 3 })
      .map((edits): Step => ["edit_notes", { edits, create: true }]),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(path, words).map(([at, text]): Step => ["write_note", { path: at, text }]),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(path, path).map(([from, to]): Step => ["move_notes", { moves: [{ from, to }] }]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>(
      ["move_notes", { moves: [{ from: "sub/", to: "other/" }] }],
      ["move_notes", { moves: [{ from: "other/", to: "sub/" }] }],
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(path, fc.boolean())
      .map(([at, mark_links]): Step => ["delete_note", { path: at, mark_links }]),
  },
  { weight: 1, arbitrary: words.map((text): Step => ["daily_note", { text }]) },
  { weight: 1, arbitrary: fc.constant<Step>(["undo_changes", { last: 1 }]) },
  {
    weight: 1,
    arbitrary: fc.constant<Step>([
      "manage_rules",
      { do: "add_base", base: "kb", folder: "sub", description: "d", guide: "g" },
    ]),
  },
);

/** Notes and rule files; what lies in the trash stays there. */
const vaultOf = async (session: NativeSession): Promise<Record<string, string>> =>
  Object.fromEntries(
    [...(await session.vault.state())].filter(([at]) => !at.startsWith(".trash/")).toSorted(),
  );

test("any sequence of native changes, then undo of all of them", async () => {
  let done = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const session = await openNative(START, { folder: true });
      try {
        const before = await vaultOf(session);
        const revisions: string[] = [];
        for (const [tool, input] of steps) {
          // Many are refused, as they should be; what was done is known by its revision.
          const { data, isError } = await session.call(tool, input);
          if (!isError && data.revision) revisions.push(data.revision);
        }
        done += revisions.length;
        if (revisions.length === 0) return;
        const undone = await session.call("undo_changes", { last: revisions.length });
        expect(undone).toMatchObject({ isError: false });
        expect(await vaultOf(session)).toEqual(before);
        expect(session.vault.logged).toEqual([]);
      } finally {
        await session.close();
      }
    }),
    { numRuns: 40 },
  );
  expect(done).toBeGreaterThan(40);
}, 120_000);
