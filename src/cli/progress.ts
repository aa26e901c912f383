/** Progress of an indexing, or of a check, on stderr: a bar on a terminal, a few plain lines elsewhere, nothing where there is little to do. */

export type Screen = { isTTY?: boolean; columns?: number; write(text: string): unknown };

/** Below this many notes an indexing is over before a line about it is read. */
const WORTH_TELLING = 200;
const BAR = 24;

export const count = (value: number): string => value.toLocaleString("en-US");

/** "1 note", "2,310 notes" */
export const plural = (value: number, word: string): string =>
  `${count(value)} ${word}${value === 1 ? "" : "s"}`;

export const progressOn = (
  screen: Screen,
  environment: Record<string, string | undefined>,
  words = { doing: "Indexing", done: "indexed" },
) => {
  const plain = !screen.isTTY || environment.TERM === "dumb";
  const dim =
    environment.NO_COLOR || plain ? (text: string) => text : (text: string) => `\u001b[2m${text}\u001b[0m`;
  let first: number | null = null;
  let shown = 0;

  const bar = (done: number, total: number): void => {
    const full = Math.round((BAR * done) / total);
    const line = `${words.doing} ${"█".repeat(full)}${dim("░".repeat(BAR - full))} ${count(done)} of ${count(total)} notes`;
    screen.write(`\r${line}\u001b[K${done >= total ? "\n" : ""}`);
  };
  const lines = (done: number, total: number): void => {
    const tenth = Math.floor((10 * done) / total);
    if (tenth <= shown) return;
    shown = tenth;
    screen.write(`notewright: ${words.done} ${count(done)} of ${count(total)} notes\n`);
  };
  return (done: number, total: number): void => {
    first ??= done;
    if (total - first < WORTH_TELLING) return;
    (plain ? lines : bar)(done, total);
  };
};
