/** Times as people read them on a terminal: `2 hours ago`, `2026-11-15 14:03:09`. Pure: now and the time zone are given. */

import { wallClock } from "../notebook/zone.ts";

const UNITS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };

/** `2 hours ago`, rounded down. */
export function timeAgo(date: Date, now: Date): string {
  const passed = Math.max(0, now.getTime() - date.getTime());
  const [unit, length] = Object.entries(UNITS).findLast(([, ms]) => passed >= ms) ?? ["second", 1000];
  const count = Math.floor(passed / length);
  return count === 0 ? "just now" : `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** `2026-11-15 14:03:09`, as the clocks there showed it. */
export function localTime(date: Date, timeZone: string): string {
  return wallClock(date, timeZone).toISOString().slice(0, 19).replace("T", " ");
}
