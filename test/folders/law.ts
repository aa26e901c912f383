/** The folder law: what a caller kept to a folder is answered, and what anybody is answered on a vault that holds that folder alone, are compared. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Who } from "../../src/notebook/change.ts";
import { NoteError } from "../../src/markdown/errors.ts";
import { LINES, type Lines } from "../../src/notebook/folders/view.ts";
import type { Notebook } from "../../src/notebook/notebook.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { toolCalls, type Calls } from "../../src/protocol/calls.ts";
import { complete } from "../../src/protocol/completion.ts";
import type { Principal } from "../../src/protocol/principal.ts";
import { listResources, readResource, TEMPLATE } from "../../src/protocol/resources.ts";
import { openSession, whoListens } from "../../src/protocol/session.ts";
import { surfaces } from "../surfaces.ts";
import { openVault, type TestVault } from "../vault.ts";
import {
  changesOf,
  isByTime,
  questions,
  questionsAbout,
  questionsAboutFiles,
  refusedOf,
  type Probe,
} from "./probes.ts";
import { filesInside, filesOutside, type Made, type Step } from "./vaults.ts";

/** One of the two vaults, and a caller on it. */
export type Side = {
  vault: TestVault;
  bound: Notebook;
  call(probe: Probe): Promise<CallToolResult>;
  /** The paths that it was sent news of. */
  news: string[];
};

const native = surfaces.find(({ name }) => name === "native")!;

function sideOf(vault: TestVault, principal: Principal): Side {
  const log = (line: string) => void vault.logged.push(line);
  const calls = new Map<string, Calls>();
  for (const surface of surfaces) {
    const session = openSession(surface, vault.notebook, principal, { id: surface.name, log });
    calls.set(surface.name, toolCalls(surface, vault.notebook, { session, principal, log }));
  }
  const bound = vault.notebook.as(whoListens(native, principal, "law"));
  const news: string[] = [];
  bound.onChange(({ notes, list }) => news.push(...notes.map(({ path }) => `${path} ${list}`)));
  return {
    vault,
    bound,
    news,
    async call({ surface, tool, input }) {
      const of = calls.get(surface)!;
      return of.run(of.called(tool)!, input, {
        client: "tester",
        signal: new AbortController().signal,
        progress: () => undefined,
        log: async () => undefined,
      });
    },
  };
}

export type Sides = {
  whole: Side;
  alone: Side;
  /** A minute goes by for both: files are dated by the disk, changes by this clock. */
  tick(): void;
  close(): Promise<void>;
};

/** Both vaults with the same notes inside, as they came to be. */
export async function openSides(made: Made, lines: Lines = LINES): Promise<Sides> {
  const kept: Principal = { name: "ada", rights: "write", folders: [made.folder], surfaces: "all" };
  const [large, small] = [await openVault({ folder: true, lines }), await openVault({ folder: true })];
  const base = ruleFiles(made.folder);
  for (const [path, text] of Object.entries({ ...base.inside, ...filesInside(made.folder) }))
    for (const vault of [large, small]) await vault.put(path, text);
  for (const [path, text] of Object.entries({ ...base.outside, ...filesOutside(made.folder) }))
    await large.put(path, text);
  const whole = sideOf(large, kept);
  const alone = sideOf(small, { ...kept, folders: "all" });
  const owner = large.notebook.as({ ...NOBODY, client: "owner" });
  let minute = 0;
  const tick = () => {
    const now = new Date(Date.UTC(2026, 0, 15, 10, ++minute));
    for (const { vault } of [whole, alone]) vault.setClock(now);
  };
  for (const [path, text] of Object.entries(made.outside)) {
    tick();
    await take(owner, { do: "write", path, text });
  }
  for (const [path, text] of Object.entries(made.inside)) {
    tick();
    for (const { bound } of [whole, alone]) await take(bound, { do: "write", path, text });
  }
  for (const { side, step } of made.steps) {
    tick();
    if (side === "outside") await take(owner, step);
    else for (const { bound } of [whole, alone]) await take(bound, step);
  }
  return {
    whole,
    alone,
    tick,
    async close() {
      await large.close();
      await small.close();
    },
  };
}

const NOBODY: Who = { client: "", surface: "native", tool: "law", connection: "owner" };

/** What of the promises about changes is broken: the first; null where none is. Made after all else, because it changes much. */
export async function brokenPromise(
  { whole: { vault, bound, call } }: Sides,
  made: Made,
): Promise<string | null> {
  const outside = Object.keys(made.outside)[0]!;
  const inside = (await bound.find({ all: [] }, { limit: 1, sort: "path" })).notes[0]!.path;
  const owner = vault.notebook.as({ ...NOBODY, client: "owner" });
  const everything = async () =>
    JSON.stringify([[...(await vault.state())], (await owner.log({ limit: 1000 })).length]);
  await take(owner, { do: "write", path: "Border.md", text: "Came from outside.\n" });
  await take(owner, { do: "move", from: "Border.md", to: `${made.folder}/Border.md`, links: "rewrite" });
  const [crossing] = await owner.log({ limit: 1 });
  const before = await everything();
  for (const probe of refusedOf(inside, outside, crossing!.id)) {
    const answer = await call(probe);
    if (!answer.isError) return `done: ${JSON.stringify(probe)}`;
    if ((await everything()) !== before) return `written: ${JSON.stringify(probe)}`;
  }
  await take(owner, { do: "write", path: "Linking.md", text: `[[${inside.slice(0, -3)}]]` });
  const to = `${made.folder}/Moved away.md`;
  const moved = await call({
    surface: "native",
    tool: "move_notes",
    input: { moves: [{ from: inside, to }] },
  });
  if ((await vault.state()).get("Linking.md") !== `[[${to.slice(0, -3)}]]`)
    return "a link elsewhere did not follow";
  return JSON.stringify(moved).includes("Linking") ? "a note elsewhere was named" : null;
}

/** What is refused is refused on both sides, and found by the questions. */
async function take(notebook: Notebook, step: Step): Promise<void> {
  try {
    if (step.do === "write") await notebook.write(notePath(step.path), step.text);
    else if (step.do === "move")
      await notebook.move([{ from: notePath(step.from), to: notePath(step.to) }], { backlinks: step.links });
    else await notebook.remove(notePath(step.path), { backlinks: step.links });
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
  }
}

const meta = (name: string, folder: string): string =>
  `---\nname: ${name}\ndescription: About ${name}\nsubfolder: ${folder}\ncreate_time: 2026-01-01T00:00:00Z\n---\n\n## Organization rules\n\nBe brief, ${name}.\n`;

/** A base inside, which goes along, and one outside; so with the vault's settings. */
const ruleFiles = (folder: string) => ({
  inside: {
    ".llm_bridges/knowledge_base/team/meta.md": meta("team", folder),
    ".obsidian/community-plugins.json": '["periodic-notes"]',
    ".obsidian/plugins/periodic-notes/data.json": JSON.stringify({
      weekly: { enabled: true, folder: `${folder}/Weeks`, format: "GGGG-[W]WW" },
    }),
    ".obsidian/app.json": JSON.stringify({ userIgnoreFilters: [`${folder}/Sub/`, "G/", "/Crypt/"] }),
  },
  outside: {
    ".llm_bridges/knowledge_base/others/meta.md": meta("others", "G"),
    ".obsidian/daily-notes.json": JSON.stringify({ folder: "G/Secret", template: "G/Raven" }),
    ".obsidian/templates.json": JSON.stringify({ folder: "G" }),
  },
});

/** An answer without the ids and dates of revisions, which differ where more was recorded. */
function plain(ids: readonly string[], answer: unknown, inAnyOrder: boolean): unknown {
  const text = JSON.stringify(answer, null, 1)
    .replaceAll(/(?<![0-9a-f])[0-9a-f]{7,40}(?![0-9a-f])/g, (hex) => {
      const which = ids.findIndex((id) => id.startsWith(hex));
      return which === -1 ? hex : `<revision ${ids.length - which}>`;
    })
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, "<time>")
    .replaceAll(
      /,?\s*\{\s*"type": "text",\s*"text": "(?:Links in notes outside your folders|These changes also reached outside your folders)[^"]*"\s*\}/g,
      "",
    );
  return inAnyOrder
    ? text
        .split(/\n|\\n|[{},]/)
        .map((line) => line.replace(/,$/, ""))
        .toSorted()
    : text;
}

const idsOf = async ({ bound }: Side): Promise<string[]> =>
  (await bound.log({ limit: 1000 })).map(({ id }) => id);

export type Difference = { probe: unknown; whole: unknown; alone: unknown };

/** Asks both sides. */
async function differs(
  { whole, alone }: Sides,
  probe: unknown,
  inAnyOrder: boolean,
  ask: (side: Side) => Promise<unknown>,
): Promise<Difference | null> {
  const [mine, theirs] = [await ask(whole), await ask(alone)];
  if (JSON.stringify(mine) === JSON.stringify(theirs)) return null;
  const [one, other] = [
    plain(await idsOf(whole), mine, inAnyOrder),
    plain(await idsOf(alone), theirs, inAnyOrder),
  ];
  return JSON.stringify(one) === JSON.stringify(other) ? null : { probe, whole: one, alone: other };
}

async function asked(sides: Sides, probes: readonly Probe[]): Promise<Difference | null> {
  return firstOf(probes, (probe) => {
    sides.tick();
    return differs(sides, probe, isByTime(probe), (side) => side.call(probe));
  });
}

const resourcesDiffer = (sides: Sides, paths: readonly string[]): Promise<Difference | null> =>
  firstOf(paths, (path) =>
    differs(sides, `resource ${path}`, false, (side) =>
      failing(() => readResource(side.bound, `note:///${encodeURI(path)}`)),
    ),
  );

/** The first difference in what is told of files that are no notes; null where the law holds. */
export async function fileDifference(sides: Sides, made: Made): Promise<Difference | null> {
  const paths = [
    ...Object.keys(filesInside(made.folder)),
    ...Object.keys(filesOutside(made.folder)),
    "no.png",
  ];
  return (
    (await asked(sides, questionsAboutFiles(paths, made))) ??
    (await differs(sides, "resources", true, ({ bound }) => listResources(bound, undefined))) ??
    (await resourcesDiffer(sides, paths))
  );
}

/** The first difference; null where the law holds. */
export async function difference(sides: Sides, made: Made): Promise<Difference | null> {
  const { whole } = sides;
  const files = async (side: Side) =>
    [...(await side.vault.state())].filter(([path]) => path.startsWith(`${made.folder}/`)).toSorted();
  const everything = async (paths: readonly string[]): Promise<Difference | null> =>
    (await asked(sides, questions(made))) ??
    (await asked(sides, questionsAbout(paths, made))) ??
    (await fileDifference(sides, made)) ??
    (await differs(sides, "news", false, async ({ news }) => news)) ??
    (await differs(sides, "files", false, files)) ??
    (await resourcesDiffer(sides, paths)) ??
    (await firstOf(["", "R", "Al", "G/", made.folder, "W"], (value) =>
      differs(sides, `complete ${value}`, true, (side) =>
        failing(async () =>
          complete(native, side.bound, {
            ref: { type: "ref/resource", uri: TEMPLATE },
            argument: { name: "path", value },
          } as never),
        ),
      ),
    ));
  const paths = [
    ...Object.keys(made.inside),
    ...Object.keys(made.outside),
    ...made.steps.flatMap(({ step }) => ("to" in step ? [step.to] : [])),
    "Nobody.md",
  ];
  const before = await everything(paths);
  if (before) return before;
  const left = (await whole.bound.find({ all: [] }, { limit: 10, sort: "path" })).notes.map(
    ({ path }) => path,
  );
  if (left.length < 2) return null;
  return (
    (await asked(sides, changesOf(left[0]!, left[1]!, made))) ??
    (await everything([left[0]!, left[1]!, Object.keys(made.outside)[0]!]))
  );
}

async function firstOf<T>(
  all: readonly T[],
  ask: (one: T) => Promise<Difference | null>,
): Promise<Difference | null> {
  for (const one of all) {
    const found = await ask(one);
    if (found) return found;
  }
  return null;
}

async function failing(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    return String(error);
  }
}
