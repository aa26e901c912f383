/** Times, counts and names as people say them. */

export const plural = (count: number, word: string): string =>
  `${count.toLocaleString("en-US")} ${word}${count === 1 ? "" : "s"}`;

/** `People/Ada.md` → `Ada`. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/, "");
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** One note is named, several are counted. */
export const whatOf = (count: number, path: string | undefined): string =>
  count === 1 && path !== undefined ? nameOf(path) : plural(count, "note");

/** Whence a note goes, and where to. */
export const wayOf = (from: string, to: string): string => `${from} → ${to}`.replace(/\.md(?= → |$)/g, "");

const DAY = 86_400_000;
const sameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();

export const timeOf = (date: Date): string =>
  date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });

/** `today`, `yesterday`, `Tuesday`, `4 March`, `4 March 2024`. */
export const dayOf = (date: Date, now = new Date()): string => {
  if (sameDay(date, now)) return "today";
  if (sameDay(date, new Date(now.getTime() - DAY))) return "yesterday";
  if (now.getTime() - date.getTime() < 6 * DAY && date < now)
    return date.toLocaleDateString(undefined, { weekday: "long" });
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" as const };
  return date.toLocaleDateString(undefined, { day: "numeric", month: "long", ...year });
};

/** `today, 14:02`. */
export const momentOf = (date: Date): string => `${dayOf(date)}, ${timeOf(date)}`;

export const toolWords = (tool: string): string => tool.replaceAll("_", " ");

/** Characters that a reader would not see are shown by their number, wherever names come from. */
export const seen = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu,
    (char) => `⟨${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
