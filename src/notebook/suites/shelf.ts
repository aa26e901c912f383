/** What every shelf of proposals must do, as tests to call. */

import { describe, expect, test } from "vitest";
import type { NotePath } from "../paths.ts";
import { headOf, nameOfProposal, type Proposal, type ProposedNote } from "../proposals/proposal.ts";
import { LINES_KEPT, type ProposalShelf } from "../proposals/shelf.ts";

export type ShelfUnderTest = {
  shelf: ProposalShelf;
  /** Opens it again, by a process that knows nothing but what was written down. */
  again(): ProposalShelf;
};

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const BEFORE = bytes("before\n");
const note = (path: string, more: Partial<ProposedNote> = {}): ProposedNote => ({
  path: path as NotePath,
  origin: path as NotePath,
  original: BEFORE,
  base: BEFORE,
  after: bytes("after\n"),
  why: "asked",
  links: "leave",
  trash: false,
  folder: null,
  ...more,
});
export const proposal = (
  id: number,
  notes: ProposedNote[] = [note("a.md")],
  more: Partial<Proposal> = {},
): Proposal => ({
  id: id.toString(16).padStart(8, "0"),
  state: "0123456789",
  by: { client: "claude", surface: "native", tool: "edit_notes", connection: "c", named: true },
  message: "Update note: a\nMove note: b",
  first: new Date("2026-01-15T10:00:00Z"),
  last: new Date("2026-01-16T10:00:00Z"),
  rules: "bind",
  always: false,
  notes,
  folders: [],
  replaces: [],
  ...more,
});
const line = (id: string) => ({
  id,
  at: new Date("2026-01-15T10:00:00Z"),
  outcome: "declined" as const,
  by: "owner",
  client: "claude",
  tool: "edit_notes",
  notes: 2,
  path: "a.md",
});
const names = ({ all }: ProposalShelf): string[] => all().map(nameOfProposal).toSorted();
/** Bytes are compared as bytes, whatever array holds them. */
const plain = (whole: Proposal | null) =>
  whole && {
    ...whole,
    notes: whole.notes.map(({ original, base, after, ...rest }) => ({
      ...rest,
      texts: [original, base, after].map((text) => text && Array.from(text)),
    })),
  };

export function describeShelf(name: string, open: () => Promise<ShelfUnderTest>): void {
  describe(name, () => {
    test("begins empty", async () => {
      const { shelf } = await open();
      expect([shelf.all(), shelf.lines(), shelf.whole("00000001-0123456789")]).toEqual([[], [], null]);
      expect(shelf.limit).toBeGreaterThan(8 * 1024 * 1024);
    });

    test("gives back what it was given, to the byte: new, moved, removed, empty, and what is no text", async () => {
      const { shelf, again } = await open();
      const given = proposal(
        1,
        [
          note("a.md", { base: bytes("before, linked\n") }),
          note("new.md", { origin: null, original: null, base: null, after: bytes("") }),
          note("moved.md", { origin: "b.md" as NotePath, links: "follow" }),
          note("gone.md", { after: null, trash: true }),
          note("odd.md", { after: new Uint8Array([0xff, 0, 0x0a, 0xfe]) }),
          note("linking.md", { why: "backlink", after: bytes("\ufeff[[moved]]") }),
        ],
        { rules: "report", always: true, replaces: ["00000009-0123456789"] },
      );
      shelf.put(given);
      for (const each of [shelf, again()]) {
        expect(each.all()).toEqual([headOf(given)]);
        expect(plain(each.whole("00000001-0123456789"))).toEqual(plain(given));
      }
    });

    test("takes texts of several megabytes", async () => {
      const { shelf, again } = await open();
      const long = (seed: number): Uint8Array => {
        const made = new Uint8Array(3_200_000);
        for (let at = 0; at < made.length; at++) made[at] = at * seed + (at >> 8);
        return made;
      };
      const given = proposal(1, [note("a.md", { original: long(3), base: long(3), after: long(7) })]);
      shelf.put(given);
      const { original, after } = again().whole("00000001-0123456789")!.notes[0]!;
      const isSame = (one: Uint8Array | null, other: Uint8Array): boolean =>
        one?.length === other.length && one.every((byte, at) => byte === other[at]);
      expect([isSame(original, long(3)), isSame(after, long(7))]).toEqual([true, true]);
    });

    test("one that comes in the place of others is alone, and one that is dropped is gone", async () => {
      const { shelf, again } = await open();
      for (const id of [1, 2, 3]) shelf.put(proposal(id, [note(`${id}.md`)]));
      const replaces = ["00000001-0123456789", "00000002-0123456789"];
      shelf.put(proposal(1, [note("1.md"), note("2.md")], { state: "aaaaaaaaaa", replaces }));
      expect(names(shelf)).toEqual(["00000001-aaaaaaaaaa", "00000003-0123456789"]);
      expect(shelf.whole("00000001-0123456789")).toBe(null);
      shelf.drop(["00000003-0123456789", "00000007-0123456789"]);
      for (const each of [shelf, again()]) expect(names(each)).toEqual(["00000001-aaaaaaaaaa"]);
    });

    test("gives one and the same list until some came or went", async () => {
      const { shelf } = await open();
      shelf.put(proposal(1, [note("a.md")]));
      const before = shelf.all();
      shelf.addLine(line("1"));
      expect(shelf.all() === before).toBe(true);
      shelf.put(proposal(2, [note("b.md")]));
      const after = shelf.all();
      expect([after === before, after.length, shelf.all() === after]).toEqual([false, 2, true]);
    });

    test("keeps lines, the newest first, and only so many", async () => {
      const { shelf, again } = await open();
      shelf.addLine(line("first"));
      shelf.addLine(line("second"));
      for (const each of [shelf, again()]) expect(each.lines()).toEqual([line("second"), line("first")]);
      for (let at = 0; at < LINES_KEPT; at++) shelf.addLine(line(String(at)));
      const ids = again()
        .lines()
        .map(({ id }) => id);
      expect([ids.length, ids[0], ids.at(-1)]).toEqual([LINES_KEPT, String(LINES_KEPT - 1), "0"]);
    });

    test("tells whoever listens, until they do not", async () => {
      const { shelf } = await open();
      let heard = 0;
      const stop = shelf.listen(() => void heard++);
      shelf.put(proposal(1, [note("a.md")]));
      shelf.drop(["00000001-0123456789"]);
      stop();
      shelf.put(proposal(2, [note("a.md")]));
      expect(heard).toBe(2);
    });
  });
}
