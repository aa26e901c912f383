/** Everything the five published surfaces can do can be done natively: the table says how, and here each of its calls is made. */

import { expect, test } from "vitest";
import { covers, VAULT, type Cover } from "./native-covers.ts";
import { openNative, type NativeSession } from "./native-session.ts";
import { surfaces } from "./surfaces.ts";

test("no tool of a published surface is left out, and no native one goes unused", () => {
  const published = surfaces.filter((surface) => surface.name !== "native");
  const wanted = published.flatMap((surface) => surface.tools.map((tool) => `${surface.name} ${tool.name}`));
  expect([...new Set(covers.map(({ surface, tool }) => `${surface} ${tool}`))]).toEqual(wanted);
});

/** Puts in what only the running vault knows. */
const filledIn = async (session: NativeSession, input: object): Promise<object> => {
  const log = await session.vault.notebook.log({ limit: 10 });
  const read = await session.done("read_notes", { notes: ["Work/Roadmap.md", "Papers/Attention.md"] });
  const words: Record<string, string> = {
    "{now}": log[0]?.id.slice(0, 10) ?? "",
    "{before}": log[1]?.id.slice(0, 10) ?? "",
    "{version}": read.data.notes[0].note,
    "{papers}": read.data.notes[1].note,
  };
  const text = JSON.stringify(input).replaceAll(/\{(?:now|before|version|papers)\}/g, (word) => words[word]!);
  return JSON.parse(text) as object;
};

test.each(
  covers.map((cover): [string, Cover] => [`${cover.surface} ${cover.tool} ${cover.part ?? ""}`, cover]),
)("%s", async (_, { call, input, gives }) => {
  const session = await openNative(VAULT, { folder: true });
  try {
    const { notes } = (await session.done("read_notes", { notes: ["Roadmap"] })).data;
    const text = notes[0].text.replace("in May.", "in May, at last.");
    const path = "Work/Roadmap.md";
    await session.done("write_note", { path, text, if_match: notes[0].note });
    const before = await session.vault.state();
    const said = await session.done(call, await filledIn(session, input));
    const after = await session.vault.state();
    const changed = [...after].filter(([at, now]) => before.get(at) !== now).map(([, now]) => now);
    const gone = [...before.keys()].some((at) => !after.has(at));
    const shown = `${said.text}\n${JSON.stringify(said.data)}`;
    expect(changed.length > 0 || gone ? [...after.values()].join("\n") : shown).toMatch(gives);
    expect(session.vault.logged).toEqual([]);
  } finally {
    await session.close();
  }
});
