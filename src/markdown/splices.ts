/** Splices: replacements of spans of a source, and those that put items into a bracketed list or take them out. */

export type Span = { start: number; end: number };
export type Splice = Span & { text: string };

/** All of them at once; they must not overlap. */
export function spliced(source: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of splices.toSorted((one, other) => one.start - other.start)) {
    result += source.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + source.slice(at);
}

/** New items at the end, parted as the last two are; `open` is the place just after the opening bracket. */
export function flowInsert(
  source: string,
  list: { items: readonly Span[]; open: number },
  written: readonly string[],
): Splice {
  const last = list.items.at(-1);
  if (!last) return { start: list.open, end: list.open, text: written.join(", ") };
  const beforeLast = list.items.at(-2);
  const between = beforeLast ? source.slice(beforeLast.end, last.start) : "";
  // A comment between them is theirs and not to be repeated.
  const comma = /^\s*,\s*$/.test(between) ? between : ", ";
  return { start: last.end, end: last.end, text: written.map((item) => comma + item).join("") };
}

/** Each item goes with the comma before it, or, where none before it stays, with the one after. */
export function flowRemove(
  source: string,
  items: readonly Span[],
  goes: (item: Span, index: number) => boolean,
): Splice[] {
  const gone = items.map(goes);
  const firstKept = gone.indexOf(false);
  if (firstKept === -1) {
    if (items.length === 0) return [];
    const end = items.at(-1)!.end;
    const comma = /^\s*,/.exec(source.slice(end))?.[0].length ?? 0;
    return [{ start: items[0]!.start, end: end + comma, text: "" }];
  }
  return items.flatMap((item, index) => {
    if (!gone[index]) return [];
    return index < firstKept
      ? { start: item.start, end: items[index + 1]!.start, text: "" }
      : { start: items[index - 1]!.end, end: item.end, text: "" };
  });
}
