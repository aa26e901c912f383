/** The folder law: whatever any tool answers a caller kept to a folder is what it answers anybody on a vault that holds that folder alone. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { LINES, type Lines } from "../src/notebook/folders/view.ts";
import { brokenPromise, difference, fileDifference, openSides, type Sides } from "./folders/law.ts";
import { madeVault, type Made } from "./folders/vaults.ts";
import { runs } from "./soak-size.ts";

type Check = (sides: Sides, made: Made) => Promise<unknown>;

/** What the first check finds that finds anything; null where none does. */
async function found(made: Made, checks: readonly Check[], lines: Lines = LINES): Promise<unknown> {
  const sides = await openSides(made, lines);
  try {
    for (const check of checks) {
      const trouble = await check(sides, made);
      if (trouble !== null) return trouble;
    }
    expect(sides.whole.vault.logged).toEqual([]);
    return null;
  } finally {
    await sides.close();
  }
}

const BOTH = [difference, brokenPromise];

/** Notes that need every line of the table. */
const EXAMPLE: Made = {
  folder: "Work/Team",
  inside: {
    "Work/Team/Alder.md":
      "---\ntags: [tree]\n---\nA garden by [[Birch]] and [[Raven]]. ![[pic.png]] ![[secret.png]]\n\n## Part\n\nmarble\n",
    "Work/Team/Sub/Birch.md": "The river, [[Alder]] and [[Crypt alias]].\n",
    "Work/Team/Cedar.md": "Nobody inside links here.\n",
  },
  outside: {
    "G/Raven.md":
      "---\ntags: [spy]\n---\nGardens with [[Alder]], [[Cedar]] and a zephyr. ![[pic.png]] ![[lone.svg]]\n",
    "Crypt.md": "---\naliases: [Crypt alias]\n---\n[[Birch]] and [[Raven]]\n",
  },
  steps: [
    { side: "outside", step: { do: "write", path: "Work/Vault.md", text: "[[Birch]] zephyr" } },
    { side: "inside", step: { do: "write", path: "Work/Team/Cedar.md", text: "Changed.\n" } },
    { side: "outside", step: { do: "move", from: "Work/Vault.md", to: "Widow.md", links: "leave" } },
  ],
};

const LONG = 600_000;

test(
  "attacks 65 and 66: the folder law holds where every line of the table is needed",
  async () => {
    expect(await found(EXAMPLE, BOTH)).toBeNull();
  },
  LONG,
);

test(
  "the folder law holds on vaults of chance",
  async () => {
    await fc.assert(
      fc.asyncProperty(madeVault, async (made) => {
        expect(await found(made, BOTH)).toBeNull();
      }),
      { ...runs(2), endOnFailure: true },
    );
  },
  LONG,
);

/** Each line as if there were no folders to keep to. How far a first indexing has come is tried by itself. */
const OPEN: Omit<Lines, "first"> = {
  store: (whole) => whole,
  index: (whole) => whole,
  links: (whole) => whole,
  history: (whole) => whole,
  rules: (book) => book,
  settings: (all) => all,
  refuse: () => undefined,
  undoing: async () => undefined,
  elsewhere: async (_, plan) => plan,
  shown: (plan) => plan,
  news: (news) => news,
};

/** Lines about what is written: the promises about changes are broken without them, whatever is answered. */
const WRITTEN = new Set<string>(["refuse", "undoing", "elsewhere"]);

test.each(Object.keys(OPEN) as (keyof typeof OPEN)[])(
  "without the line on %s the folder law fails",
  async (line) => {
    const check = WRITTEN.has(line) ? brokenPromise : difference;
    expect(await found(EXAMPLE, [check], { ...LINES, [line]: OPEN[line] })).not.toBeNull();
  },
  LONG,
);

test.each(["store", "index", "links"] as const)(
  "without the line on %s the folder law fails for files that are no notes",
  async (line) => {
    expect(await found(EXAMPLE, [fileDifference], { ...LINES, [line]: OPEN[line] })).not.toBeNull();
  },
  LONG,
);
