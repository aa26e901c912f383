/** One planted thing of the hostile vault, and the words by which text is known again wherever it turns up. */

import { writeFileSync } from "node:fs";
import type { GroupName } from "../../src/notebook/check.ts";

/** The vault, and beside it what must stay as it is. */
export type World = { vault: string; outside: string; sibling: string; port: number };

export type Item = {
  path: string;
  /** What `notewright check` names, where it is not the path. */
  told?: string;
  /** The group of the check that must list it; undefined where it is only to be survived. */
  listed?: GroupName;
  plant(at: string, world: World): void;
};

/** Stands in every note's text, so that one search of a log shows whether any text got there. */
export const MARK = "zanzibar-7731";
/** Stands in what lies outside, and may show up nowhere. */
export const SECRET = "outside-secret-4410";

export const file = (path: string, content: string | Uint8Array, listed?: GroupName): Item => ({
  path,
  ...(listed ? { listed } : {}),
  plant: (at) => writeFileSync(at, content),
});
