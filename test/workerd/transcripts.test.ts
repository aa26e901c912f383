/** Transcripts through the Worker, as a client has them at the edge: one of each tool with every commit, all of them in `npm run test:edge`. */

import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { surfaces } from "../surfaces.ts";
import { parseTranscript, runCase, type Given, type Stage } from "../transcript.ts";
import { serveEdge, type Served } from "./served.ts";

const FOLDER = "test/transcripts";
const ALL = process.env["NOTEWRIGHT_EDGE"] === "all";

let served: Served;
let count = 0;
beforeAll(async () => {
  served = await serveEdge({ entry: "test/workerd/staged-worker.ts" });
}, 60_000);
afterAll(() => served.stop());

/** A workspace of its own for each case. */
const atTheEdge = async ({ folder, readOnly }: Given): Promise<Stage> => {
  const name = `case-${++count}`;
  const control = async (method: string, ...args: unknown[]): Promise<unknown> => {
    const response = await fetch(new URL(`/${name}`, served.address), {
      method: "POST",
      headers: { "x-call": method },
      body: JSON.stringify(args),
    });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { done: unknown }).done;
  };
  await served.make(name);
  await control("stage", name);
  const token = await served.member(name, "transcript", readOnly ? "read" : "admin");
  return {
    logged: [],
    put: async (path, text) => void (await control("put", name, path, text)),
    state: async () => new Map((await control("state", name, folder)) as [string, string][]),
    setClock: (time) => control("setClock", time),
    queueRandom: (values) => control("queueRandom", values),
    connect: (surface) => served.connect(name, surface.name, token, "transcript"),
    close: async () => void (await control("end")),
  };
};

/** Where a page shows a vault without a history there is one, and who may only read is told so in other words. */
const plain = (text: string): string =>
  text
    .replace(/\nrevision [0-9a-f]{8}\b/g, "")
    .replace(/,?"revision":"[0-9a-f]{8,40}"/g, "")
    .replaceAll("and this server was started to read only.", "and your token may only read.")
    .replaceAll(
      "This server was started to read only. Start it without --read-only to change notes.",
      "Your access is for reading only. Ask the owner for the right to write.",
    );

/** The vaults of the pages never record what they found at first; a workspace does, so that its history knows more. What the page says, and what is said there. */
const DIFFERS: Record<string, readonly (readonly [string, string])[]> = {
  "what was done, and taking it back": [
    ["2b4af934", "c6a4db4d"],
    ["3a6116f2", "653552a8"],
    ["6a743b8f", "0a21a6fd"],
  ],
  "links follow a renamed note": [
    [
      'There is no note "People/Ada.md". search_notes finds notes by their words, list_notes by folder; write_note makes a new one.',
      'The note "People/Ada.md" was moved to "People/Ada Lovelace.md". Call again with that path.',
    ],
  ],
  "get_note_history gives at most a hundred, and at least one": [
    [
      "No version history available for a\n",
      "Version history for a:\n\n- a70c1ed (2026-01-15T10:00:00Z) by someone\n  Added in another program: a\n",
    ],
  ],
};
const asThere = (title: string, page: string): string =>
  (DIFFERS[title] ?? []).reduce((text, [here, there]) => text.replaceAll(here, there), page);

const toolsIn = (text: string): string[] => [...text.matchAll(/^```+call (\S+)/gm)].map(([, name]) => name!);

for (const surface of surfaces) {
  const shown = new Set<string>();
  const cases = readdirSync(`${FOLDER}/${surface.name}`)
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => {
      const { head, cases } = parseTranscript(readFileSync(`${FOLDER}/${surface.name}/${name}`, "utf8"));
      return cases.map((each) => ({ ...each, head, file: name }));
    })
    .filter(({ text }) => {
      const tools = toolsIn(text);
      const isNew = tools.some((tool) => !shown.has(tool));
      for (const tool of tools) shown.add(tool);
      return ALL || isNew;
    });
  describe(surface.name, () => {
    test.each(cases.map((it) => [it.file, it.title, it] as const))(
      "%s: %s",
      async (_, __, { title, head, text }) => {
        const rendered = await runCase(surface, head, text, atTheEdge);
        expect(plain(rendered).trimEnd()).toBe(plain(asThere(title, text)).trimEnd());
      },
    );
    test("a case of every tool is among them", () =>
      expect([...shown].toSorted()).toEqual(
        expect.arrayContaining(surface.tools.map(({ name }) => name).toSorted()),
      ));
  });
}
