/** Time zones: the moment at which clocks somewhere show a time, and the other way round. */

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
  return new Date(
    `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}Z`,
  );
}
