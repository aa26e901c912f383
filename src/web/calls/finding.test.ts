import { expect, test } from "vitest";
import type { Found, FoundNote, Page } from "../../notebook/filter.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { Hits } from "../wire.ts";
import { search } from "./finding.ts";

/** Notes in the order of their rank; the ninth is called what is typed. */
const RANKED = Array.from({ length: 14 }, (_, at): FoundNote => {
  const title = at === 8 ? "Compost" : `Note ${at}`;
  const tags = { fields: [], inline: [] };
  return { path: `${title}.md`, title, tags, modified: new Date(0) } as unknown as FoundNote;
});
const notebook = {
  find: async (_: unknown, { limit }: Page): Promise<Found> =>
    ({
      notes: RANKED.slice(0, limit),
      total: RANKED.length,
      corrected: [],
      byMeaning: 0,
    }) as unknown as Found,
} as unknown as Notebook;
const titles = async (offset?: number): Promise<string[]> => {
  const input = { query: "compost", ...(offset === undefined ? {} : { offset }) };
  return ((await search.run(notebook, input)) as Hits).hits.map(({ title }) => title);
};

test("the note that is called what is typed comes first, from further down than a page goes", async () => {
  expect((await titles())[0]).toBe("Compost");
});

test("a page goes on where the one before it ended, with none twice and none left out", async () => {
  const all = [...(await titles()), ...(await titles(6)), ...(await titles(12))];
  expect(all.toSorted()).toEqual(RANKED.map(({ title }) => title).toSorted());
});
