/** When a note was modified: the one time that is shown, sorted by and filtered by. By its fields, by the history, else by its file. */

import type { Value } from "../markdown/frontmatter.ts";
import { dateOf } from "./note.ts";
import type { Revision } from "./parts.ts";
import { zoned } from "./zone.ts";

export type Clock = { now(): Date; timeZone: string };

/** The two fields that tell it, as they are written. */
export type TimeFields = { updated?: Value | null | undefined; modified?: Value | null | undefined };

/** What the fields tell: the later of those that are not in the future, and the moment from which another one counts. */
export type FieldTimes = { counted: number | null; due: number | null };

export function fieldTimes({ updated, modified }: TimeFields, clock: Clock): FieldTimes {
  if (!updated && !modified) return { counted: null, due: null };
  const times = [updated, modified].flatMap((value) => timeOf(value, clock.timeZone) ?? []);
  const now = clock.now().getTime();
  const past = times.filter((time) => time <= now);
  const future = times.filter((time) => time > now);
  return {
    counted: past.length === 0 ? null : Math.max(...past),
    due: future.length === 0 ? null : Math.min(...future),
  };
}

const DAY = /^\s*(\d{4}-\d{2}-\d{2})\s*$/;

/** A day begins when clocks in the vault's time zone say so. */
function timeOf(value: unknown, timeZone: string): number | null {
  const date = dateOf(value);
  if (date === null) return null;
  return (DAY.test(String(value)) && timeZone !== "UTC" ? zoned(date, timeZone) : date).getTime();
}

/**
 * What the history knows of a note's text as it is now: when it was last changed; `null` where no change of it was recorded (it was only
 * found, or there is no history); `"since"` where it was changed since the last recording, so that the file's time tells when.
 */
export type LastChange = number | null | "since";

/** In whole seconds, as the history has them. `saved`: the file's time. */
export function modifiedAt(counted: number | null, change: LastChange, saved: number): number {
  const changed = change === "since" ? saved : change;
  const time = changed === null ? (counted ?? saved) : Math.max(counted ?? changed, changed);
  return Math.floor(time / 1000) * 1000;
}

/** When a revision changed the text of a note; null where it did not: the note was moved, taken away, or recorded as it was found. */
export function changedAt({ surface, date }: Revision, change: Revision["changes"][number]): number | null {
  const { from, before, version, saved } = change;
  const outside = surface === "outside";
  const found = outside && before === null;
  // A revision of ours that leaves a text as it was, and where it was, is a restore, which is a change.
  const moved = before === version && (outside || from !== undefined);
  return version === null || found || moved ? null : (saved ?? date).getTime();
}
