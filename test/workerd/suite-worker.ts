/** A Worker that runs the contract suites inside Durable Objects: an object's storage cannot be used from outside it. */

import { DurableObject } from "cloudflare:workers";
import { blobId } from "../../src/disk/hash.ts";
import { openProposalRows } from "../../src/history/proposal-rows.ts";
import { openRowsHistory } from "../../src/history/rows.ts";
import { openLedger } from "../../src/index/ledger.ts";
import { openIndex } from "../../src/index/note-index.ts";
import { createSchema, dropIndex } from "../../src/index/schema.ts";
import { describeHistory } from "../../src/notebook/suites/history.ts";
import { describeIndex } from "../../src/notebook/suites/index.ts";
import { findPaths, row } from "../../src/notebook/suites/index-vault.ts";
import { describeShelf } from "../../src/notebook/suites/shelf.ts";
import { describeStore } from "../../src/notebook/suites/store.ts";
import { withLedger } from "../../src/notebook/suites/scribe.ts";
import { durableSql } from "../../src/sqlite/durable.ts";
import type { Sql } from "../../src/sqlite/sql.ts";
import type { Bucket } from "../../src/stores/bucket.ts";
import { openMemory } from "../../src/stores/memory.ts";
import { openR2 } from "../../src/stores/r2.ts";
import { packing } from "../../src/worker/packing.ts";
import { dumpOf } from "../index-dump.ts";
import { bucketWith, compareAll, oncePerSecond } from "./buckets.ts";
import { cases, describe, expect, test } from "./runner.ts";

/** Where the tests run: the storage and the bucket of the object that was asked to. */
const here: { sql?: Sql; bucket?: Bucket; workspaces: number } = { workspaces: 0 };

const cleared = (): Sql => {
  const sql = here.sql!;
  dropIndex(sql, /^_cf_|^sqlite_/, { anew: true });
  createSchema(sql);
  return sql;
};

describeIndex("index", async () => {
  const sql = cleared();
  return {
    index: openIndex(sql),
    dump: () => dumpOf(sql),
    // The bodies are packed here, so that SQLite cannot compare its words with them; on Node it does.
    check: () => sql.exec("INSERT INTO words (words, rank) VALUES ('integrity-check', 0)"),
  };
});
describeStore("store", async (given) => {
  const workspace = `w${++here.workspaces}`;
  const store = openR2(await bucketWith(here.bucket!, workspace, given), cleared(), {
    workspace,
    now: () => new Date(),
    seen: async () => true,
    later: () => undefined,
  });
  await compareAll(store);
  return { store, cleanup: () => store.close() };
});
describeHistory("history", async () => {
  const sql = cleared();
  const open = () => {
    const ledger = openLedger(sql);
    return withLedger(openRowsHistory(sql, { ledger, outsideAuthor: "someone" }), ledger);
  };
  return {
    history: open(),
    async again() {
      for (const table of ["revisions", "touches", "recorded"]) sql.exec(`DELETE FROM ${table}`);
      return open();
    },
    store: openMemory,
  };
});
describeShelf("shelf", async () => {
  const sql = cleared();
  const again = () => openProposalRows(sql, { limit: 24 * 1024 * 1024 });
  return { shelf: again(), again };
});

describe("index of an object", () =>
  test("a note above 2 MB is searched in its beginning", () => {
    const index = openIndex(cleared());
    index.apply([row("a.md", `first ${"word ".repeat(500_000)} last`)]);
    expect(findPaths(index, { words: "first" })).deep.equal(["a.md"]);
    expect(findPaths(index, { words: "last" })).deep.equal([]);
  }));

describe("history in rows", () =>
  test("texts of any length come back to the byte, kept alone or in a pack", async () => {
    const sql = cleared();
    const history = openRowsHistory(sql, { ledger: openLedger(sql), outsideAuthor: "someone" });
    for (const length of [0, 1, 300, 5_000, 16_000, 70_000, 400_000]) {
      const bytes = new TextEncoder().encode(
        Array.from({ length }, (_, at) => String.fromCharCode(97 + ((at * at) % 23))).join(""),
      );
      await history.hold(bytes);
      await history.holdAll();
      expect(await history.blob(blobId(bytes)), String(length)).deep.equal(bytes);
    }
  }));

export class Suites extends DurableObject<{ NOTES: Bucket }> {
  async fetch(request: Request): Promise<Response> {
    here.sql = durableSql(this.ctx.storage, packing);
    here.bucket = oncePerSecond(this.env.NOTES);
    const suite = new URL(request.url).searchParams.get("suite")!;
    const failed: string[] = [];
    const slow: [string, number][] = [];
    let passed = 0;
    for (const { name, run } of cases.filter((one) => one.name.startsWith(suite))) {
      const since = Date.now();
      try {
        await run();
        passed++;
      } catch (error) {
        const { message, stack = "" } = error as Error;
        failed.push(`${name}: ${message}\n${stack.split("\n").slice(1, 4).join("\n")}`.slice(0, 1000));
      }
      slow.push([name, Date.now() - since]);
    }
    return Response.json({ passed, failed, slow: slow.toSorted((a, b) => b[1] - a[1]).slice(0, 8) });
  }
}

type Namespace = { idFromName(name: string): unknown; get(id: unknown): Suites };

export default {
  fetch: (request: Request, { SUITES }: { SUITES: Namespace }): Promise<Response> =>
    SUITES.get(SUITES.idFromName(request.url)).fetch(request),
};
