/** Knowledge bases as verbs: they change rule files, so they are locked, journaled, versioned and undone like notes. */

import type { Changeset, How, Who } from "./change.ts";
import { commit } from "./commit.ts";
import type { View } from "./folders/view.ts";
import { RULES } from "./paths.ts";
import { planRuleEdit, standingUnder, type Standing } from "./rulebook.ts";
import type { Base, BaseUpdate, Constraint, NewBase, NewConstraint, RuleBook, RuleEdit } from "./rules.ts";

export type Bases = {
  book(): Promise<RuleBook>;
  add(input: NewBase, how?: How): Promise<{ base: Base; changeset: Changeset }>;
  update(input: BaseUpdate, how?: How): Promise<{ base: Base; notes: string[]; changeset: Changeset }>;
  /** With how the notes that are there already stand to it. */
  constrain(
    input: NewConstraint,
    how?: How,
  ): Promise<{ constraint: Constraint; standing: Standing; changeset: Changeset }>;
};

/** `ready` waits until the index can be relied on. */
export function openBases(
  { engine, ruleBook, mayChange }: View,
  who: Who,
  ready: () => Promise<void>,
): Bases {
  // The edit is worked out inside the lock, on the rules that are there then.
  const change = async <T extends RuleEdit>(
    how: How,
    edit: (book: RuleBook) => T,
  ): Promise<T & { changeset: Changeset }> => {
    // Rule files lie in no folder of notes.
    mayChange(RULES);
    await ready();
    let made: T | undefined;
    const changeset = await commit(engine, who, how, async () => {
      made = edit(await engine.ruleBook());
      how.message ??= made.message;
      return planRuleEdit(engine.parts, made);
    });
    return { ...made!, changeset };
  };
  const { rules, now } = engine.parts;
  return {
    book: ruleBook,
    add: (input, how = {}) => change({ ...how }, (book) => rules.addBase(book, input, now())),
    update: (input, how = {}) => change({ ...how }, (book) => rules.updateBase(book, input)),
    async constrain(input, how = {}) {
      const made = await change({ ...how }, (book) => rules.constrain(book, input));
      const book = how.dryRun ? rules.read(withPuts(await engine.ruleBook(), made)) : await engine.ruleBook();
      return { ...made, standing: await standingUnder(engine.parts, book, made.constraint, who) };
    },
  };
}

const withPuts = (book: RuleBook, edit: RuleEdit) => {
  const files = new Map(book.files.map((file) => [file.path, file]));
  for (const put of edit.puts) files.set(put.path, put);
  return [...files.values()];
};
