/** The time zone of this machine. */

import { readlinkSync } from "node:fs";

// Asking Intl first loads the tables of every locale, which takes longer than all else between the start and the first answer.
export const zoneHere = (): string => {
  const name = process.env["TZ"] ? undefined : linkedZone();
  return name ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
};
/** The zone as Unix keeps it: a link into the tables of zones. */
const linkedZone = (): string | undefined => {
  try {
    return /\/zoneinfo\/(?:posix\/)?([A-Za-z]\w*(?:[/+-]\w+)*)$/.exec(readlinkSync("/etc/localtime"))?.[1];
  } catch {
    return undefined;
  }
};
