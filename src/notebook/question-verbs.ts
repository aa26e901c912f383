/** The verbs that ask: each waits until there is an answer, then reads the store, the index or the history. */

import { NoteError } from "../markdown/errors.ts";
import type { Who } from "./change.ts";
import { surveyVault } from "./check.ts";
import { heldAfter } from "./copies.ts";
import type { Locale } from "./calendar/locales.ts";
import type { View } from "./folders/view.ts";
import type { Found } from "./filter.ts";
import { gate } from "./gate.ts";
import { flushPending, handOut } from "./hand-out.ts";
import type { Link, LinkQuery } from "./link-graph.ts";
import type { Notebook } from "./notebook.ts";
import type { OutsideEdits } from "./outside.ts";
import type { NoteIndex, Parts } from "./parts.ts";
import { pastNote } from "./past.ts";
import { load, missing } from "./load.ts";
import { namesOne, withProposed } from "./proposals/by-name.ts";
import { nameOfProposal } from "./proposals/proposal.ts";
import { openIn, waitingFor } from "./proposals/proposing.ts";
import { withSemantic } from "./semantic.ts";
import { settledFilter } from "./settings/settled.ts";
import { inTurns } from "./turns.ts";
import type { SoFar, Waiting } from "./waiting.ts";

type Asked = View & { outside: OutsideEdits; walk: Walk; locale: Locale };
type Questions =
  | "read"
  | "find"
  | "links"
  | "broken"
  | "tags"
  | "folders"
  | "held"
  | "log"
  | "revision"
  | "check"
  | "survey"
  | "locate";

export function questionVerbs(
  { parts, ruleBook, settings, first, outside, walk, locale }: Asked,
  who: Who,
  wait: Waiting,
): Pick<Notebook, Questions> {
  const { store, index, history } = parts;
  const proposes = who.rights === "propose";
  /** A list that leaves out what somebody has proposed says so. */
  const noticed = <T>(answer: T): T => {
    const count = proposes ? waitingFor(parts, who) : 0;
    if (count > 0)
      who.notice?.(
        `${count} note${count === 1 ? " waits" : "s wait"} for review; this is the vault without what you proposed.`,
      );
    return answer;
  };
  return {
    async read(path, at) {
      if (at) {
        await wait.toBeRecorded();
        return pastNote(parts, path, at, who.memory);
      }
      const open = proposes ? openIn(parts, who, path) : null;
      const how = { times: index, memory: who.memory };
      const note = open ? await load(parts, path, how) : await handOut(parts, outside, who, path, how);
      if (!note) throw await missing(parts, path);
      if (open)
        who.notice?.(`"${path}" is shown as you proposed it, not as it is: ${nameOfProposal(open)} waits.`);
      return store.health.pending() ? Object.assign(note, { pendingOperation: true as const }) : note;
    },
    async find(filter, page) {
      await wait.toAnswer();
      const lacks = lacking(first.soFar(), index.unread());
      const settled = await settledFilter(filter, { settings, index, locale });
      const found = await inTurns(index.find(settled, await withSemantic(parts.semantic, settled, page)));
      const whole = lacks(found);
      return proposes && namesOne(filter) ? withProposed(parts, who, filter, whole) : noticed(whole);
    },
    async links(query) {
      await wait.toAnswer();
      return noticed(await ("around" in query ? walk(who, index, query) : inTurns(index.links(query))));
    },
    // On half an index every other link would seem broken.
    broken: (page) => wait.toBeIndexed().then(async () => noticed(await inTurns(index.broken(page)))),
    async tags(from) {
      await wait.toAnswer();
      return noticed(index.tags(from));
    },
    async folders(under) {
      await wait.toAnswer();
      return noticed(index.folders(under));
    },
    held: (after, limit) => wait.toBeIndexed().then(() => heldAfter(parts, after, limit)),
    async log(query, { pending = "record" } = {}) {
      await wait.toBeRecorded();
      if (pending === "record") await flushPending(outside, who, query.path);
      return history.log(query);
    },
    async revision(id) {
      await wait.toBeRecorded();
      return history.revision(id);
    },
    async check(path) {
      const note = await load(parts, path, { memory: who.memory });
      if (!note) throw await missing(parts, path);
      return (await ruleBook()).check(note.path, note);
    },
    async survey(how) {
      await wait.toChange();
      return surveyVault({ parts, ruleBook, settings, locale }, who, how);
    },
    async locate(name) {
      await wait.toName();
      const found = index.locate(name);
      if (found.length === 1) return found[0]!;
      if (found.length === 0) throw unknownName(parts, name);
      throw new NoteError(
        "name_ambiguous",
        `Several notes are called "${name}": ${found.join(", ")}. Say which, with its folder.`,
        {
          name,
          candidates: found,
        },
      );
    },
  };
}

/** Tells what an answer may lack, as it was when the question came. */
const lacking =
  (soFar: SoFar | null, unread: number) =>
  (found: Found): Found => ({
    ...found,
    ...(soFar && found.partial ? { soFar } : {}),
    ...(unread > 0 ? { partial: true, unread } : {}),
  });

type Walk = (who: Who, index: NoteIndex, query: LinkQuery) => Promise<Link[]>;

/** Walks over links take long, and beside each other they would take as long, with everybody else waiting for each of them: one goes on at a time. */
export function linkWalks(): Walk {
  const walking = gate(1);
  return async (who, index, query) => {
    let inside = walking.tryEnter();
    const enter = async () => {
      await walking.enter(who.signal);
      inside = true;
    };
    try {
      if (!inside) await (who.resting ? who.resting(enter) : enter());
      return await inTurns(index.links(query));
    } finally {
      if (inside) walking.leave();
    }
  };
}

function unknownName(parts: Parts, name: string): NoteError {
  const similar = parts.index.similarNames(name, 3);
  const hint =
    similar.length === 0 ? "" : ` The nearest there are: ${similar.map((one) => `"${one}"`).join(", ")}.`;
  return new NoteError("note_missing", `There is no note called "${name}".${hint}`, { name, similar });
}
