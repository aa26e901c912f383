import fc from "fast-check";
import { expect, test } from "vitest";
import type { Link, LinkQuery } from "./link-graph.ts";
import { linkPath } from "./link-path.ts";
import type { NotePath } from "./paths.ts";

type Edge = readonly [number, number];
const path = (number: number) => `${number}.md` as NotePath;
const linkOf = ([from, to]: Edge) => ({ source: path(from), path: path(to), target: String(to) }) as Link;

const asked =
  (edges: readonly Edge[]) =>
  async (query: LinkQuery): Promise<Link[]> =>
    edges
      .map(linkOf)
      .filter((link) =>
        "from" in query ? link.source === query.from : "to" in query && link.path === query.to,
      );

/** Steps between two notes, by going through all of them ring by ring. */
const distance = (edges: readonly Edge[], from: number, to: number): number | null => {
  const steps = new Map([[from, 0]]);
  for (const [note, far] of steps)
    for (const [a, b] of edges)
      for (const [here, there] of [
        [a, b],
        [b, a],
      ] as const)
        if (here === note && !steps.has(there)) steps.set(there, far + 1);
  return steps.get(to) ?? null;
};

test("the chain is a shortest one, each step is a link, and it leads from one note to the other", async () => {
  const note = fc.nat(8);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(note, note), { maxLength: 14 }),
      note,
      note,
      async (edges, from, to) => {
        const found = await linkPath(asked(edges), path(from), path(to));
        const wanted = distance(edges, from, to);
        if (wanted === null) {
          expect(found).toBeNull();
          return;
        }
        expect(found).toHaveLength(wanted);
        let at = path(from);
        for (const step of found as Exclude<typeof found, null | "far">) {
          expect(step.from).toBe(at);
          expect([step.link.source, step.link.path].toSorted()).toEqual([step.from, step.to].toSorted());
          at = step.to;
        }
        expect(at).toBe(path(to));
      },
    ),
    { numRuns: 500 },
  );
});

test("it is given up in a graph that does not end, and when it is called off", async () => {
  const endless = async (query: LinkQuery): Promise<Link[]> =>
    "from" in query ? [linkOf([Number.parseInt(query.from, 10), Number.parseInt(query.from, 10) + 2])] : [];
  expect(await linkPath(endless, path(0), path(1))).toBe("far");
  await expect(linkPath(endless, path(0), path(1), AbortSignal.abort())).rejects.toThrow();
});
