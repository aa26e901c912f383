/** Check: what in the vault is broken, odd or left over, each with its remedy; and knowledge bases with their rules. */

import type { BaseView, Check as Survey, CheckGroup } from "../../wire.ts";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { noteAddress } from "../route.ts";
import { useCall } from "../use-call.ts";
import { plural, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

export const Check = () => {
  const { value, refusal, again } = useCall<Survey>("check", {});
  const bases = useCall<{ bases: BaseView[] }>("bases", {});
  useTitle("Check");
  return (
    <article class="check">
      <header class="page-head">
        <h1>Check</h1>
        <p class="meta" role="status">
          {value ? `${plural(value.notes, "note")} were read.` : refusal ? "" : "Every note is being read…"}{" "}
          {value && value.groups.length === 0 && "Nothing is amiss."}
        </p>
        {value && (
          <button type="button" onClick={again}>
            Look again
          </button>
        )}
      </header>
      {refusal && <RefusalLine refusal={refusal} again={again} />}
      {value?.groups.map((group) => (
        <GroupBlock key={group.name} group={group} />
      ))}
      {bases.value && bases.value.bases.length > 0 && (
        <section aria-labelledby="bases">
          <h2 id="bases">Knowledge bases</h2>
          {bases.value.bases.map((base) => (
            <Base key={base.name} base={base} broken={brokenIn(value, base)} />
          ))}
        </section>
      )}
    </article>
  );
};

const GroupBlock = ({ group: { what, next, count, findings, needsPerson } }: { group: CheckGroup }) => (
  <details class="finding" open={needsPerson && count <= 20}>
    <summary>
      <h2>{what}</h2> <span class="meta">{count.toLocaleString("en-US")}</span>
    </summary>
    <p class="meta">What to do: {next}.</p>
    <Findings findings={findings} />
    {count > findings.length && <p class="gap">and {count - findings.length} more</p>}
  </details>
);

const Findings = ({ findings }: { findings: CheckGroup["findings"] }) => (
  <ul class="findings">
    {findings.map(({ path, detail }, at) => (
      <li key={at}>
        {path.endsWith(".md") ? <a href={noteAddress(path)}>{seen(path)}</a> : seen(path)}{" "}
        <span class="meta">{seen(detail)}</span>
      </li>
    ))}
  </ul>
);

/** Notes of the base that the check found to break a rule. */
const brokenIn = (survey: Survey | null, { folder }: BaseView): CheckGroup["findings"] =>
  survey?.groups
    .find(({ name }) => name === "rule_violations")
    ?.findings.filter(({ path }) => path.startsWith(`${folder}/`)) ?? [];

const Base = ({ base, broken }: { base: BaseView; broken: CheckGroup["findings"] }) => (
  <section class="base">
    <h3>
      {seen(base.name)} <span class="where">{seen(base.folder)}</span>
    </h3>
    <p>{seen(base.description)}</p>
    {base.rules.map(({ folder, says }) => (
      <p key={folder} class="meta">
        A note in {seen(folder)} has {seen(says.join("; "))}.
      </p>
    ))}
    {broken.length > 0 && <Findings findings={broken} />}
  </section>
);
