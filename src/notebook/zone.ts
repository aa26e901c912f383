/** Time zones: the moment at which clocks somewhere show a time, what they show at a moment, and which day it is there. */

const DAY = 86_400_000;

/** The zone of that IANA name, as this runtime spells it; null where it knows none. */
export function zoneNamed(name: unknown): string | null {
  if (typeof name !== "string") return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The moment at which clocks in the zone show what `wall` shows in UTC. */
export function zoned(wall: Date, timeZone: string): Date {
  const offset = (at: Date) => wallClock(at, timeZone).getTime() - at.getTime();
  const guess = new Date(wall.getTime() - offset(wall));
  // Where the guess lies across a change of the clocks, the offset there is the one that counts.
  return new Date(wall.getTime() - offset(guess));
}

/** What clocks in the zone show at a moment, as a time in UTC. */
export function wallClock(date: Date, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(date);
  const part = (type: string) => parts.find((it) => it.type === type)!.value;
  const year = part("year").padStart(4, "0");
  const shown = `${year}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}Z`;
  return new Date(Date.parse(shown) + date.getUTCMilliseconds());
}

/** The day it is in a zone, as `yyyy-MM-dd`, or one that is so many days later. */
export function dayAt(date: Date, timeZone: string, later = 0): string {
  const day = wallClock(date, timeZone).toISOString().slice(0, 10);
  return later === 0
    ? day
    : new Date(Date.parse(`${day}T12:00:00Z`) + later * DAY).toISOString().slice(0, 10);
}

/** Whether a text is a day of the calendar, written as `yyyy-MM-dd`. */
export function isDay(written: string): boolean {
  const date = new Date(`${written}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(written) &&
    !Number.isNaN(date.getTime()) &&
    date.toISOString().startsWith(written)
  );
}
