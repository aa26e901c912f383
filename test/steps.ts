/** Steps on chance: what a client may ask of a small vault, with names that look like flags, links that lead somewhere and some that do not. */

import fc from "fast-check";
import { NoteError } from "../src/markdown/errors.ts";
import type { Notebook } from "../src/notebook/notebook.ts";
import { notePath } from "../src/notebook/paths.ts";

const NAMES = ["a.md", "b.md", "f/a.md", "f/c.md", "g/h/d.md", "-rf.md", "--output=x.md"];
const LINKS = ["[[a]]", "[[b|words]]", "[x](f/c.md)", "[[g/h/d#part]]", "[[none]]", "![[-rf]]"];

export const names = fc.constantFrom(...NAMES);
const link = fc.constantFrom(...LINKS);
const text = fc
  .array(fc.oneof(link, fc.constantFrom("plain", "ünïcode", "", "# Head", "- [ ] task\r")), { maxLength: 8 })
  .map((lines) => lines.join("\n"));
export const contents = fc.oneof(
  { weight: 9, arbitrary: text },
  { weight: 1, arbitrary: fc.constant(new Uint8Array([0xff, 0xfe, 0x41])) },
);

export type Step =
  | { do: "write"; path: string; text: string }
  | { do: "line"; path: string; at: number; text: string }
  | { do: "move"; from: string; to: string }
  | { do: "swap"; one: string; other: string }
  | { do: "remove"; path: string; mark: boolean };

export const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("write" as const), path: names, text }),
  fc.record({ do: fc.constant("line" as const), path: names, at: fc.nat(8), text: link }),
  fc.record({ do: fc.constant("move" as const), from: names, to: names }),
  fc.record({ do: fc.constant("swap" as const), one: names, other: names }),
  fc.record({ do: fc.constant("remove" as const), path: names, mark: fc.boolean() }),
);

const insertAt = (at: number, line: string) => (old: string) =>
  old.split("\n").toSpliced(at, 0, line).join("\n");

/** A step that the vault has no room for is refused, which is as good as not asked for. */
export async function take(notebook: Notebook, wanted: Step): Promise<void> {
  const doing = () => {
    switch (wanted.do) {
      case "write":
        return notebook.write(notePath(wanted.path), wanted.text);
      case "line":
        return notebook.edit([
          { path: notePath(wanted.path), edits: [insertAt(wanted.at, wanted.text)], orCreate: "" },
        ]);
      case "move":
        return notebook.move([{ from: notePath(wanted.from), to: notePath(wanted.to) }]);
      case "swap":
        return notebook.move([
          { from: notePath(wanted.one), to: notePath(wanted.other) },
          { from: notePath(wanted.other), to: notePath(wanted.one) },
        ]);
      case "remove":
        return notebook.remove(notePath(wanted.path), { backlinks: wanted.mark ? "mark" : "leave" });
    }
  };
  try {
    await doing();
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
  }
}
