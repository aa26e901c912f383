import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { blobId } from "../disk/hash.ts";
import { noHistory } from "../history/none.ts";
import { ruleReader } from "../knowledge/rule-edits.ts";
import type { Filter, Found } from "../notebook/filter.ts";
import { openNotebook, type OpenNotebook } from "../notebook/notebook.ts";
import { notePath } from "../notebook/paths.ts";
import { openSql } from "../sqlite/node.ts";
import { openIndex } from "../index/note-index.ts";
import { openSearch } from "../search/search.ts";
import type { Sql } from "../sqlite/sql.ts";
import { openVectors } from "../index/vectors.ts";
import { openMemory } from "../stores/memory.ts";
import { startEmbeddings, type Conduct, type EmbeddingsServer } from "../../test/embeddings-server.ts";
import { openEndpoint } from "./endpoint.ts";
import { openSemanticSearch, type OpenSemanticSearch } from "./semantic-search.ts";
import { PLAIN } from "../../test/vault.ts";

const NOTES: Record<string, string> = {
  "Garage.md": `# Garage\n\n${"Shelves and boxes stand there. ".repeat(40)}\n\n## Inside\n\nMy automobile needs a new tyre.\n`,
  "Health/Visit.md": "# Visit\n\nThe physician was glad to see me. #health\n",
  "Furniture.md": "A couch for the living room.\n",
  "Insurance.md": "The car is insured until May.\n",
  "Empty.md": "",
  "日本.md": "京都のお寺へ行く。\n",
};

let server: EmbeddingsServer;
let sql: Sql;
let notebook: OpenNotebook;
let semantic: OpenSemanticSearch;
let told: string[];
let progress: string[];
let clock: number;

/** A process of its own on the same index. */
function openAgain(who: string): OpenSemanticSearch {
  const now = () => new Date(clock);
  const endpoint = openEndpoint({ url: server.origin, model: "simple", key: undefined });
  return openSemanticSearch({
    endpoint,
    vectors: openVectors(openSearch(sql), "simple", now),
    who,
    now,
    tell: (line) => told.push(line),
  });
}

beforeEach(async () => {
  [told, progress, clock] = [[], [], Date.parse("2026-02-24T12:00:00Z")];
  server = await startEmbeddings();
  sql = await openSql(":memory:");
  const index = openIndex(sql);
  semantic = openAgain("one");
  notebook = openNotebook({
    ...PLAIN,
    store: openMemory(NOTES),
    index,
    history: noHistory(),
    rules: ruleReader,
    now: () => new Date(clock),
    timeZone: "UTC",
    random: () => "00000000",
    versionOf: blobId,
    semantic: { near: (text) => semantic.near(text) },
  });
  await notebook.refresh();
});
afterEach(async () => {
  await semantic.close();
  await notebook.close();
  await server.close();
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
const rows = (): number => sql.get<{ count: number }>("SELECT count(*) AS count FROM vectors")!.count;
const follow = (which = semantic): void =>
  which.follow(notebook.onChange, (done, total) => progress.push(`${done} of ${total}`));
async function followed(): Promise<void> {
  follow();
  const all = Object.keys(NOTES).length;
  await until(() => rows() === all);
}
const find = (filter: Filter | string, more: object = {}): Promise<Found> =>
  notebook.find(typeof filter === "string" ? { ask: filter } : filter, {
    limit: 10,
    sort: "rank",
    snippet: { before: 20, width: 80 },
    ...more,
  });
const paths = (found: Found): string[] => found.notes.map(({ path }) => path);

describe("what is near in meaning", () => {
  beforeEach(followed);

  test("is found without any of the words, and counted apart", async () => {
    const found = await find("settee");
    expect(paths(found)[0]).toBe("Furniture.md");
    expect([found.total, found.byMeaning]).toEqual([6, 6]);
    expect(progress.at(-1)).toBe("6 of 6");
    expect(told).toEqual([]);
  });

  test("shows the chunk that is meant, with its section", async () => {
    const found = await find("motorcar vehicle");
    const garage = found.notes.find(({ path }) => path === "Garage.md")!;
    expect(garage.section?.heading).toBe("Inside");
    expect(garage.snippet?.text).toContain("## Inside");
    expect(garage.snippet?.cutBefore).toBe(true);
  });

  test("comes after what has the words, and both before all else", async () => {
    expect(paths(await find("car")).slice(0, 2)).toEqual(["Insurance.md", "Garage.md"]);
  });

  test("only where the other conditions hold", async () => {
    expect(paths(await find({ all: [{ ask: "medic" }, { folder: "Health", deep: true }] }))).toEqual([
      "Health/Visit.md",
    ]);
    expect(paths(await find({ all: [{ ask: "medic" }, { tag: "other" }] }))).toEqual([]);
  });

  test.each<[string, Filter]>([
    ["every word must match", { words: "settee" }],
    ["a phrase must stand there", { phrase: "the settee" }],
    ["each of several parts must be met", { all: [{ ask: "settee" }, { ask: "living" }] }],
  ])("never where %s", async (_, filter) => {
    expect(await find(filter)).toMatchObject({ total: 0, byMeaning: 0 });
  });

  test("and a list that is not by rank does not ask for it", async () => {
    const before = server.asked.length;
    expect((await find("settee", { sort: "path" })).total).toBe(0);
    expect(server.asked.length).toBe(before);
  });

  test("a page at a time, each note once, for one vector", async () => {
    const before = server.asked.length;
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const found: Found = await find("settee", { limit: 2, ...(cursor === null ? {} : { cursor }) });
      seen.push(...paths(found));
      ({ cursor } = found);
    } while (cursor !== null);
    expect(seen.toSorted()).toEqual(Object.keys(NOTES).toSorted());
    expect(server.asked.length).toBe(before + 1);
  });

  test("follows a change, and forgets what was", async () => {
    const path = notePath("Furniture.md");
    const before = sql.get<{ version: string }>("SELECT version FROM notes WHERE path = ?", path)!.version;
    await notebook.write(path, "A joyful day.\n");
    await until(
      () =>
        sql.get(
          "SELECT 1 FROM vectors v JOIN notes n ON n.id = v.note AND n.version = v.version WHERE n.path = ?",
          path,
        ) !== undefined,
    );
    await until(() => !sql.get("SELECT 1 FROM vectors WHERE version = ?", before));
    expect(
      paths(await find("happy"))
        .slice(0, 2)
        .toSorted(),
    ).toEqual(["Furniture.md", "Health/Visit.md"]);
    expect(paths(await find("settee"))[0]).not.toBe("Furniture.md");
  });

  test("a note that was removed, or has changed and has no vectors yet, is not there", async () => {
    expect((await find("settee")).byMeaning).toBe(6);
    // From now on no vectors are made; that of the question is known.
    server.conduct = "stalls";
    await notebook.remove(notePath("Furniture.md"));
    await notebook.write(notePath("Garage.md"), "Nothing.\n");
    const found = await find("settee");
    expect([found.total, found.byMeaning, found.notes.length]).toEqual([4, 4, 4]);
    expect(paths(found)).not.toContain("Garage.md");
  });

  test("what is kept is not made again", async () => {
    await semantic.close();
    const before = server.asked.length;
    semantic = openAgain("two");
    // A server that ended without a word is waited for no longer than its time.
    clock += 100_000;
    follow();
    await until(() => progress.length > 0 || server.asked.length > before || rows() === 6);
    expect(paths(await untilNear("settee"))[0]).toBe("Furniture.md");
    expect(server.asked.length).toBe(before + 1);
  });

  test("of two processes one makes vectors, and both have them", async () => {
    const before = server.asked.length;
    const other = openAgain("two");
    follow(other);
    let near = await other.near("settee");
    while (!near) near = await new Promise((resolve) => setTimeout(() => resolve(other.near("settee")), 5));
    await other.close();
    expect(near.length).toBe(6);
    expect(server.asked.length).toBe(before + 1);
  });
});

async function untilNear(text: string): Promise<Found> {
  for (;;) {
    const found = await find(text);
    if (found.byMeaning > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const FAILURES: [Conduct, string][] = [
  ["fails", "it answered with status 500"],
  ["stalls", "it did not answer within 700 ms"],
  ["too few", "has not one vector for each text"],
  ["no numbers", "not all numbers"],
  ["redirects", "not followed"],
  ["no json", "not JSON"],
  ["hangs up", "could not be reached"],
  ["another size", "vectors of 128 numbers, those kept have 256"],
];

describe("where the endpoint does wrong, the words answer, and it is said once", () => {
  test.each(FAILURES)("a question: it %s", async (conduct, why) => {
    const plain = await find("car insured");
    await followed();
    server.conduct = conduct;
    const before = server.asked.length;
    expect(await find("car insured")).toEqual(plain);
    expect(await find("living room")).toMatchObject({ total: 1, byMeaning: 0 });
    // For a while it is not even asked.
    expect(server.asked.length).toBe(before + 1);
    clock += 60_000;
    expect(await find("car insured")).toEqual(plain);
    expect(told.length).toBe(1);
    expect(told[0]).toContain(why);
    server.conduct = "well";
    clock += 60_000;
    expect((await find("car insured")).byMeaning).toBeGreaterThan(0);
  });

  test.each(FAILURES.filter(([conduct]) => conduct !== "stalls" && conduct !== "another size"))(
    "vectors: it %s",
    async (conduct, why) => {
      const plain = await find("car insured");
      server.conduct = conduct;
      follow();
      await until(() => told.length > 0);
      expect(told).toEqual([expect.stringContaining(why)]);
      expect(rows()).toBe(0);
      expect(await find("car insured")).toEqual(plain);
      await semantic.close();
      server.conduct = "well";
      semantic = openAgain("one");
      await followed();
    },
  );

  test("vectors: it stalls, and whoever closes does not wait for it", async () => {
    server.conduct = "stalls";
    follow();
    await until(() => server.asked.length > 0);
    expect((await find("car insured")).total).toBe(1);
    await semantic.close();
    expect(told).toEqual([]);
  });

  test("a note whose text it will not take does not hold up the others", async () => {
    server.conduct = "refuses zebras";
    await notebook.write(notePath("Zoo.md"), "A zebra.\n");
    follow();
    await until(() => rows() === 7);
    expect(told).toEqual([expect.stringContaining("does not take the text of some note")]);
    clock += 60_000;
    expect(paths(await find("settee"))[0]).toBe("Furniture.md");
    expect(paths(await find("zebra"))[0]).toBe("Zoo.md");
  });
});
