/** How good a ranked list is, beside what people judged: nDCG, recall, reciprocal rank. The gain is the grade itself, as trec_eval has it. */

/** By document: how well it answers, above 0. */
export type Grades = ReadonlyMap<string, number>;
export type Scores = { ndcg: number; recall5: number; recall10: number; recall100: number; mrr: number };

const CUT = 10;

const gained = (grades: readonly number[]): number =>
  grades.slice(0, CUT).reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);

export function scoresOf(ranked: readonly string[], grades: Grades): Scores {
  const ideal = gained([...grades.values()].toSorted((a, b) => b - a));
  const recall = (most: number): number =>
    ranked.slice(0, most).filter((id) => grades.has(id)).length / grades.size;
  const first = ranked.findIndex((id) => grades.has(id));
  return {
    ndcg: gained(ranked.map((id) => grades.get(id) ?? 0)) / ideal,
    recall5: recall(5),
    recall10: recall(10),
    recall100: recall(100),
    mrr: first < 0 ? 0 : 1 / (first + 1),
  };
}

export function meanOf(all: readonly Scores[]): Scores {
  const mean = (name: keyof Scores): number => all.reduce((sum, one) => sum + one[name], 0) / all.length;
  return {
    ndcg: mean("ndcg"),
    recall5: mean("recall5"),
    recall10: mean("recall10"),
    recall100: mean("recall100"),
    mrr: mean("mrr"),
  };
}

/** The number that so large a share is not above. */
export function shareOf(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
