/** Growth: processor time may not outgrow the vault. No wall clock, no machine to compare with: each figure is held to the same one of a smaller vault. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDisk } from "../src/disk/files.ts";
import { blobId } from "../src/disk/hash.ts";
import { openGit } from "../src/history/git.ts";
import { ruleReader } from "../src/knowledge/rule-edits.ts";
import { append } from "../src/markdown/edits.ts";
import { openNotebook, type OpenNotebook } from "../src/notebook/notebook.ts";
import { notePath } from "../src/notebook/paths.ts";
import { openLedger } from "../src/index/ledger.ts";
import { lockOpener, openSql } from "../src/sqlite/node.ts";
import { openIndex } from "../src/index/note-index.ts";
import { openFolder } from "../src/stores/folder.ts";
import { word } from "./vault.ts";
import { PLAIN } from "../test/vault.ts";

const SIZES = [1000, 4000, 16_000];
/** The vault grows sixteenfold: a cost that grows with it shows as 16, noise and caches that no longer fit as 2 or 3. */
const SLACK = 4;
/** Times each thing is measured, the least counting; what takes seconds is its own average. */
const TRIES = 3;
const LONG = 10_000;
const BACKLINKS = 20;

type Vault = { root: string; notebook: OpenNotebook; indexing: number; pathOf: PathOf };
type PathOf = (number: number) => string;

const now = (): Date => new Date();

const inFolders: PathOf = (number) => `folder ${Math.floor(number / 100)}/Note ${number}.md`;
const inOne: PathOf = (number) => `all/Note ${number}.md`;

/** Short, so that what is done for each note weighs more than its words. `every` is in all of them, `twenty` in as many. */
function noteText(number: number, size: number): string {
  const words = Array.from({ length: 60 }, (_, at) => word((number * 31 + at * at * 7) % 5000));
  const links = [1, 2, 3].map((step) => `[[Note ${(number + step * 97) % size}]]`);
  const marks = ["every", ...(number % (size / 20) === 0 ? ["twenty"] : []), `only${number}`];
  const hub = number > 0 && number <= BACKLINKS ? "[[Note 0]]" : "";
  return `---\ntags: [topic/${word(number % 40)}]\n---\n# Note ${number}\n\n${marks.join(" ")} ${words.join(" ")}\n\n${links.join(" ")} ${hub}\n`;
}

async function least(work: () => Promise<void> | void, tries = TRIES): Promise<number> {
  let best = Infinity;
  for (let time = 0; time < tries; time++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

async function makeVault(size: number, pathOf: PathOf): Promise<Vault> {
  const root = mkdtempSync(join(tmpdir(), "notewright-growth-"));
  for (let number = 0; number < size; number++) {
    const place = join(root, pathOf(number));
    if (number % 100 === 0) mkdirSync(join(place, ".."), { recursive: true });
    writeFileSync(place, noteText(number, size));
  }
  const store = await openFolder(root, { openLock: await lockOpener(), durability: "fast" });
  let notebook!: OpenNotebook;
  let history!: ReturnType<typeof openGit>;
  const indexing = await least(
    async () => {
      const sql = await openSql(":memory:");
      const index = openIndex(sql);
      history = openGit(openDisk(root), {
        ledger: openLedger(sql),
        durability: "fast",
        outsideAuthor: "someone",
        now,
      });
      notebook = openNotebook({
        ...PLAIN,
        store,
        index,
        history,
        rules: ruleReader,
        now,
        timeZone: "UTC",
        random: () => "00000000",
        versionOf: blobId,
      });
      await notebook.refresh();
    },
    size > LONG ? 1 : TRIES,
  );
  await history.catchUp(store, now());
  return { root, notebook, indexing: indexing / size, pathOf };
}

type Costs = { search: number; common: number; read: number; append: number; rename: number };

/** Milliseconds of processor time for one of each. */
async function costsOf({ notebook, pathOf }: Vault, size: number): Promise<Costs> {
  const page = { limit: 10, sort: "rank", snippet: { before: 60, width: 160 } } as const;
  const find = async (words: string, hits: number) => {
    const { notes } = await notebook.find({ words }, page);
    expect(notes.length).toBe(hits);
  };
  const search = await least(async () => {
    for (let at = 0; at < 100; at++) {
      await find(`only${(at * 7) % size}`, 1);
      await find("twenty", 10);
    }
  });
  const common = await least(() => find("every", 10));
  const read = await least(async () => {
    for (let at = 0; at < 200; at++) {
      const number = (at * 13) % size;
      expect((await notebook.read(notePath(pathOf(number)))).text).toContain(`only${number} `);
    }
  });
  let times = 0;
  const appending = await least(async () => {
    times++;
    for (let at = 0; at < 20; at++)
      await notebook.edit([
        { path: notePath(pathOf(at * 37)), edits: [append(`again${times}x${at}`, "line")] },
      ]);
    await find(`again${times}x7`, 1);
  });
  let name = pathOf(0);
  const rename = await least(async () => {
    const next = name.replace(/[^/]*$/, `Renamed ${times++}.md`);
    const { changes } = await notebook.move([{ from: notePath(name), to: notePath(next) }]);
    expect(changes.length).toBeGreaterThanOrEqual(BACKLINKS + 1);
    name = next;
  });
  return { search: search / 200, common, read: read / 200, append: appending / 20, rename };
}

async function measured<T>(size: number, pathOf: PathOf, use: (vault: Vault, costs: Costs) => T): Promise<T> {
  const vault = await makeVault(size, pathOf);
  try {
    return use(vault, await costsOf(vault, size));
  } finally {
    await vault.notebook.close();
    rmSync(vault.root, { recursive: true, force: true });
  }
}

type Measured = Costs & { indexing: number };
const all = (vault: Vault, costs: Costs): Measured => ({ ...costs, indexing: vault.indexing });
const said = (costs: Measured[], key: keyof Measured): string =>
  `${key}, ms: ${costs.map((each) => each[key].toFixed(3)).join(" → ")}`;

describe("as a vault grows from 1,000 notes to 16,000", () => {
  let costs: Measured[];
  let flat: Measured;
  beforeAll(async () => {
    costs = [];
    for (const size of SIZES) costs.push(await measured(size, inFolders, all));
    flat = await measured(SIZES[1]!, inOne, all);
  }, 300_000);
  afterAll(() => {
    if (process.env["GROWTH"])
      for (const key of Object.keys(flat)) console.log(said([...costs, flat], key as keyof Measured));
  });

  test.for(["indexing", "search", "read", "append", "rename"] as const)(
    "%s costs each note, or each call, no more",
    (key) => {
      expect(costs[2]![key], said(costs, key)).toBeLessThanOrEqual(costs[0]![key] * SLACK);
    },
  );
  test("a word that every note holds costs no more than the notes there are", () => {
    expect(costs[2]!.common, said(costs, "common")).toBeLessThanOrEqual(
      costs[1]!.common * (SIZES[2]! / SIZES[1]!) * SLACK,
    );
  });
  test.for(["indexing", "search", "common", "read"] as const)(
    "%s costs no more in one folder than in many",
    (key) => {
      expect(flat[key], said([costs[1]!, flat], key)).toBeLessThanOrEqual(costs[1]![key] * SLACK);
    },
  );
});
