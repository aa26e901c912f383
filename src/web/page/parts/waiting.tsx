/** What waits for the owner, above all else on the home screen; the tab's title counts it. */

import { useEffect } from "preact/hooks";
import type { Proposal } from "../../wire.ts";
import { proposalAddress } from "../route.ts";
import { useApp } from "../app.ts";
import { useCall } from "../use-call.ts";
import { momentOf, nameOf, plural, seen } from "../words.ts";

/** Asked for once for the whole page, so that every screen's title counts. */
export const WaitingCount = () => {
  const app = useApp();
  const { value } = useCall<{ proposals: Proposal[] }>("proposals", {}, ({ kind }) => kind === "proposal");
  useEffect(() => {
    app.waiting.value = value?.proposals ?? app.waiting.value;
  }, [value]);
  return null;
};

const KIND = { new: "write", edited: "edit", moved: "move", removed: "remove" };

export const Waiting = () => {
  const { value: waiting } = useApp().waiting;
  if (waiting.length === 0) return null;
  return (
    <section class="waiting" aria-labelledby="waiting">
      <h2 id="waiting">{plural(waiting.length, "proposal")} for you to decide</h2>
      <ol>
        {waiting.map((proposal) => (
          <li key={proposal.id}>
            <a class="revision" href={proposalAddress(proposal.id)}>
              <span class="what">
                <b>{seen(proposal.by)}</b> would like to {KIND[proposal.notes[0]?.kind ?? "edited"]}{" "}
                <cite>{seen(nameOf(proposal.notes[0]?.path ?? ""))}</cite>
                {proposal.notes.length > 1 && ` and ${plural(proposal.notes.length - 1, "more note")}`}
              </span>
              <time dateTime={proposal.last}>{momentOf(new Date(proposal.last))}</time>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
};
