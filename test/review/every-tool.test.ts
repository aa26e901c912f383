/** A client that proposes goes through every writing tool of every surface. */

import { afterAll, describe, expect, it } from "vitest";
import { FILE_CALLS, NOTE_CALLS } from "../faults/tools.ts";
import { surfaces } from "../surfaces.ts";
import { onlyOne, openSide, textsOf, type Side } from "./sides.ts";

const changesRules = (surface: string, tool: string): boolean =>
  surfaces.find(({ name }) => name === surface)!.tools.find(({ name }) => name === tool)!.changesRules ===
  true;
const sides: Side[] = [];
const opened = async (...how: Parameters<typeof openSide>): Promise<Side> => {
  const side = await openSide(...how);
  sides.push(side);
  return side;
};
afterAll(async () => {
  for (const { vault } of sides) {
    expect(vault.logged).toEqual([]);
    await vault.close();
  }
});

/** What names a revision differs: a proposal has none. */
const withoutRevision = (texts: readonly string[]): string[] =>
  texts.map((text) => text.replace(/\n?\brevision [0-9a-f]{8}$/m, "").replace(/\b[0-9a-f]{40}\b/g, "REV"));

describe("somebody who proposes", () => {
  it.each(NOTE_CALLS.filter(([surface, tool]) => !changesRules(surface, tool)))(
    "%s %s: nothing is written; accepted, it is byte for byte what the tool writes; declined, only a line is left",
    async (surface, tool, input) => {
      const [writes, proposes] = [await opened("write"), await opened("propose")];
      const [before, revisions] = [await proposes.vault.state(), await proposes.revisions()];
      const [written, proposed] = [
        await writes.call(surface, tool, input),
        await proposes.call(surface, tool, input),
      ];
      expect(written.isError, textsOf(written)[0]).toBeFalsy();
      const id = await onlyOne(proposes);
      expect(textsOf(proposed).at(-1)).toBe(`Not written yet: waiting for the owner as proposal ${id}.`);
      expect(withoutRevision(textsOf(proposed).slice(0, -1))).toEqual(withoutRevision(textsOf(written)));
      const { notebook } = proposes.vault;
      await notebook.proposals.decline(id);
      expect(await proposes.vault.state()).toEqual(before);
      expect(await proposes.revisions()).toEqual(revisions);
      expect(await notebook.proposals.list()).toEqual([]);
      expect(await notebook.proposals.settled()).toMatchObject([{ outcome: "declined", client: "claude" }]);

      proposes.vault.queueRandom(["00000001"]);
      await proposes.call(surface, tool, input);
      expect(await proposes.vault.state()).toEqual(before);
      const { revision } = await notebook.proposals.accept(await onlyOne(proposes));
      expect(await proposes.vault.state()).toEqual(await writes.vault.state());
      expect(await proposes.revisions()).toEqual([revision, ...revisions]);
      const [mine] = await notebook.log({ limit: 1 });
      const [theirs] = await writes.vault.notebook.log({ limit: 1 });
      expect(mine).toMatchObject({ author: "claude", tool, message: theirs!.message });
      expect(mine!.changes.map(({ path, from }) => [path, from])).toEqual(
        theirs!.changes.map(({ path, from }) => [path, from]),
      );
      expect(await notebook.proposals.list()).toEqual([]);
    },
  );

  it.each(NOTE_CALLS.filter(([surface, tool]) => changesRules(surface, tool)))(
    "%s %s: rules are not proposed",
    async (surface, tool, input) => {
      const side = await opened("propose");
      const before = await side.vault.state();
      expect((await side.call(surface, tool, input)).isError).toBe(true);
      expect(await side.vault.state()).toEqual(before);
      expect(await side.vault.notebook.proposals.list()).toEqual([]);
    },
  );

  it.each(FILE_CALLS)("%s %s: files that are no notes are not proposed", async (surface, tool, input) => {
    const side = await opened("propose");
    const before = await side.vault.state();
    expect((await side.call(surface, tool, input)).isError).toBe(true);
    expect(await side.vault.state()).toEqual(before);
    expect(await side.vault.notebook.proposals.list()).toEqual([]);
  });
});
