/** The state of a Durable Object in memory, for tests of the class itself: a database, and an alarm that a test looks at and lets ring. */

import { openSql } from "../../src/sqlite/node.ts";
import type { Bindings, ObjectState } from "../../src/worker/runtime.ts";
import { Workspace } from "../../src/worker/workspace.ts";
import type { Bucket } from "../../src/stores/bucket.ts";

/** As in an object, statements may be several; those give no rows. */
const isQuestion = /^\s*(?:SELECT|WITH|PRAGMA|INSERT|UPDATE|DELETE)\b[^;]*;?\s*$/i;

export const objectState = async () => {
  const sql = await openSql(":memory:");
  const under = new Set<Promise<unknown>>();
  const alarms: { at: number | null; set: number } = { at: null, set: 0 };
  const state: ObjectState = {
    storage: {
      sql: {
        exec: (text, ...values) => {
          if (isQuestion.test(text)) return onRows(sql.all(text, ...(values as string[])));
          sql.exec(text);
          return onRows([]);
        },
      },
      transactionSync: (work) => sql.transaction(work),
      getAlarm: async () => alarms.at,
      async setAlarm(time) {
        alarms.set++;
        alarms.at = time;
      },
    },
    waitUntil(work) {
      under.add(work);
      const gone = (): void => void under.delete(work);
      work.then(gone, gone);
    },
  };
  return {
    state,
    alarms,
    /** Until nothing goes on beside requests. */
    async quiet() {
      while (under.size > 0) await Promise.allSettled(under);
    },
  };
};
const onRows = (rows: unknown[]) => ({ toArray: () => rows as Record<string, never>[] });

/** A workspace that can be looked into, shut as when it is idle, and whose alarm rings as the runtime has it. */
export class OpenWorkspace extends Workspace {
  engineOf(name: string) {
    return this.open(name).engine;
  }
  async end(): Promise<void> {
    await this.shut();
  }
}

export const workspaceOn = (state: ObjectState, bucket: Bucket): OpenWorkspace =>
  new OpenWorkspace(state, { NOTES: bucket } as unknown as Bindings);
