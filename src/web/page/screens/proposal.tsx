/** A proposal: what it would do to each note, accepted or declined as a whole or note by note; `j` `k` `a` `d`. */

import { useSignal } from "@preact/signals";
import type { ShownProposal } from "../../wire.ts";
import { useApp, type App } from "../app.ts";
import { useKeys } from "../keys.ts";
import { ProposedNote } from "../parts/proposed-note.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { useCall } from "../use-call.ts";
import { momentOf, plural, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

/** What the person made of notes, by path. */
export type Made = ReadonlyMap<string, { text: string; seen: string | null }>;

export const ProposalScreen = ({ id }: { id: string }) => {
  const app = useApp();
  // Whatever it has grown to meanwhile is what is shown.
  const { value, refusal, again } = useCall<ShownProposal>(
    "proposal",
    { id: id.split("-", 1)[0]! },
    (event) => event.kind === "proposal" || event.kind === "note",
  );
  const made = useSignal<Made>(new Map());
  const at = useSignal(0);
  const asked = useSignal(false);
  useTitle(value ? `${value.by} proposes` : "A proposal");
  const open = value?.shown.filter(({ conflict, path }) => conflict === null || made.value.has(path)) ?? [];
  const blocked = (value?.shown.length ?? 0) - open.length;
  const accept = (notes?: string[]): void => {
    const taken = value!.shown.filter(({ path }) => notes === undefined || notes.includes(path));
    // Removing a note is asked once more, because a key is soon pressed.
    if (taken.some(({ kind }) => kind === "removed") && !asked.value) return void (asked.value = true);
    asked.value = false;
    void decide(app, "accept", value!.id, { notes, made: made.value }).then((left) => left && again());
  };
  const decline = (notes?: string[]): void =>
    void decide(app, "decline", value!.id, { notes, made: made.value }).then((left) => left && again());
  const step = (by: number): void => {
    at.value = Math.max(0, Math.min((value?.shown.length ?? 1) - 1, at.value + by));
    document.querySelectorAll<HTMLElement>(".proposed")[at.value]?.focus();
  };
  const here = (): string[] | undefined =>
    value && value.shown.length > 1 ? [value.shown[at.value]!.path] : undefined;
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    a: () => value && accept(here()),
    d: () => value && decline(here()),
  });
  if (refusal) return <Gone refusal={refusal} />;
  if (!value) return <p class="count">Looking…</p>;
  return (
    <article>
      <header class="page-head">
        <h1>{seen(value.by)} proposes a change</h1>
        <p class="meta">
          {momentOf(new Date(value.last))} · with {value.tool.replaceAll("_", " ")} ·{" "}
          {plural(value.shown.length, "note")}
          {value.linking > 0 && ` · links in ${plural(value.linking, "other note")} follow`}
        </p>
        <div class="acts">
          <button type="button" class="main" disabled={blocked > 0} onClick={() => accept()}>
            {asked.value ? "Yes, remove it too" : "Accept"}
          </button>
          <button type="button" onClick={() => decline()}>
            Decline
          </button>
        </div>
        {asked.value && (
          <p class="past" role="alert">
            Accepting removes a note. Accept once more if that is what you want.
          </p>
        )}
        {blocked > 0 && (
          <p class="past">
            {plural(blocked, "note")} was changed in the same lines meanwhile: edit it below, or decline it.
          </p>
        )}
      </header>
      {value.shown.map((note, place) => (
        <ProposedNote
          key={note.path}
          note={note}
          alone={value.shown.length === 1}
          chosen={place === at.value}
          edited={made.value.get(note.path)?.text ?? null}
          edit={(text) => (made.value = new Map(made.value).set(note.path, { text, seen: note.seen }))}
          accept={() => accept([note.path])}
          decline={() => decline([note.path])}
        />
      ))}
    </article>
  );
};

const Gone = ({ refusal }: { refusal: Parameters<typeof RefusalLine>[0]["refusal"] }) => (
  <>
    <RefusalLine refusal={refusal} />
    <p>
      <a href="#/">To what changed</a>
    </p>
  </>
);

type Decision = { notes: string[] | undefined; made: Made };

/** Whether something of the proposal may be left to look at. */
const decide = async (
  app: App,
  what: "accept" | "decline",
  id: string,
  { notes, made }: Decision,
): Promise<boolean> => {
  const texts = [...made]
    .filter(([path]) => notes === undefined || notes.includes(path))
    .map(([path, { text, seen: version }]) => ({ path, text, seen: version }));
  try {
    const answer = await app.server.call<{ notes?: number; revision?: string | null }>(what, {
      id,
      ...(notes ? { notes } : {}),
      ...(what === "accept" && texts.length > 0 ? { texts } : {}),
    });
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
