/** A caller's view of a vault: its parts, as far as the folders reach that the caller is kept to. LINES is the whole of it, a line for each promise of SECURITY.md; every verb is made of a view. */

import type { Changeset, Who, Plan } from "../change.ts";
import type { Engine } from "../commit.ts";
import type { Listener, News } from "../listeners.ts";
import type { History, NoteIndex, NoteStore, Parts, Revision } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { proposerKey, proposerOf } from "../proposals/proposal.ts";
import { proposingEngine } from "../proposals/proposing.ts";
import type { RuleBook } from "../rules.ts";
import type { VaultSettings } from "../settings/vault-settings.ts";
import type { FirstIndex } from "../waiting.ts";
import { elsewhere, refuseCrossing, type Following } from "./elsewhere.ts";
import { insideOf, type Inside } from "./inside.ts";
import { newsInside, rulesInside, settingsInside, storeInside, unnumbered } from "./parts-inside.ts";
import { refuseOutside, shownOf } from "./refusing.ts";

/** What a view is made of: a line left out is a test that the others do not cover for it. */
export type Lines = {
  /** Notes outside are not read, nor listed. */
  store(whole: NoteStore, inside: Inside): NoteStore;
  /** Searches, lists, tags, folders and names know nothing of them. */
  index(whole: NoteIndex, folders: readonly string[]): NoteIndex;
  /** A link that leads outside leads nowhere, and none comes from there. */
  links(
    whole: NoteIndex,
    folders: readonly string[],
  ): Pick<NoteIndex, "links" | "broken" | "lookup" | "linkSources">;
  /** The past has only what was inside. */
  history(whole: History, folders: readonly string[]): History;
  /** Rules bind; their texts are shown where the whole base lies inside. */
  rules(book: RuleBook, inside: Inside): RuleBook;
  /** Settings of the vault that name a place outside are not told. */
  settings(all: VaultSettings, inside: Inside): VaultSettings;
  /** Nothing is changed outside that a caller asks for. */
  refuse(paths: readonly string[], folders: readonly string[], inside: Inside): void;
  /** Revisions that moved a note across the border are taken back by somebody else. */
  undoing(whole: History, revisions: readonly Revision[], inside: Inside, who: Who): Promise<void>;
  /** Links elsewhere follow a note, or are marked. */
  elsewhere(whole: Parts, plan: Plan, inside: Inside, how: Following, who: Who): Promise<Plan>;
  /** What changed elsewhere is not told. */
  shown(plan: Plan, inside: Inside): Plan;
  news(news: News, inside: Inside): News | null;
  /** How many notes there are is not told while they are first indexed. */
  first(first: FirstIndex): FirstIndex;
};

export const LINES: Lines = {
  store: storeInside,
  index: (whole, folders) => whole.within(folders),
  links: (whole, folders) => whole.within(folders),
  history: (whole, folders) => ({ ...whole, ...whole.within(folders), troubles: () => [] }),
  rules: rulesInside,
  settings: settingsInside,
  refuse: refuseOutside,
  undoing: refuseCrossing,
  elsewhere,
  shown: shownOf,
  news: newsInside,
  first: unnumbered,
};

export type View = {
  /** What is read and asked, and what changes are planned on. */
  parts: Parts;
  ruleBook(): Promise<RuleBook>;
  settings(): Promise<VaultSettings>;
  first: FirstIndex;
  onChange(listener: Listener): () => void;
  /** Changes are carried out on the whole vault. */
  engine: Engine;
  /** Refuses paths that may not be changed. */
  mayChange(...paths: readonly string[]): void;
  mayUndo(revisions: readonly Revision[], who: Who): Promise<void>;
  /** Adds what becomes of links elsewhere. */
  withElsewhere(plan: Plan, how: Following, who: Who): Promise<Plan>;
};

type Whole = {
  engine: Engine;
  settings(): Promise<VaultSettings>;
  first: FirstIndex;
  onChange(listener: Listener): () => void;
};

/** Views are few, one for each choice of folders; should they become many, they are made anew. */
const KEPT = 100;

/** Whoever proposes has a view of their own, with their open text. */
export function openViews(whole: Whole, lines: Lines): (who: Who) => View {
  const viewOf = viewsOver(whole, lines);
  const proposing = new Map<string, (who: Who) => View>();
  return (who) => {
    if (who.rights !== "propose") return viewOf(who);
    const key = proposerKey(proposerOf(who));
    let own = proposing.get(key);
    if (own === undefined) {
      if (proposing.size >= KEPT) proposing.clear();
      own = viewsOver({ ...whole, engine: proposingEngine(whole.engine, who) }, lines);
      proposing.set(key, own);
    }
    return own(who);
  };
}

function viewsOver({ engine, settings, first, onChange }: Whole, lines: Lines): (who: Who) => View {
  const whole: View = {
    parts: engine.parts,
    ruleBook: engine.ruleBook,
    settings,
    first,
    onChange,
    engine,
    mayChange: () => undefined,
    mayUndo: async () => undefined,
    withElsewhere: async (plan) => plan,
  };
  const known = new Map<string, View>();
  const within = (folders: readonly string[]): View => {
    const { parts, ruleBook } = engine;
    const inside = insideOf(folders);
    const links = lines.links(parts.index, folders);
    const index: NoteIndex = {
      ...lines.index(parts.index, folders),
      links: links.links,
      broken: links.broken,
      lookup: links.lookup,
      linkSources: links.linkSources,
    };
    const semantic = parts.semantic && {
      near: (text: string) => parts.semantic!.near(text, index.numbers?.()),
    };
    const mayChange = (...paths: readonly string[]): void => lines.refuse(paths, folders, inside);
    return {
      parts: {
        ...parts,
        index,
        semantic,
        store: lines.store(parts.store, inside),
        history: lines.history(parts.history, folders),
      },
      ruleBook: async () => lines.rules(await ruleBook(), inside),
      settings: async () => lines.settings(await settings(), inside),
      first: lines.first(first),
      onChange: (listener) =>
        onChange((news) => {
          const some = lines.news(news, inside);
          if (some) listener(some);
        }),
      engine: {
        ...engine,
        kept: {
          check: (changes) =>
            mayChange(
              ...changes.flatMap(({ path, from, why }) => (why === "asked" ? [path, from ?? path] : [])),
            ),
          shown: (plan) => lines.shown(plan, inside),
          isInside: inside,
        },
      },
      mayChange,
      mayUndo: (revisions, who) => lines.undoing(parts.history, revisions, inside, who),
      withElsewhere: (plan, how, who) => lines.elsewhere(parts, plan, inside, how, who),
    };
  };
  return ({ folders }) => {
    if (folders === undefined || folders.includes("")) return whole;
    const key = JSON.stringify(folders);
    let view = known.get(key);
    if (view === undefined) {
      if (known.size >= KEPT) known.clear();
      known.set(key, (view = within(folders)));
    }
    return view;
  };
}

/** What the one path of every change asks of a view. */
export type Kept = {
  check(changes: Changeset["changes"]): void;
  shown(plan: Plan): Plan;
  isInside(path: NotePath | string): boolean;
};
