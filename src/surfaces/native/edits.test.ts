import { expect, test } from "vitest";
import { headingsOf, sectionOf } from "../../markdown/sections.ts";
import { sectionsWithHandles } from "../../notebook/handle.ts";
import { notePath } from "../../notebook/paths.ts";
import type { Before } from "../../notebook/plan.ts";
import { OPERATIONS, editsByNote, type EditRequest } from "./edits.ts";

const beforeOf = (text: string): Before => ({ text, headings: () => headingsOf(text) });
const applied = (requests: EditRequest[], text: string): string =>
  editsByNote(requests)[0]!
    .edits(beforeOf(text))
    .reduce((now, edit) => edit(now), text);

/** The handle of the only section of a text. */
const handleIn = (text: string): string =>
  sectionsWithHandles(notePath("n.md"), text, [sectionOf(text, headingsOf(text), { text: "A" })!])[0]!.handle;

test("a plan that is made anew makes its edits anew: none keeps what an earlier one saw", () => {
  const [old, now] = ["# A\n\none\n", "# New\n\n# A\n\none\n"];
  const [note] = editsByNote([{ note: handleIn(old), do: "append", text: "two" }]);
  const [first] = note!.edits(beforeOf(old));
  const [second] = note!.edits(beforeOf(now));
  expect(second!(now)).toBe("# New\n\n# A\n\none\n\ntwo\n");
  expect(first!(old)).toBe("# A\n\none\n\ntwo\n");
});

test("handles are those of the text before the first edit of the call", () => {
  const text = "# A\n\nold\n";
  const requests: EditRequest[] = [
    { note: handleIn(text), do: "replace", text: "new" },
    { note: handleIn(text), do: "append", text: "end" },
  ];
  expect(applied(requests, text)).toBe("# A\n\nnew\n\nend\n");
  expect(() => applied(requests, "# A\n\nother\n")).toThrow(/edit 1 \(replace, "n\.md"\)/);
});

const GIVEN = { text: "t", find: "one", fields: { f: 1 }, items: ["x"] };

test.each(OPERATIONS)("%s does something, or says why not, for a note and for a section", (operation) => {
  for (const note of ["n.md@1234567890", "n.md#A"]) {
    const change = () =>
      applied([{ note, do: operation, ...GIVEN }], "---\ntags: [x]\nx: 1\n---\n# A\n\none\n");
    try {
      expect(change()).not.toContain("undefined");
    } catch (error) {
      expect(error).toMatchObject({ code: "input_refused" });
    }
  }
});
