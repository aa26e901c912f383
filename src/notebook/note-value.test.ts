import { expect, it } from "vitest";
import { withVault } from "../../test/vault.ts";
import { encodeText, makeNote } from "./note.ts";
import { HEADINGS_GIVEN, noteValue } from "./note-value.ts";
import { notePath } from "./paths.ts";

it("a note on the wire is what it is here", () =>
  withVault(
    { "Ada.md": "---\ntitle: Ada L.\ntags: [people]\nborn: 1815\n---\n# One\n\n#people #math\n" },
    async (vault) => {
      const value = noteValue(await vault.notebook.read(notePath("Ada.md")));
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
      expect(value).toMatchObject({
        path: "Ada.md",
        title: "Ada L.",
        fields: { title: "Ada L.", tags: ["people"], born: 1815 },
        tags: ["people", "math"],
        headings: [{ level: 1, text: "One", line: 6 }],
        bodyLine: 6,
        modified: "2026-01-15T10:00:00.000Z",
        pendingOperation: false,
      });
    },
  ));

it("a note that is no text, and one with too many headings", () => {
  const note = (bytes: Uint8Array) => makeNote(notePath("A.md"), bytes, "0".repeat(40), new Date(0));
  expect(noteValue(note(new Uint8Array([0xff, 0xfe]))).text).toBeNull();
  const many = noteValue(note(encodeText("# x\n".repeat(HEADINGS_GIVEN + 1))));
  expect(many.headings).toHaveLength(HEADINGS_GIVEN);
});
