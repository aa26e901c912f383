/** Check: what in the vault is broken, odd or left over, each with its remedy; and knowledge bases with their rules. */

import { useSignal } from "@preact/signals";
import type { BaseView, Check as Survey, CheckGroup, Findings as Found } from "../../wire.ts";
import { LongRest } from "../parts/long-list.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { noteAddress } from "../route.ts";
import { useCall } from "../use-call.ts";
import { nameOf, plural, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

export const Check = () => {
  const { value, refusal, again } = useCall<Survey>("check", {});
  const bases = useCall<{ bases: BaseView[] }>("bases", {});
  const hasBases = (bases.value?.bases.length ?? 0) > 0;
  useTitle("Check");
  return (
    <article class="check">
      <header class="page-head">
        <h1>Check</h1>
        <p class="meta" role="status">
          {value
            ? `${plural(value.notes, "note")} ${value.notes === 1 ? "was" : "were"} read.`
            : refusal
              ? ""
              : "Every note is being read…"}{" "}
          {value && value.groups.length === 0 && "Nothing is amiss."}
        </p>
        {value && (
          <button type="button" onClick={again}>
            Look again
          </button>
        )}
      </header>
      {refusal && <RefusalLine refusal={refusal} again={again} />}
      {value?.groups.map(
        (group) =>
          // Notes that break rules stand below their rules.
          !(group.name === "rule_violations" && hasBases) && (
            <GroupBlock key={group.name} group={group} check={value.number} />
          ),
      )}
      {value && bases.value && hasBases && (
        <section aria-labelledby="bases">
          <h2 id="bases">Knowledge bases</h2>
          {bases.value.bases.map((base) => (
            <Base key={`${base.name} ${value.number}`} base={base} />
          ))}
        </section>
      )}
    </article>
  );
};

const GroupBlock = ({ group, check }: { group: CheckGroup; check: number }) => {
  const { name, what, next, count, needsPerson } = group;
  const open = useSignal(needsPerson && count <= 20);
  return (
    <details class="finding" open={open.value} onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>
        <h2>{what}</h2> <span class="meta">{count.toLocaleString("en-US")}</span>
      </summary>
      <p class="meta">What to do: {next}.</p>
      {open.value && <FindingList key={check} input={{ group: name }} count={count} />}
    </details>
  );
};

/** So many stand in one answer. */
const PAGE = 40;

/** Findings of the last check; `count`: how many there are in all. */
const FindingList = ({ input, count }: { input: object; count?: number }) => {
  const { value, refusal, again } = useCall<Found>("findings", input);
  if (refusal) return <RefusalLine refusal={refusal} again={again} />;
  if (!value) return null;
  const beyond = (count ?? value.kept) - value.kept;
  return (
    <>
      <Findings findings={value.findings} />
      <LongRest<Found>
        call="findings"
        input={input}
        size={PAGE}
        first={value}
        show={({ findings }) => <Findings findings={findings} />}
      />
      {beyond > 0 && (
        <p class="gap">
          and {beyond.toLocaleString("en-US")} more; <code>notewright check</code> lists them
        </p>
      )}
    </>
  );
};

const Findings = ({ findings }: { findings: Found["findings"] }) => (
  <ul class="findings" hidden={findings.length === 0}>
    {findings.map(({ path, detail, link }, at) => {
      const before = findings[at - 1]?.link;
      const isFirst = link && !(before?.target === link.target && before.lacks === link.lacks);
      return (
        <li key={at}>
          {isFirst && (
            <p class="target">
              {seen(link.target)} <span class="meta">There is no such {link.lacks}.</span>
            </p>
          )}
          <Place path={path} line={link?.line} />{" "}
          <span class="meta">{link ? `line ${link.line}` : seen(detail)}</span>
        </li>
      );
    })}
  </ul>
);

/** A note by its name, opened at the line; whatever else by its path. */
const Place = ({ path, line }: { path: string; line: number | undefined }) =>
  path.endsWith(".md") ? (
    <a href={noteAddress(path, "note", line === undefined ? {} : { line })} title={seen(path)}>
      {seen(nameOf(path))}
    </a>
  ) : (
    <>{seen(path)}</>
  );

const Base = ({ base }: { base: BaseView }) => (
  <section class="base">
    <h3>
      {seen(base.name)} <span class="where">{seen(base.folder)}</span>
    </h3>
    <p>{seen(base.description)}</p>
    {base.rules.map(({ folder, says }) => (
      <p key={folder} class="meta">
        A note in {folder === "" ? "any folder" : seen(folder)} has {seen(says.join("; "))}.
      </p>
    ))}
    <FindingList input={{ group: "rule_violations", folder: base.folder }} />
  </section>
);
