/** Edit: the source of a note. What others wrote meanwhile is merged when it is saved, or shown beside it; what cannot be saved stays. */

import type { Note, Refusal } from "../../wire.ts";
import {
  useWriting,
  type Conflict,
  type Writing as Written,
  type WritingProps,
} from "../editing/use-writing.ts";
import { Diff } from "../parts/diff.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { noteAddress } from "../route.ts";
import { useCall } from "../use-call.ts";
import { momentOf, nameOf, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

export const Edit = ({ path }: { path: string }) => {
  const { value: note, refusal } = useCall<Note>("note", { path });
  useTitle(`Edit ${nameOf(path)}`);
  if (refusal) return <RefusalLine refusal={refusal} />;
  if (!note) return <p class="count">Reading…</p>;
  if (note.text === null)
    return <p class="refusal">This note is not UTF-8 text, so it cannot be edited here.</p>;
  return <Writing key={path} path={path} text={note.text} version={note.version} />;
};

export const Writing = (props: WritingProps) => {
  const writing = useWriting(props);
  const { parent, state, refusal, conflict, changed, editor } = writing;
  return (
    <article class="edit">
      <Head props={props} writing={writing} />
      <Draft writing={writing} text={props.text} />
      {changed.value && !conflict.value && (
        <p class="past" role="status">
          Somebody else changed this note meanwhile. When you save, both are merged.
        </p>
      )}
      {refusal.value && <NotSaved refusal={refusal.value} text={() => editor.current!.text()} />}
      <Broken writing={writing} />
      {conflict.value && <BothSides conflict={conflict.value} writing={writing} />}
      <div ref={parent} class="editor" aria-busy={state.value === "saving"} />
    </article>
  );
};

const Head = ({
  props: { path, version },
  writing: { state, save },
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
        {{ clean: "", typed: "Not saved yet; kept in this browser", saving: "Saving…" }[state.value]}
      </span>
    </div>
  </header>
);

/** What was left unsaved an earlier time. */
const Draft = ({ writing: { draft, takeDraft, dropDraft }, text }: { writing: Written; text: string }) => {
  if (!draft.value || draft.value.text === text) return null;
  return (
    <p class="past">
      You left words unsaved here {momentOf(new Date(draft.value.at))}.{" "}
      <button type="button" onClick={takeDraft}>
        Take them
      </button>{" "}
      <button type="button" onClick={dropDraft}>
        Drop them
      </button>
    </p>
  );
};

const Broken = ({ writing: { broken } }: { writing: Written }) => {
  if (broken.value.length === 0) return null;
  return (
    <div class="refusal" role="alert">
      <p>It is not saved, because it breaks rules of its folder:</p>
      <ul>
        {broken.value.map(({ says }) => (
          <li key={says}>{seen(says)}</li>
        ))}
      </ul>
    </div>
  );
};

/** What was typed can be taken elsewhere. */
const NotSaved = ({ refusal, text }: { refusal: Refusal; text(): string }) => (
  <div class="refusal" role="alert">
    <p>It is not saved. {refusal.message} What you wrote stays here.</p>
    <button type="button" onClick={() => void navigator.clipboard.writeText(text())}>
      Copy my text
    </button>
  </div>
);

const BothSides = ({ conflict, writing }: { conflict: Conflict; writing: Written }) => (
  <section class="conflicts" role="alert" aria-label="Both sides">
    <p>Somebody else changed the same lines. This leads from what is there now to what you wrote:</p>
    <Diff diff={conflict.diff} />
    <div class="acts">
      <button type="button" onClick={() => writing.settle(conflict)}>
        Edit mine, then save
      </button>
      <button
        type="button"
        onClick={() => {
          writing.settle(conflict);
          void writing.save();
        }}
      >
        Save mine over it
      </button>
      <button
        type="button"
        onClick={() => {
          writing.editor.current!.replace(conflict.theirs);
          writing.settle(conflict);
        }}
      >
        Take what is there
      </button>
    </div>
  </section>
);
