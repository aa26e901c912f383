/** T4: every call and answer of several clients taken down, and held against what one copy of the notes could have done. */

export type Call = {
  kind: "append" | "read" | "replace";
  note: string;
  /** What is appended; what a replacement writes. */
  token: string;
  /** For a replacement, the version it was to replace. */
  expected?: string;
  begun: number;
  ended: number;
  /** Refused only where a replacement was stale. */
  acknowledged: boolean;
  /** What was read, or the version that a replacement made. */
  answer: string;
};

/** The text of a note as a list of tokens. */
export const tokensOf = (text: string): string[] => text.match(/\bt\d+-\d+\b/g) ?? [];

/** What cannot have been, in sentences; `final` are the notes as they are in the end. */
export function anomalies(calls: readonly Call[], final: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const note of new Set(calls.map((call) => call.note))) {
    const all = calls.filter((call) => call.note === note);
    const text = final.get(note) ?? "";
    found.push(...appendAnomalies(note, all, text), ...chainAnomalies(note, all, text));
  }
  return found;
}

function appendAnomalies(note: string, calls: readonly Call[], text: string): string[] {
  const appends = calls.filter(({ kind }) => kind === "append");
  if (appends.length === 0) return [];
  const found: string[] = [];
  const order = tokensOf(text);
  const places = new Map(order.map((token, at) => [token, at]));
  if (places.size !== order.length) found.push(`${note}: a token stands there twice`);
  for (const { token, acknowledged } of appends)
    if (acknowledged !== places.has(token))
      found.push(
        `${note}: ${token} was ${acknowledged ? "acknowledged and is lost" : "refused and is there"}`,
      );
  // In the order of the text, nothing may have ended before something that stands ahead of it was begun.
  const placed = appends
    .filter(({ token }) => places.has(token))
    .toSorted((a, b) => places.get(a.token)! - places.get(b.token)!);
  let latestBegun = -Infinity;
  for (const { token, begun, ended } of placed) {
    if (ended < latestBegun) found.push(`${note}: ${token} stands behind what was begun after it had ended`);
    latestBegun = Math.max(latestBegun, begun);
  }
  for (const read of calls.filter(({ kind }) => kind === "read"))
    found.push(...readAnomalies(note, read, placed));
  return found;
}

/** A read sees a beginning of the text: all that had been acknowledged when it was begun, nothing that was begun when it had ended. */
function readAnomalies(note: string, read: Call, placed: readonly Call[]): string[] {
  const seen = tokensOf(read.answer);
  const found: string[] = [];
  if (seen.some((token, at) => placed[at]?.token !== token))
    found.push(`${note}: a read saw no beginning of the text`);
  const missed = placed.slice(seen.length).find(({ ended }) => ended < read.begun);
  if (missed) found.push(`${note}: a read did not see ${missed.token}, which was acknowledged before`);
  const early = placed.slice(0, seen.length).find(({ begun }) => begun > read.ended);
  if (early) found.push(`${note}: a read saw ${early.token} before it was begun`);
  return found;
}

/** Replacements that were to replace one version each: one chain, from the first text to the last, in an order that fits the clock. */
function chainAnomalies(note: string, calls: readonly Call[], text: string): string[] {
  const done = calls.filter(({ kind, acknowledged }) => kind === "replace" && acknowledged);
  if (done.length === 0) return [];
  const found: string[] = [];
  const next = new Map<string, Call>();
  for (const call of done) {
    if (next.has(call.expected!)) found.push(`${note}: two replacements of one version were acknowledged`);
    next.set(call.expected!, call);
  }
  const made = new Set(done.map(({ answer }) => answer));
  let at = done.find(({ expected }) => !made.has(expected!));
  let count = 0;
  let latestBegun = -Infinity;
  let last = "";
  for (; at && count <= done.length; at = next.get(at.answer)) {
    if (at.ended < latestBegun)
      found.push(`${note}: ${at.token} comes after what was begun when it had ended`);
    latestBegun = Math.max(latestBegun, at.begun);
    last = at.token;
    count++;
  }
  if (count !== done.length) found.push(`${note}: ${done.length - count} replacements are outside the chain`);
  if (!text.includes(last)) found.push(`${note}: the last replacement is not what is there`);
  return found;
}
