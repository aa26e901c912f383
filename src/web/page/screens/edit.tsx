/** Edit: the source of a note. What others wrote meanwhile is merged when it is saved, or shown beside it; what cannot be saved stays. */

import { useMemo } from "preact/hooks";
import type { Note, Refusal } from "../../wire.ts";
import { useApp } from "../app.ts";
import { Broken, NotSaved, OlderDrafts, SomebodyElse } from "../editing/not-saved.tsx";
import type { Conflict } from "../editing/saving.ts";
import { useWriting, type Writing as Written, type WritingProps } from "../editing/use-writing.ts";
import { DeadEnd } from "../parts/refusal-line.tsx";
import { Sides } from "../parts/sides.tsx";
import { noteAddress } from "../route.ts";
import { unsavedOf } from "../unsaved.ts";
import { useCall } from "../use-call.ts";
import { nameOf, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

export const Edit = ({ path }: { path: string }) => {
  const { value: note, refusal } = useCall<Note>("note", { path });
  useTitle(`Edit ${nameOf(path)}`);
  if (!note) return refusal ? <Refused path={path} refusal={refusal} /> : <p class="count">Reading…</p>;
  if (note.text === null) return <NotText />;
  return <Writing key={path} path={path} text={note.text} version={note.version} />;
};

export const NotText = () => <p class="refusal">This note is not UTF-8 text, so it cannot be edited here.</p>;

/** A note that cannot be read; what somebody wrote in it and did not save is gone on with. */
const Refused = ({ path, refusal }: { path: string; refusal: Refusal }) => {
  const app = useApp();
  const [draft] = useMemo(() => unsavedOf(app, path), [path]);
  if (!draft) return <DeadEnd refusal={refusal} heading={nameOf(path)} path={path} />;
  return <Writing path={path} text="" version={draft.version} taken={draft} refused={refusal} />;
};

export const Writing = (props: WritingProps) => {
  const writing = useWriting(props);
  const { parent, state, conflict } = writing;
  return (
    <article class="edit">
      <Head props={props} writing={writing} />
      <OlderDrafts writing={writing} />
      <SomebodyElse writing={writing} />
      <NotSaved writing={writing} />
      <Broken writing={writing} />
      {conflict.value && <BothSides conflict={conflict.value} writing={writing} />}
      <div ref={parent} class="editor" aria-busy={state.value === "saving"} />
    </article>
  );
};

const Head = ({
  props: { path, version },
  writing: { state, save, drafts },
}: {
  props: WritingProps;
  writing: Written;
}) => (
  <header class="edit-head">
    <h1>{seen(nameOf(path))}</h1>
    <div class="acts">
      <button type="button" class="main" disabled={state.value === "saving"} onClick={() => void save()}>
        Save
      </button>
      <a href={version === null ? "#/" : noteAddress(path)}>Leave</a>
      <span class="meta" role="status">
        {state.value === "saving" && "Saving…"}
        {state.value === "typed" &&
          (drafts.isKept.value
            ? "Not saved yet; kept in this browser"
            : "Not saved yet, and too long for this browser to keep. It stays as long as this page is open.")}
      </span>
    </div>
  </header>
);

const BothSides = ({ conflict, writing }: { conflict: Conflict; writing: Written }) => (
  <section class="conflicts" aria-label="Both sides">
    <p role="alert">Somebody else changed the same lines. Both sides are shown, with what differs marked.</p>
    <Sides
      diff={conflict.diff}
      theirs={{
        title: "What is there now",
        children: (
          <button type="button" onClick={() => void writing.takeTheirs()}>
            Take what is there
          </button>
        ),
      }}
      mine={{
        title: "What you wrote",
        children: (
          <>
            <button type="button" onClick={() => writing.settle(conflict.version)}>
              Edit mine, then save
            </button>
            <button
              type="button"
              onClick={() => {
                writing.settle(conflict.version);
                void writing.save();
              }}
            >
              Save mine over it
            </button>
          </>
        ),
      }}
    />
  </section>
);
