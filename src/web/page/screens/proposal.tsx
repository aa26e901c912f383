/** A proposal: what it would do to each note, accepted or declined as a whole or note by note; `j` `k` `a` `d`. */

import { useSignal } from "@preact/signals";
import type { PageEvent, ShownProposal } from "../../wire.ts";
import { useApp, type App } from "../app.ts";
import { useKeys } from "../keys.ts";
import { LongRest } from "../parts/long-list.tsx";
import { ProposedNote } from "../parts/proposed-note.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { proposalEdits, type Edits, type Made } from "../proposal-edits.ts";
import { useCall } from "../use-call.ts";
import { momentOf, plural, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

/** So many notes stand in one answer. */
const PAGE = 20;
const mayChangeIt = ({ kind }: PageEvent): boolean => kind === "proposal" || kind === "note";

/** Notes of it as they stand on the page: pages that are far away are not among them. */
const places = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".proposed")];

export const ProposalScreen = ({ id: written }: { id: string }) => {
  const app = useApp();
  // Whatever it has grown to meanwhile is what is shown.
  const id = written.split("-", 1)[0]!;
  const { value, refusal, again } = useCall<ShownProposal>("proposal", { id }, mayChangeIt);
  const edits = proposalEdits(app, id, useSignal<Made>(new Map()));
  const chosen = useSignal<string | null>(null);
  const asked = useSignal(false);
  useTitle(value ? `${value.by} proposes` : "A proposal");
  const alone = value?.touched === 1;
  const blocked = value?.blocked.filter((path) => !edits.of(path)).length ?? 0;
  const settle = (what: "accept" | "decline", notes: string[] | undefined): void =>
    void decide(app, what, value!, { notes, edits }).then((left) => left && again());
  const accept = (notes: string[] | undefined, removes: boolean): void => {
    // Removing a note is asked once more, because a key is soon pressed.
    if (removes && !asked.value) return void (asked.value = true);
    asked.value = false;
    settle("accept", notes);
  };
  const at = (): number =>
    Math.max(
      0,
      places().findIndex(({ dataset }) => dataset["path"] === chosen.value),
    );
  const step = (by: number): void => {
    const next = places()[Math.max(0, Math.min(places().length - 1, at() + by))];
    chosen.value = next?.dataset["path"] ?? null;
    next?.focus();
  };
  const decideHere = (what: "accept" | "decline"): void => {
    const here = alone ? undefined : places()[at()]?.dataset;
    const notes = here && [here["path"]!];
    const removes = here ? here["kind"] === "removed" : value!.removes;
    if (what === "accept") accept(notes, removes);
    else settle("decline", notes);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    a: () => value && decideHere("accept"),
    d: () => value && decideHere("decline"),
  });
  if (refusal) return <Gone refusal={refusal} />;
  if (!value) return <p class="count">Looking…</p>;
  const list = ({ shown }: ShownProposal) =>
    shown.map((note) => (
      <ProposedNote
        key={note.path}
        note={note}
        alone={alone}
        chosen={chosen.value === note.path}
        edits={edits}
        accept={() => accept([note.path], note.kind === "removed")}
        decline={() => settle("decline", [note.path])}
      />
    ));
  return (
    <article>
      <Head
        proposal={value}
        blocked={blocked}
        asked={asked.value}
        accept={() => accept(undefined, value.removes)}
        decline={() => settle("decline", undefined)}
      />
      {list(value)}
      <LongRest<ShownProposal>
        call="proposal"
        input={{ id }}
        on={mayChangeIt}
        size={PAGE}
        first={value}
        show={list}
      />
    </article>
  );
};

type HeadProps = {
  proposal: ShownProposal;
  /** How many notes cannot be accepted as they are. */
  blocked: number;
  /** It was asked to remove a note, and is to be asked again. */
  asked: boolean;
  accept(): void;
  decline(): void;
};

const Head = ({ proposal, blocked, asked, accept, decline }: HeadProps) => (
  <header class="page-head">
    <h1>{seen(proposal.by)} proposes a change</h1>
    <p class="meta">
      {momentOf(new Date(proposal.last))} · with {seen(proposal.tool.replaceAll("_", " "))} ·{" "}
      {plural(proposal.touched, "note")}
      {proposal.linking > 0 && ` · links in ${plural(proposal.linking, "other note")} follow`}
    </p>
    <div class="acts">
      <button type="button" class="main" disabled={blocked > 0} onClick={accept}>
        {asked ? "Yes, remove it too" : "Accept"}
      </button>
      <button type="button" onClick={decline}>
        Decline
      </button>
    </div>
    {asked && (
      <p class="past" role="alert">
        Accepting removes a note. Accept once more if that is what you want.
      </p>
    )}
    {blocked > 0 && (
      <p class="past">
        {plural(blocked, "note")} cannot be accepted as proposed: below stands why. Edit the result, or
        decline.
      </p>
    )}
  </header>
);

const Gone = ({ refusal }: { refusal: Parameters<typeof RefusalLine>[0]["refusal"] }) => (
  <>
    <RefusalLine refusal={refusal} />
    <p>
      <a href="#/">To what changed</a>
    </p>
  </>
);

type Decision = { notes: string[] | undefined; edits: Edits };

/** Whether something of the proposal may be left to look at. */
const decide = async (
  app: App,
  what: "accept" | "decline",
  { id }: ShownProposal,
  { notes, edits }: Decision,
): Promise<boolean> => {
  const made = edits.all().filter(({ path }) => notes === undefined || notes.includes(path));
  const texts = made.map(({ path, text, version }) => ({ path, text, seen: version }));
  try {
    const answer = await app.server.call<{ notes?: number; revision?: string | null }>(what, {
      id,
      ...(notes ? { notes } : {}),
      ...(what === "accept" && texts.length > 0 ? { texts } : {}),
    });
    for (const { path } of made) edits.drop(path);
    const { revision } = answer;
    app.notice.value = {
      words:
        what === "accept"
          ? `Accepted: ${plural(answer.notes ?? 0, "note")}.`
          : "Declined. Nothing was written.",
      ...(revision
        ? {
            act: {
              words: "Undo",
              run: async () => void (await app.server.call("undo", { revisions: [revision] })),
            },
          }
        : {}),
    };
    if (notes !== undefined) return true;
    app.go("#/");
    return false;
  } catch (error) {
    app.failed(error);
    return true;
  }
};
