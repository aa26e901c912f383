/** A client that proposes goes through every writing tool of every surface. */

import { afterAll, describe, expect, it } from "vitest";
import { FILE_CALLS, NOTE_CALLS } from "../faults/tools.ts";
import { surfaces } from "../surfaces.ts";
import { goThrough, type Reviewed } from "./going-through.ts";
import { everythingIn, openSide, textsOf, type Side } from "./sides.ts";

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

const reviewed = (side: Side): Reviewed => {
  const { notebook, queueRandom } = side.vault;
  return {
    state: () => everythingIn(side),
    revisions: side.revisions,
    async call(...call) {
      const answer = await side.call(...call);
      return { isError: answer.isError ?? false, texts: textsOf(answer) };
    },
    latest: async () => (await notebook.log({ limit: 1 }))[0]!,
    waiting: async () => (await notebook.proposals.list()).map(({ id }) => id),
    settled: notebook.proposals.settled,
    accept: async (id) => (await notebook.proposals.accept(id)).revision,
    decline: async (id) => void (await notebook.proposals.decline(id)),
    beginAnew: async () => queueRandom(["00000001"]),
  };
};

describe("somebody who proposes", () => {
  it.each(NOTE_CALLS.filter(([surface, tool]) => !changesRules(surface, tool)))(
    "%s %s: nothing is written; accepted, it is byte for byte what the tool writes; declined, only a line is left",
    async (...call) => goThrough(reviewed(await opened("write")), reviewed(await opened("propose")), call),
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

  it.each(FILE_CALLS)(
    "%s %s takes files along that are no notes: the same holds, and they are shown with their size",
    async (...call) => {
      const proposes = await opened("propose");
      await proposes.call(...call);
      const { notebook } = proposes.vault;
      const [info] = await notebook.proposals.list();
      const { shown } = await notebook.proposals.one(info!.id);
      const pic = shown.find(({ path }) => path.endsWith("pic.png"))!;
      expect(pic).toMatchObject({ file: 22, diff: null, now: null, result: null, conflict: null });
      await notebook.proposals.decline(info!.id);
      await goThrough(reviewed(await opened("write")), reviewed(await opened("propose")), call);
    },
  );
});
