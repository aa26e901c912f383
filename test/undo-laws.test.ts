/** Laws of undo, on chance: a client's changes taken back leave the vault as it was, and what a person wrote among them stays. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { NoteError } from "../src/markdown/errors.ts";
import { notePath } from "../src/notebook/paths.ts";
import { openHistory, type HistoryVault } from "./history-vault.ts";
import { runs } from "./soak-size.ts";
import { contents, names, step, take, type Step } from "./steps.ts";

async function withHistory(
  notes: Record<string, string | Uint8Array>,
  work: (vault: HistoryVault) => Promise<void>,
): Promise<void> {
  const vault = await openHistory(notes);
  try {
    await work(vault);
    expect(vault.logged).toEqual([]);
  } finally {
    await vault.close();
  }
}

/** Found by chance once. */
const NAMES_CHANGE_HANDS: [Record<string, string>, Step[]][] = [
  [
    { "f/c.md": "[[a]]", "a.md": "" },
    [
      { do: "move", from: "a.md", to: "f/a.md" },
      { do: "write", path: "a.md", text: "" },
      { do: "swap", one: "f/c.md", other: "f/a.md" },
      { do: "remove", path: "f/a.md", mark: false },
    ],
  ],
  [
    { "a.md": "", "f/c.md": "", "f/a.md": "plain" },
    [
      { do: "swap", one: "f/a.md", other: "a.md" },
      { do: "swap", one: "f/c.md", other: "a.md" },
    ],
  ],
];

test("all that a client did, taken back, gives the vault byte for byte; taken back again, what the client had made", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(names, contents, { maxKeys: 5 }),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async (notes, steps) =>
        withHistory(notes, async (vault) => {
          const before = vault.files();
          for (const wanted of steps) await take(vault.as("bot"), wanted);
          const made = vault.files();
          const revisions = await vault.by("bot");
          await vault.as("me").undo(revisions);
          expect(vault.files()).toEqual(before);
          const { kept, rebuilt } = await vault.indexes();
          expect(kept).toEqual(rebuilt);

          // A second time there is nothing left to take back; where a name changed hands, it may be refused.
          await vault
            .as("again")
            .undo(revisions)
            .catch((error: unknown) => expect(error).toBeInstanceOf(NoteError));
          expect(vault.files()).toEqual(before);
          const [undoing] = await vault.by("me");
          if (undoing) await vault.as("me").undo([undoing]);
          expect(vault.files()).toEqual(made);
        }),
    ),
    { ...runs(100), examples: NAMES_CHANGE_HANDS },
  );
});

/** What happens to the notes, which are known by number. */
type Turn =
  | { does: "bot edits" | "person edits" | "person creates"; note: number; links: number }
  | { does: "bot moves" | "person moves"; note: number; folder: string; rename: boolean }
  | { does: "bot removes"; note: number }
  | { does: "bot creates" };

const note = fc.nat(5);
const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({
    does: fc.constantFrom("bot edits" as const, "person edits" as const, "person creates" as const),
    note,
    links: note,
  }),
  fc.record({
    does: fc.constantFrom("bot moves" as const, "person moves" as const),
    note,
    folder: fc.constantFrom("", "f/", "g/h/"),
    rename: fc.boolean(),
  }),
  fc.record({ does: fc.constant("bot removes" as const), note }),
  fc.constant({ does: "bot creates" as const }),
);

/** Found by chance once. */
const LINKS_BETWEEN: [Turn[]][] = [
  [
    [
      { does: "bot moves", note: 2, folder: "", rename: true },
      { does: "person edits", note: 1, links: 0 },
      { does: "bot moves", note: 2, folder: "g/h/", rename: false },
    ],
  ],
  [
    [
      { does: "bot moves", note: 0, folder: "", rename: true },
      { does: "bot removes", note: 0 },
      { does: "person edits", note: 2, links: 1 },
    ],
  ],
  [
    [
      { does: "bot moves", note: 2, folder: "", rename: true },
      { does: "bot edits", note: 1, links: 0 },
      { does: "bot removes", note: 2 },
      { does: "person moves", note: 0, folder: "", rename: false },
      { does: "bot removes", note: 1 },
      { does: "bot removes", note: 0 },
    ],
  ],
];

// The client writes at the top of a note and the person at its end, with lines between that nobody touches.
const GAP = "\n\n\n\n";
const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const linkTo = (path: string): string => `[[${nameIn(path).slice(0, -3)}]]`;

test("among a client's changes a person writes, links, moves and makes notes; without the client exactly that is left", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 14 }), async (turns) => {
      /** Where each note stands (null once the client has deleted it), and where and what it would be without the client; `<1>` links to note 1. */
      const notes = [0, 1, 2].map((at) => ({
        now: `n${at}.md` as string | null,
        alone: `n${at}.md`,
        text: `# ${at}${GAP}See <${(at + 1) % 3}>\n`,
      }));
      const alone = () =>
        Object.fromEntries(
          notes.map(({ alone: path, text }) => [
            path,
            text.replace(/<(\d+)>/g, (_, to) => linkTo(notes[Number(to)]!.alone)),
          ]),
        );
      await withHistory(alone(), async (vault) => {
        for (const [at, wanted] of turns.entries()) {
          if (wanted.does === "bot creates") {
            await vault.as("bot").write(notePath(`made ${at}.md`), "by the bot\n");
            continue;
          }
          const it = notes[wanted.note % notes.length]!;
          const path = it.now;
          const to = "links" in wanted ? wanted.links % notes.length : 0;
          const linked = notes[to]!.now;
          if (path === null || linked === null) continue;
          if (wanted.does === "bot removes") {
            await vault.as("bot").remove(notePath(path));
            it.now = null;
          } else if (wanted.does === "bot moves" || wanted.does === "person moves") {
            const who = wanted.does === "bot moves" ? "bot" : "person";
            // Never to a name that the client gave it before: that would be to take the client's side.
            const rename = wanted.rename || who === "person";
            const next = wanted.folder + (rename ? `moved ${at}.md` : nameIn(path));
            await vault.as(who).move([{ from: notePath(path), to: notePath(next) }]);
            it.now = next;
            if (who === "person" && next !== path) it.alone = next;
          } else if (wanted.does === "bot edits") {
            const line = `bot ${at} ${linkTo(linked)}\n`;
            await vault.as("bot").edit([{ path: notePath(path), edits: [(text) => line + text] }]);
          } else if (wanted.does === "person edits") {
            await vault.person(path, `${vault.files()[path]!}me ${at} ${linkTo(linked)}\n`);
            it.text += `me ${at} <${to}>\n`;
          } else {
            await vault.person(`p${at}.md`, `# New${GAP}${linkTo(linked)}\n`);
            notes.push({ now: `p${at}.md`, alone: `p${at}.md`, text: `# New${GAP}<${to}>\n` });
          }
        }
        await vault.as("me").undo(await vault.by("bot"));
        expect(vault.files()).toEqual(alone());
        const { kept, rebuilt } = await vault.indexes();
        expect(kept).toEqual(rebuilt);
      });
    }),
    { ...runs(100), examples: LINKS_BETWEEN },
  );
});
