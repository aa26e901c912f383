/** A proposal: what it would do to each note, accepted or declined as a whole or note by note; `j` `k` `a` `d`. */

import type { PageEvent, Refusal, ShownProposal } from "../../wire.ts";
import { useDeciding, type Deciding } from "../deciding.ts";
import { LongRest } from "../parts/long-list.tsx";
import { ProposedNote, Removal } from "../parts/proposed-note.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { Wish } from "../parts/waiting.tsx";
import { useProposalEdits, type Edits } from "../proposal-edits.ts";
import { useCall } from "../use-call.ts";
import { momentOf, nameOf, plural, seen, toolWords } from "../words.ts";
import { useTitle } from "./screen.tsx";

/** So many notes stand in one answer. */
const PAGE = 20;

/** A note that came or went may stand in the way, whatever its name; else it is one of those that are shown. */
const mayChangeIt = (event: PageEvent, proposal: ShownProposal | null): boolean => {
  if (event.kind === "proposal") return true;
  if (event.kind !== "note" || proposal === null) return false;
  const { shown, more } = proposal;
  return (
    more ||
    event.how !== "changed" ||
    shown.some(({ path, origin }) => event.path === path || event.path === origin)
  );
};

export const ProposalScreen = ({ id: written }: { id: string }) => {
  // Whatever it has grown to meanwhile is what is shown.
  const id = written.split("-", 1)[0]!;
  const asked = useCall<ShownProposal>("proposal", { id }, mayChangeIt);
  const { value, refusal, again } = asked;
  const edits = useProposalEdits(id);
  const deciding = useDeciding(asked, edits);
  useTitle(value ? `${value.by} proposes` : "A proposal");
  if (refusal && (!value || refusal.code !== "gone")) return <Gone refusal={refusal} edits={edits} />;
  if (!value) return <p class="count">Looking…</p>;
  const blocked = value.blocked.filter((path) => !edits.of(path)).length;
  const list = ({ shown }: ShownProposal) =>
    shown.map((note) => (
      <ProposedNote
        key={note.path}
        note={note}
        alone={value.touched === 1}
        deciding={deciding}
        edits={edits}
      />
    ));
  return (
    <article aria-busy={deciding.isBusy}>
      {refusal && <RefusalLine refusal={refusal} again={() => void again()} />}
      <Head proposal={value} blocked={blocked} deciding={deciding} />
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
  deciding: Deciding;
};

const Head = ({ proposal, blocked, deciding }: HeadProps) => {
  const { since, accept, decline } = deciding;
  const { notes, touched, removes } = proposal;
  const what = touched === 1 ? seen(nameOf(notes[0]!.path)) : "a note";
  return (
    <header class="page-head">
      <h1>
        <Wish proposal={proposal} />
      </h1>
      <p class="meta">
        {momentOf(new Date(proposal.last))} · with {seen(toolWords(proposal.tool))} ·{" "}
        {plural(touched, "note")}
        {proposal.linking > 0 && ` · links in ${plural(proposal.linking, "other note")} follow`}
      </p>
      {since !== null && (
        <p class="past" role="alert">
          It has {since} since you opened it. Below is what it is now.{" "}
          <button id="read" type="button" onClick={deciding.haveRead}>
            I have read it
          </button>
        </p>
      )}
      <div class="acts">
        <button
          type="button"
          class="main"
          disabled={blocked > 0 || since !== null}
          onClick={() => accept(null, removes)}
        >
          Accept
        </button>
        <button type="button" disabled={since !== null} onClick={() => decline(null)}>
          Decline
        </button>
      </div>
      {deciding.asks(null) && <Removal what={what} deciding={deciding} />}
      {blocked > 0 && (
        <p class="past">
          {plural(blocked, "note")} cannot be accepted as proposed. The reason is below. Edit the result, or
          decline.
        </p>
      )}
    </header>
  );
};

/** What somebody had made of it here can be taken elsewhere. */
const Gone = ({ refusal, edits }: { refusal: Refusal; edits: Edits }) => (
  <>
    <h1>{refusal.code === "revision_missing" ? "This proposal waits no more" : "A proposal"}</h1>
    <RefusalLine refusal={refusal} />
    {edits.all().map(({ path, text }) => (
      <section key={path} aria-label={nameOf(path)}>
        <h2>What you made of {seen(nameOf(path))}</h2>
        <pre class="source" tabIndex={0} aria-label="Your text">
          {text}
        </pre>
        <button type="button" onClick={() => void navigator.clipboard.writeText(text)}>
          Copy it
        </button>
      </section>
    ))}
    <p>
      <a href="#/">To what changed</a>
    </p>
  </>
);
