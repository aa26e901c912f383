/** The shelf: where proposals are kept until they are settled, and what is left of those that were not accepted (decision 24). */

import { headOf, nameOfProposal, type Proposal, type ProposalHead, type SettledLine } from "./proposal.ts";

/** Bytes of text that the proposals of all identities may have together, where the place they are kept at says nothing else. */
export const TOTAL_BYTES = 128 * 1024 * 1024;
/** Lines that are kept of those that were declined. */
export const LINES_KEPT = 500;

/** Where proposals are kept. Synchronous, like an index; it is written only inside `alone`. */
export type ProposalShelf = {
  /** The bytes of text it takes in all. */
  readonly limit: number;
  /** Without their texts. It gives one and the same list until some came or went. */
  all(): readonly ProposalHead[];
  /** One of them with its texts, by its name; null where it is gone by now. */
  whole(name: string): Proposal | null;
  put(proposal: Proposal): void;
  drop(names: readonly string[]): void;
  /** Newest first. */
  lines(): SettledLine[];
  addLine(line: SettledLine): void;
  /** Calls the listener when proposals may have come or gone, here or in another process. */
  listen(listener: () => void): () => void;
};

/** A shelf in memory: for notes that are kept there, and for tests. */
export function memoryShelf(limit = TOTAL_BYTES): ProposalShelf {
  const proposals = new Map<string, Proposal>();
  const lines: SettledLine[] = [];
  const { listen, tell } = listeners();
  let heads: readonly ProposalHead[] = [];
  const changed = (): void => {
    heads = Array.from(proposals.values(), headOf);
    tell();
  };
  return {
    limit,
    all: () => heads,
    whole: (name) => proposals.get(name) ?? null,
    put(proposal) {
      for (const name of proposal.replaces) proposals.delete(name);
      proposals.set(nameOfProposal(proposal), proposal);
      changed();
    },
    drop(names) {
      for (const name of names) proposals.delete(name);
      changed();
    },
    lines: () => lines.toReversed(),
    addLine(line) {
      lines.push(line);
      if (lines.length > LINES_KEPT) lines.shift();
    },
    listen,
  };
}

/** Gives listeners of a place that nobody else writes to. */
export function listeners(): { listen: ProposalShelf["listen"]; tell(): void } {
  const all = new Set<() => void>();
  return {
    tell: () => all.forEach((listener) => listener()),
    listen(listener) {
      all.add(listener);
      return () => void all.delete(listener);
    },
  };
}
