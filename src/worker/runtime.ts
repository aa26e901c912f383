/** What we ask of a Durable Object and of the Worker in front of it, as types. */

import type { DurableStorage } from "../sqlite/durable.ts";
import type { Bucket } from "../stores/bucket.ts";

export type ObjectStorage = DurableStorage & {
  setAlarm(time: number): Promise<void>;
  getAlarm(): Promise<number | null>;
};
export type ObjectState = { storage: ObjectStorage; waitUntil(work: Promise<unknown>): void };

/** What the settings of the Worker bind. */
export type Bindings = { NOTES: Bucket };
