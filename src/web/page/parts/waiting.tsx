/** What waits for the owner, above all else on the home screen; the tab's title counts it. */

import { useEffect } from "preact/hooks";
import type { PageEvent, Proposal, Proposals } from "../../wire.ts";
import { proposalAddress } from "../route.ts";
import { useApp, useAuthor } from "../app.ts";
import { dropSettled } from "../proposal-edits.ts";
import { useCall } from "../use-call.ts";
import { momentOf, nameOf, plural, seen } from "../words.ts";
import { LongRest } from "./long-list.tsx";

const isProposal = ({ kind }: PageEvent): boolean => kind === "proposal";

/** Asked for once for the whole page, so that every screen's title counts. */
export const WaitingCount = () => {
  const app = useApp();
  const { value } = useCall<Proposals>("proposals", {}, isProposal);
  useEffect(() => {
    if (!value) return;
    app.waiting.value = value;
    if (!value.more && app.hello.value!.mayWrite) dropSettled(app, value.proposals);
  }, [value]);
  return null;
};

const KIND = { new: "create", edited: "edit", moved: "move", removed: "remove" };
/** So many stand in one answer. */
const PAGE = 40;

export const Waiting = () => {
  const { value: waiting } = useApp().waiting;
  if (waiting.total === 0) return null;
  return (
    <section class="waiting" aria-labelledby="waiting">
      <h2 id="waiting">{plural(waiting.total, "proposal")} for you to decide</h2>
      <ProposalList proposals={waiting.proposals} />
      <LongRest<Proposals>
        call="proposals"
        input={{}}
        on={isProposal}
        size={PAGE}
        first={waiting}
        show={({ proposals }) => <ProposalList proposals={proposals} />}
      />
    </section>
  );
};

/** What somebody would like to do, as a sentence. */
export const Wish = ({
  proposal: {
    by,
    notes: [first],
    touched,
  },
}: {
  proposal: Proposal;
}) => (
  <>
    <b title={seen(by)}>{useAuthor()(by)}</b> would like to {KIND[first?.kind ?? "edited"]}{" "}
    <cite>{seen(nameOf(first?.path ?? ""))}</cite>
    {touched > 1 && ` and ${plural(touched - 1, "more note")}`}
  </>
);

const ProposalList = ({ proposals }: { proposals: readonly Proposal[] }) => (
  <ol hidden={proposals.length === 0}>
    {proposals.map((proposal) => (
      <li key={proposal.id}>
        <a class="revision" href={proposalAddress(proposal.id)}>
          <span class="what">
            <Wish proposal={proposal} />
          </span>
          <time dateTime={proposal.last}>{momentOf(new Date(proposal.last))}</time>
        </a>
      </li>
    ))}
  </ol>
);
