import { expect, test } from "vitest";
import { openVault } from "../../test/vault.ts";
import { tagRows, WAYS } from "./tag-rows.ts";

const { below, own, inFields, belowInFields } = WAYS;

test.each([
  ["none", [], [], []],
  ["one in the body", [], ["a"], [["a", "a", below + own, 0, 1]]],
  ["one in both", ["a"], ["a"], [["a", "a", below + own + inFields + belowInFields, 1, 1]]],
  [
    "below others",
    ["A/b/c"],
    [],
    [
      ["A/b/c", "a/b/c", below + own + inFields + belowInFields, 1, 0],
      ["a", "a", below + belowInFields, 0, 0],
      ["a/b", "a/b", below + belowInFields, 0, 0],
    ],
  ],
  [
    "one that another lies below",
    ["a/b"],
    ["a"],
    [
      ["a/b", "a/b", below + own + inFields + belowInFields, 1, 0],
      ["a", "a", below + own + belowInFields, 0, 1],
    ],
  ],
  [
    "one in two spellings",
    ["Vc"],
    ["vc"],
    [
      ["Vc", "vc", below + own + inFields + belowInFields, 1, 0],
      ["vc", "vc", 0, 0, 1],
    ],
  ],
])("%s", (_, fields, inline, rows) => {
  const told = tagRows("n.md", { fields, inline });
  expect(told).toEqual(rows.map(([tag, key, ways, there, here]) => [tag, key, "n.md", ways, there, here]));
});

test("a tag made to choke the index has few rows", () => {
  expect(tagRows("n.md", { fields: ["a/".repeat(5000)], inline: [] })).toHaveLength(33);
});

test.each(["rank", "path", "name", "modified"] as const)(
  "notes with a tag are found once, by %s, page after page, whichever way it is written",
  async (sort) => {
    const vault = await openVault({ folder: false });
    await vault.put("a.md", "---\ntags: [VC, vc/fund]\n---\n#vc\n");
    await vault.put("b.md", "#vc/fund/x\n");
    await vault.put("c.md", "---\ntags: [vc/Fund]\n---\n");
    await vault.put("d/é.md", "#vcs and #v\n");
    await vault.put("d/f.md", "#Vc\n");
    const found = async (filter: { under?: boolean; from?: "fields" | "all" }) => {
      const paths: string[] = [];
      const totals = new Set<number>();
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await vault.notebook.find(
          { all: [{ tag: "vc", ...filter }] },
          { limit: 1, sort, ...(cursor ? { cursor } : {}) },
        );
        paths.push(...page.notes.map(({ path }) => path));
        totals.add(page.total);
        ({ cursor } = page);
      }
      expect([...totals]).toEqual([paths.length]);
      return paths.toSorted();
    };
    expect(await found({ under: true })).toEqual(["a.md", "b.md", "c.md", "d/f.md"]);
    expect(await found({})).toEqual(["a.md", "d/f.md"]);
    expect(await found({ from: "fields" })).toEqual(["a.md"]);
    expect(await found({ from: "fields", under: true })).toEqual(["a.md", "c.md"]);
    await vault.put("a.md", "nothing now\n");
    await vault.put("b.md", "#vc\n");
    expect(await found({ under: true })).toEqual(["b.md", "c.md", "d/f.md"]);
    expect((await vault.notebook.tags("all")).map(({ name, count }) => `${name} ${count}`)).toEqual([
      "Vc 1",
      "v 1",
      "vc 1",
      "vc/Fund 1",
      "vcs 1",
    ]);
    await vault.close();
  },
);
