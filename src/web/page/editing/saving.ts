/** Saving what an editor holds: what became of it, and of the words that were typed meanwhile. */

import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import type { Refusal, Saved } from "../../wire.ts";
import { refusalOf, type App } from "../app.ts";
import { noteAddress } from "../route.ts";
import { nameOf } from "../words.ts";
import type { Editor } from "./editor.ts";
import type { OwnDraft } from "./use-drafts.ts";

/** Where the text goes. `version`: which one it is written on; null for a new note. */
export type Target = { path: string; version: string | null };
export type Conflict = Extract<Saved, { kind: "conflict" }>;
type Written = Extract<Saved, { kind: "saved" | "merged" }>;
export type Issues = Extract<Saved, { kind: "broken" }>["issues"];

export type Saving = {
  editor: RefObject<Editor | null>;
  target: { current: Target };
  state: Signal<"clean" | "typed" | "saving">;
  refusal: Signal<Refusal | null>;
  conflict: Signal<Conflict | null>;
  broken: Signal<Issues>;
  /** What somebody else did to the note meanwhile. */
  changed: Signal<"changed" | "went" | null>;
  drafts: OwnDraft;
};

/** `isOpen`: whether the editor is still shown. */
export const openSaving = (app: App, parts: Saving, isOpen: () => boolean): (() => Promise<void>) => {
  const { editor, target, state, refusal, conflict, broken, changed, drafts } = parts;

  /** Where the editor is not shown any more, nothing else tells of it. */
  const isNotSaved = (why: string): void => {
    if (isOpen()) return;
    const words = `${nameOf(target.current.path)} is not saved. ${why} What you wrote waits on the first page.`;
    app.notice.value = { words, isTrouble: true, to: "home" };
  };
  const written = (answer: Written): void => {
    const name = nameOf(target.current.path);
    const words = `Saved: ${name}${answer.kind === "merged" ? ", merged with what was written meanwhile" : ""}.`;
    changed.value = null;
    if (editor.current!.isAsSent()) {
      drafts.drop();
      state.value = "clean";
      app.notice.value = { words, to: "note" };
      if (isOpen()) app.go(noteAddress(target.current.path));
      return;
    }
    if (answer.kind === "merged" && answer.brought) editor.current!.bringIn(answer.brought);
    // Where too much came to be brought in, the next save merges it, or shows both sides.
    if (answer.kind === "saved" || answer.brought)
      target.current = { ...target.current, version: answer.version };
    drafts.keep(editor.current!.text(), target.current.version);
    app.notice.value = { words: `${words} What you typed since then is not saved yet.` };
  };
  const took = (answer: Saved): void => {
    if (answer.kind === "saved" || answer.kind === "merged") return written(answer);
    if (answer.kind === "conflict") {
      conflict.value = answer;
      return isNotSaved("Somebody else changed the same lines.");
    }
    broken.value = answer.issues;
    editor.current!.mark(answer.issues);
    isNotSaved("It breaks rules of its folder.");
  };
  return async () => {
    if (state.value === "saving") return;
    state.value = "saving";
    app.notice.value = null;
    refusal.value = null;
    broken.value = [];
    const text = editor.current!.send();
    drafts.keep(text, target.current.version);
    try {
      took(await app.server.call<Saved>("save", { ...target.current, text }));
    } catch (error) {
      refusal.value = refusalOf(error);
      isNotSaved(refusal.value?.message ?? "");
    } finally {
      if (state.value === "saving") state.value = "typed";
    }
  };
};
