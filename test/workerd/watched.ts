/** A workspace whose calls to its storage and its bucket are counted, and of which one can be made to fail, or to be the last before the object is killed. */

import type { Bucket } from "../../src/stores/bucket.ts";
import type { Bindings, ObjectState } from "../../src/worker/runtime.ts";
import { OTHERS } from "./buckets.ts";
import { Workspace } from "../../src/worker/workspace.ts";
import type { DurableStorage } from "../../src/sqlite/durable.ts";

export type Counts = {
  written: number;
  read: number;
  bucket: number;
  calls: number;
  by: Record<string, number>;
};
/** Which call fails, of all or of those to the bucket: it is not made, or it is made and nobody hears of it, or another program puts its own text there just before. Then the object is killed, or goes on; or the bucket is down for the next calls. */
export type Fault = {
  at: number;
  of: "all" | "bucket";
  how: "before" | "after" | "other writer";
  next: "killed" | "works" | "down";
};
/** So many calls fail where the bucket is down. */
const DOWN = 4;

type Cursor = { toArray(): Record<string, never>[]; rowsWritten: number; rowsRead: number };

/** `kill` ends the object at once: nothing after it is done. */
export const watched = (storage: ObjectState["storage"], bucket: Bucket, kill: () => void) => {
  const counts: Counts = { written: 0, read: 0, bucket: 0, calls: 0, by: {} };
  let fault: Fault | null = null;
  const failed = (): Error => {
    if (fault!.next === "killed") kill();
    return new Error("the call failed");
  };
  const around = <T>(at: number, of: Fault["of"], work: () => T): T => {
    if (fault === null || of !== fault.of) return work();
    if (fault.next === "down" && at > fault.at && at <= fault.at + DOWN) throw failed();
    if (at !== fault.at) return work();
    if (fault.how === "before") throw failed();
    const done = work();
    if (!(done instanceof Promise)) throw failed();
    return done.then(() => {
      throw failed();
    }) as T;
  };
  const exec: DurableStorage["sql"]["exec"] = (text, ...values) => ({
    toArray: () =>
      around(counts.calls++, "all", () => {
        const cursor = storage.sql.exec(text, ...values) as unknown as Cursor;
        const rows = cursor.toArray();
        counts.read += cursor.rowsRead;
        counts.written += cursor.rowsWritten;
        const said = text.trim().slice(0, 50);
        if (cursor.rowsWritten > 0) counts.by[said] = (counts.by[said] ?? 0) + cursor.rowsWritten;
        return rows;
      }),
  });
  const call = <T>(work: () => Promise<T>): Promise<T> => {
    const at = counts.bucket++;
    return around(counts.calls++, "all", () => around(at, "bucket", work));
  };
  const put: Bucket["put"] = async (key, bytes, how) => {
    if (fault?.how !== "other writer" || fault.at !== counts.bucket)
      return call(() => bucket.put(key, bytes, how));
    counts.bucket++;
    await bucket.delete(key);
    const { customMetadata } = how;
    const onlyIf = { etagDoesNotMatch: "*" } as const;
    await bucket.put(key, new TextEncoder().encode(OTHERS), { customMetadata, onlyIf });
    return bucket.put(key, bytes, how);
  };
  return {
    counts,
    /** The next calls are counted from 0. */
    fail: (next: Fault | null) => {
      fault = next;
      [counts.calls, counts.bucket] = [0, 0];
    },
    storage: {
      sql: { exec },
      transactionSync: <T>(work: () => T): T => storage.transactionSync(work),
      setAlarm: async (time: number) => {
        counts.written++;
        await storage.setAlarm(time);
      },
      getAlarm: () => storage.getAlarm(),
    },
    bucket: {
      head: (key: string) => call(() => bucket.head(key)),
      get: (...args: Parameters<Bucket["get"]>) => call(() => bucket.get(...args)),
      put,
      delete: (key: string) => call(() => bucket.delete(key)),
      list: (how: Parameters<Bucket["list"]>[0]) => call(() => bucket.list(how)),
    } satisfies Bucket,
  };
};

/** The workspaces of one Worker, watched. */
export class WatchedWorkspace extends Workspace {
  #watch: ReturnType<typeof watched>;
  #size: () => number;
  protected readonly unwatched: { storage: DurableStorage; bucket: Bucket };

  constructor(ctx: ObjectState, env: Bindings) {
    super(ctx, env);
    this.#watch = watched(ctx.storage, env.NOTES, () => (ctx as ObjectState & { abort(): void }).abort());
    this.unwatched = { storage: ctx.storage, bucket: env.NOTES };
    this.#size = () => (ctx.storage.sql as unknown as { databaseSize: number }).databaseSize;
    Object.defineProperty(this, "ctx", {
      value: { storage: this.#watch.storage, waitUntil: (work: Promise<unknown>) => ctx.waitUntil(work) },
    });
    Object.defineProperty(this, "env", { value: { NOTES: this.#watch.bucket } });
  }

  async fail(fault: Fault | null): Promise<void> {
    this.#watch.fail(fault);
  }

  /** Whether every note is in the index and recorded once. */
  async isWhole(): Promise<boolean> {
    const made = this.rows("SELECT 1 FROM sqlite_master WHERE name = 'recorded'").length > 0;
    return made && this.rows("SELECT 1 FROM recorded WHERE whole = 1").length > 0;
  }

  /** What the storage holds; the question is not counted. */
  protected rows(text: string): Record<string, unknown>[] {
    return this.unwatched.storage.sql.exec(text).toArray();
  }

  async counts(): Promise<Counts & { size: number }> {
    return { ...structuredClone(this.#watch.counts), size: this.#size() };
  }
}
