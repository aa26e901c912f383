/** A workspace whose calls to its storage and its bucket are counted, and of which one can be made to fail: after it the object does nothing more, as if it had been killed. */

import type { Bucket } from "../../src/stores/bucket.ts";
import type { Bindings, ObjectState } from "../../src/worker/runtime.ts";
import { Workspace } from "../../src/worker/workspace.ts";
import type { DurableStorage } from "../../src/sqlite/durable.ts";

export type Counts = {
  written: number;
  read: number;
  bucket: number;
  calls: number;
  by: Record<string, number>;
};
/** How a call fails: it is not made, or it is made and nobody hears of it; then everything fails, or the next call works again. */
export type Fault = { at: number; how: "before" | "after"; then: "dead" | "works" };

type Cursor = { toArray(): Record<string, never>[]; rowsWritten: number; rowsRead: number };

export const watched = (storage: ObjectState["storage"], bucket: Bucket) => {
  const counts: Counts = { written: 0, read: 0, bucket: 0, calls: 0, by: {} };
  let fault: Fault | null = null;
  let dead = false;
  const died = (): Error => new Error("the object was killed");
  const around = <T>(work: () => T): T => {
    if (dead) throw died();
    const hit = fault !== null && counts.calls === fault.at;
    counts.calls++;
    if (!hit) return work();
    dead = fault!.then === "dead";
    if (fault!.how === "before") throw died();
    const done = work();
    if (!(done instanceof Promise)) throw died();
    return done.then(() => {
      throw died();
    }) as T;
  };
  const exec: DurableStorage["sql"]["exec"] = (text, ...values) => ({
    toArray: () =>
      around(() => {
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
    counts.bucket++;
    return around(() => work());
  };
  return {
    counts,
    fail: (next: Fault | null) => {
      fault = next;
      dead = false;
      counts.calls = 0;
    },
    isDead: () => dead,
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
      put: (...args: Parameters<Bucket["put"]>) => call(() => bucket.put(...args)),
      delete: (key: string) => call(() => bucket.delete(key)),
      list: (how: Parameters<Bucket["list"]>[0]) => call(() => bucket.list(how)),
    } satisfies Bucket,
  };
};

/** The workspaces of one Worker, watched. */
export class WatchedWorkspace extends Workspace {
  #watch: ReturnType<typeof watched>;
  #size: () => number;

  constructor(ctx: ObjectState, env: Bindings) {
    super(ctx, env);
    this.#watch = watched(ctx.storage, env.NOTES);
    this.#size = () => (ctx.storage.sql as unknown as { databaseSize: number }).databaseSize;
    Object.defineProperty(this, "ctx", {
      value: { storage: this.#watch.storage, waitUntil: (work: Promise<unknown>) => ctx.waitUntil(work) },
    });
    Object.defineProperty(this, "env", { value: { NOTES: this.#watch.bucket } });
  }

  async counts(): Promise<Counts & { size: number }> {
    return { ...structuredClone(this.#watch.counts), size: this.#size() };
  }
}
