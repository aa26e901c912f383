/** The hostile vault, served and checked: nothing falls over, hangs, leaks or escapes, within bounds of memory, time and size; and every oddity is named. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { surveyText } from "../../src/cli/check.ts";
import type { Survey } from "../../src/notebook/check.ts";
import { command, runToEnd } from "../process.ts";
import { soak } from "../soak-size.ts";
import { surfaces } from "../surfaces.ts";
import { argumentsFor, asksFor, QUERIES, variantsOf } from "./arguments.ts";
import { MARK, SECRET } from "./item.ts";
import { HELLO, startSession, type Ended, type Session, type WireTool } from "./session.ts";
import { HARD_LINK } from "./special-files.ts";
import { setStage, type Stage } from "./stage.ts";

/** The bar for memory is asserted as it stands: it does not depend on how busy the machine is. */
const PEAK_MIB = 512;
/**
 * Processor milliseconds of the longest turn of the event loop: the bar is 200, and three times as much is allowed for, because on a busy
 * machine, whose caches others use too, the same work takes more of it (316 was seen). Before long work was done in turns it was over 700. At full size a note of 200,000 different words is among them.
 */
const TURN_MS = soak > 1 ? 1000 : 600;
/** Ten times the bar for a start; only a guard. */
const START_MS = 20_000;
const ANSWER = 1024 * 1024;
/** Where a spec promises a whole note: no more than a client takes in one line. */
const WHOLE_NOTE = 10 * 1024 * 1024;

let stage: Stage;
let before: string[];
beforeAll(async () => {
  stage = await setStage(soak > 1 ? 10_000 : 1000);
  before = stage.outsideNow();
}, 120_000);
const figures: Record<string, Record<string, number>> = {};
afterAll(() => {
  const said = Object.entries(figures).map(([surface, each]) => {
    const parts = Object.entries(each).map(([name, value]) => `${name} ${value}`);
    return `${surface}: ${parts.join(", ")}`;
  });
  console.log(`T8 and T9: ${said.join("; ")}`);
  stage.remove();
});

const expectQuiet = ({ stderr, stdout }: Ended): void => {
  for (const text of [stderr, stdout])
    for (const leak of [SECRET, stage.place, "\n    at ", "\\n    at ", "node:internal"])
      expect(text.includes(leak), leak).toBe(false);
  expect(stderr).not.toContain(MARK);
  expect(stderr).not.toMatch(/defect|Error|Warning/);
};

const expectUntouched = (): void => {
  expect(stage.outsideNow()).toEqual(before);
  expect(stage.hits()).toBe(0);
};

let session: Session;
// A test that fails half-way must not leave its server behind.
afterEach(() => session.kill());

const begin = async (surface: string): Promise<WireTool[]> => {
  session = startSession(["serve", stage.vault, "--tools", surface], stage.environment);
  await session.ask("initialize", HELLO);
  const { result } = await session.ask("tools/list");
  expect(JSON.stringify(result)).not.toContain(MARK);
  return result!.tools!;
};

const wholeNote = new Map(
  surfaces.flatMap(({ name, tools }) =>
    tools.map((tool) => [`${name} ${tool.name}`, tool.wholeNote === true]),
  ),
);

const asker = (surface: string) => {
  const count = { calls: 0, longest: 0 };
  const asked = new Set<string>();
  const ask = async (tool: WireTool, input: object): Promise<void> => {
    const key = `${tool.name} ${JSON.stringify(input)}`;
    if (asked.has(key)) return;
    asked.add(key);
    count.calls++;
    const { result, error } = await session.call(tool.name, input);
    const about = key.slice(0, 200);
    expect(error, about).toBeUndefined();
    const texts = result!.content!.map(({ text }) => text);
    expect(texts[0], about).not.toMatch(/^Internal error/);
    const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (wholeNote.get(`${surface} ${tool.name}`)) return;
    expect(length, about).toBeLessThanOrEqual(ANSWER);
    count.longest = Math.max(count.longest, length);
  };
  return { ask, count };
};

const WORST = [
  "texts/a million headings.md",
  "texts/half a million links.md",
  "texts/one line of eight megabytes.md",
  "texts/a hundred thousand different tags.md",
];

const notePaths = (): string[] =>
  stage.items.map((item) => item.path).filter((path) => path.endsWith(".md") && !path.startsWith("."));

describe.each(surfaces.map((surface) => surface.name))("%s", (surface) => {
  test(
    "reads all of it: no crash, hang or flood; no text or path in the log",
    { timeout: 600_000 },
    async () => {
      const began = performance.now();
      const tools = await begin(surface);
      const start = performance.now() - began;
      const { ask, count } = asker(surface);
      const reading = tools.filter((tool) => tool.annotations.readOnlyHint);
      expect(reading.length).toBeGreaterThan(2);
      const paths = notePaths();
      for (const [number, tool] of reading.entries()) {
        const about = asksFor(tool);
        if (about === "nothing") await ask(tool, argumentsFor(tool, "", ""));
        if (about === "query") for (const query of QUERIES) await ask(tool, argumentsFor(tool, "", query));
        // Each commit asks each tool about a share of the notes, all of them together about every note.
        const share = paths.filter((_, at) => soak > 1 || at % reading.length === number);
        if (about === "note") for (const path of share) await ask(tool, argumentsFor(tool, path, ""));
        // The notes that are worst to read, in every way there is to ask about them; in each commit one by one, but for the surface with the most ways.
        const every = soak > 1 || surface === "native";
        const worst = every ? WORST : [WORST[number % WORST.length]!];
        if (about === "note")
          for (const path of worst)
            for (const input of every ? variantsOf(tool, path, "") : [argumentsFor(tool, path, "")])
              await ask(tool, input);
      }
      const ended = await session.end();
      figures[surface] = {
        "start ms": Math.round(start),
        "reading calls": count.calls,
        "longest turn, CPU ms": Math.round(ended.worst),
        "loop delay ms": Math.round(ended.delay),
        "peak MiB": Math.round(ended.peak),
        "longest list KiB": Math.round(count.longest / 1024),
        "longest line KiB": Math.round(ended.longest / 1024),
      };
      expect(ended).toMatchObject({ code: 0, signal: null });
      expectQuiet(ended);
      expectUntouched();
      expect(start).toBeLessThan(START_MS);
      expect(ended.worst).toBeLessThan(TURN_MS);
      expect(ended.peak).toBeLessThan(PEAK_MIB);
      expect(ended.longest).toBeLessThan(WHOLE_NOTE);
    },
  );
});

describe("notewright check", () => {
  let survey: Survey;

  test("names every oddity, and touches nothing", { timeout: 300_000 }, async () => {
    const was = stage.vaultNow();
    const { environment } = stage;
    const { code, stdout, stderr } = await runToEnd([command("notewright"), "check", stage.vault, "--json"], {
      environment,
    });
    expect(code).toBe(1);
    survey = JSON.parse(stdout) as Survey;
    const told = new Set(
      survey.groups.flatMap((group) => group.findings.map(({ path }) => `${group.name} ${path}`)),
    );
    const expected = stage.items.flatMap((item) =>
      item.listed ? [`${item.listed} ${item.told ?? item.path}`] : [],
    );
    expect(expected.length).toBeGreaterThan(140);
    expect(expected.filter((line) => !told.has(line))).toEqual([]);
    expect(survey.groups.find((group) => group.name === "index_drift")?.findings).toEqual([]);
    expect(stderr).not.toMatch(/defect|Error/);
    expect(stage.vaultNow()).toEqual(was);
    expectUntouched();
  });

  test("on a terminal no name can do harm", () => {
    const said = surveyText(survey, (_, text) => text);
    // Joiners within emoji and scripts that need them are no harm; whatever moves, hides or turns text is.
    const harm = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u.exec(
      said.replaceAll("\n", ""),
    );
    expect(harm?.[0].codePointAt(0)?.toString(16)).toBeUndefined();
    expect(said).toContain("needs you");
  });
});

/** One of each kind of thing that a write could be led astray by. */
const TARGETS = [
  HARD_LINK,
  "files/link outside.md",
  "files/dangling outside.md",
  "files/folder outside/new.md",
  "files/folder outside/secret.md",
  "files/circle a.md",
  "files/pipe.md",
  "files/zero.md",
  "files/socket.md",
  "files/folder.md",
  "files/sparse gigabyte.md",
  "files/write-protected.md",
  "encodings/latin 1.md",
  "encodings/lone carriage returns.md",
  "yaml/billion laughs.md",
  "yaml/__proto__.md",
  "yaml/language js.md",
  "twins/Case.md",
  "names/con.md",
  "names/turned\u202egnp.md",
  "orders/fields 0.md",
  "../outside/secret.md",
  "../vault-evil/secret.md",
  ".git/config.md",
  ".obsidian/plugins/evil/new.md",
  "repo as link/.git/x.md",
];

describe.each(surfaces.map((surface) => surface.name))("%s", (surface) => {
  test("writes to every odd place: none leads out, nothing falls over", { timeout: 600_000 }, async () => {
    const tools = await begin(surface);
    const { ask, count } = asker(surface);
    const writing = tools.filter((tool) => !tool.annotations.readOnlyHint);
    for (const path of TARGETS) for (const tool of writing) await ask(tool, argumentsFor(tool, path, MARK));
    const ended = await session.end();
    figures[surface] = { ...figures[surface], "writing calls": count.calls };
    expect(ended).toMatchObject({ code: 0, signal: null });
    expectQuiet(ended);
    expectUntouched();
  });
});

test("attack 30: nobody was called, through all of that", () => expect(stage.hits()).toBe(0));
