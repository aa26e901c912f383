/** The bars: what each figure may be, and where to push once it holds. */

/** Milliseconds, or megabytes where the unit says so. */
export type Figure = {
  ours: number;
  unit?: "ms" | "s" | "MB";
  /** The raw limit of the same run, and what it is made of. */
  raw?: number;
  of?: string;
  /** The raw work alone, where `raw` has a round trip to a server in it. */
  alone?: number;
  runs: number;
};
export type Bar = { most: number; by: "raw" | "itself" };
export type Row = {
  id: string;
  what: string;
  size: number;
  figure: Figure;
  ratio: number | null;
  bar: Bar | null;
  met: boolean | null;
  goal: Bar | null;
  reached: boolean | null;
};

const times = (most: number): Bar => ({ most, by: "raw" });
const upTo = (most: number): Bar => ({ most, by: "itself" });
type Bars = { what: string; bar?: Bar | null; goal?: Bar | null };

/** Bars are for about ten thousand notes, some for a hundred thousand, few for any number. */
const USUAL = [5000, 50_000] as const;
const LARGE = [50_000, 500_000] as const;
const isIn = (size: number, [from, to]: readonly [number, number]): boolean => size >= from && size < to;

/** What a figure is called, and its bar and goal in a vault of this size. */
function barsFor(id: string, size: number): Bars {
  const large = isIn(size, LARGE);
  const usual = (most: number): Bar | null => (isIn(size, USUAL) ? times(most) : null);
  const search = { bar: large ? times(3) : usual(2), goal: large ? times(1.5) : usual(1.5) };
  switch (id) {
    case "start":
      return { what: "first answer after the start, index there", bar: usual(3), goal: usual(2) };
    case "start-growth":
      return { what: "the same, beside a vault of 1,000 notes", bar: times(1.5), goal: times(1.1) };
    case "start-large":
      return { what: "first answer, vault unchanged, absolute", bar: upTo(1000) };
    case "sweep":
      return {
        what: "an edit made while no server ran is found, after the start",
        bar: large ? upTo(2000) : null,
      };
    case "read":
      return { what: "read a note", bar: usual(1.5), goal: usual(1.2) };
    case "search-rare":
      return { what: "search, rare word", ...search };
    case "search-mid":
      return { what: "search, a word of every hundredth note", ...search };
    case "search-two":
      return { what: "search, two such words", ...search };
    case "search-common":
      return { what: "search, very common word", ...search, ...(large ? { bar: upTo(20) } : {}) };
    case "tag":
      return { what: "notes with a tag", bar: usual(2), goal: usual(1.2) };
    case "list":
      return { what: "list a folder", bar: usual(2), goal: usual(1.2) };
    case "backlinks":
      return { what: "links to a note", bar: usual(2), goal: usual(1.2) };
    case "create":
      return { what: "create a note: durable, indexed, versioned", bar: usual(4), goal: times(2.5) };
    case "append":
      return { what: "append to a note: durable, indexed, versioned", bar: usual(4), goal: times(2.5) };
    case "create-flat":
      return { what: "create, all notes in one folder", bar: times(4), goal: times(2.5) };
    case "append-flat":
      return { what: "append, all notes in one folder", bar: times(4), goal: times(2.5) };
    case "git":
      return { what: "(a write and `git commit`, for comparison)" };
    case "rename":
      return { what: "rename a note that 100 others link to", bar: usual(3), goal: usual(1.5) };
    case "outside":
      return { what: "an edit by another program is found by search", bar: upTo(100), goal: upTo(50) };
    case "cold":
      return {
        what: "first index, from the start",
        bar: size < USUAL[0] ? times(4) : usual(3),
        goal: usual(2),
      };
    case "cold-large":
      return { what: "first index, absolute", bar: upTo(90) };
    case "recorded":
      return { what: "first recording in the history, from the start" };
    case "database":
      return { what: "size of the index beside the notes" };
    case "memory-idle":
      return {
        what: "memory, idle after a start",
        bar: large ? upTo(150) : null,
        goal: large ? upTo(100) : null,
      };
    case "memory-peak":
      return {
        what: "memory, most while indexing",
        bar: large ? upTo(400) : null,
        goal: large ? upTo(250) : null,
      };
    default:
      return churnBars(id) ?? { what: id };
  }
}

/** `churn-rename-read` and the like: calls beside a loop that changes the vault without a pause. */
function churnBars(id: string): Bars | null {
  const [, kind, what] = /^churn-(\w+)-(\w+)$/.exec(id) ?? [];
  switch (what) {
    case "read":
      return { what: `read a note, p95, beside churn by ${kind}`, bar: times(10) };
    case "search":
      return { what: `search, p95, beside churn by ${kind}`, bar: times(10) };
    case "name":
      return { what: `read a note by its name, p95, beside churn by ${kind}`, bar: upTo(300) };
    case "start":
      return { what: `start, to the answer to initialize, beside churn by ${kind}` };
    default:
      return null;
  }
}

export function rowOf(id: string, size: number, figure: Figure): Row {
  const { what, bar = null, goal = null } = barsFor(id, size);
  const ratio = figure.raw === undefined ? null : figure.ours / figure.raw;
  const within = (limit: Bar | null): boolean | null =>
    limit === null ? null : (limit.by === "raw" ? ratio! : figure.ours) <= limit.most;
  return { id, what, size, figure, ratio, bar, met: within(bar), goal, reached: within(goal) };
}

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const said = (limit: Bar | null, unit: string, held: boolean | null): string =>
  limit === null
    ? ""
    : `≤ ${limit.by === "raw" ? `${limit.most} ×` : `${limit.most} ${unit}`}: ${held ? "met" : "**missed**"}`;

export function markdown(rows: readonly Row[]): string {
  const lines = rows.map(({ what, size, figure, ratio, bar, met, goal, reached }) => {
    const { ours, raw, of, alone, unit = "ms" } = figure;
    return `| ${[
      what,
      size.toLocaleString("en"),
      `${number(ours)} ${unit}`,
      raw === undefined ? "" : `${number(raw)}${of ? ` (${of})` : ""}`,
      ratio === null ? "" : number(ratio),
      alone === undefined ? "" : number(ours / alone),
      said(bar, unit, met),
      said(goal, unit, reached),
    ].join(" | ")} |`;
  });
  return [
    "| what | notes | Notewright | raw | × raw | × raw without the round trip | bar | goal |",
    "| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |",
    ...lines,
  ].join("\n");
}
