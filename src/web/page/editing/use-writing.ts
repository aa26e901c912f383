/** Writing a note: the editor, what became of each save, and the draft that stays in the browser until it is saved. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { RefObject } from "preact";
import type { Refusal, Saved } from "../../wire.ts";
import { refusalOf, useApp } from "../app.ts";
import { draftsOf, type Draft } from "../drafts.ts";
import { noteAddress } from "../route.ts";
import { openEditor, type Editor } from "./editor.ts";

/** `version`: which one is edited; null for a new note. */
export type WritingProps = { path: string; text: string; version: string | null };
export type Conflict = Extract<Saved, { kind: "conflict" }>;
type Issues = Extract<Saved, { kind: "broken" }>["issues"];

export type Writing = {
  parent: RefObject<HTMLDivElement | null>;
  editor: RefObject<Editor | null>;
  state: Signal<"clean" | "typed" | "saving">;
  refusal: Signal<Refusal | null>;
  conflict: Signal<Conflict | null>;
  broken: Signal<Issues>;
  /** Somebody else changed the note meanwhile. */
  changed: Signal<boolean>;
  draft: Signal<Draft | null>;
  save(): Promise<void>;
  /** From now on their version is the one that is edited. */
  settle(conflict: Conflict): void;
  takeDraft(): void;
  dropDraft(): void;
};

/** Milliseconds after the last key until what was typed is kept. */
const PAUSE = 300;

export const useWriting = ({ path, text, version }: WritingProps): Writing => {
  const app = useApp();
  const drafts = draftsOf(app);
  const [parent, editor] = [useRef<HTMLDivElement>(null), useRef<Editor>(null)];
  const base = useRef(version);
  const state = useSignal<"clean" | "typed" | "saving">("clean");
  const refusal = useSignal<Refusal | null>(null);
  const conflict = useSignal<Conflict | null>(null);
  const broken = useSignal<Issues>([]);
  const changed = useSignal(false);
  const draft = useSignal(drafts.of(path));
  const keep = (): void =>
    drafts.keep(path, { text: editor.current!.text(), version: base.current, at: Date.now() });

  const took = (saved: Saved): void => {
    if (saved.kind === "conflict") conflict.value = saved;
    else if (saved.kind === "broken") {
      editor.current!.mark(saved.issues);
      broken.value = saved.issues;
    } else {
      drafts.drop(path);
      state.value = "clean";
      const words = saved.kind === "merged" ? "Saved, and merged with what was written meanwhile." : "Saved.";
      app.notice.value = { words };
      app.go(noteAddress(path));
    }
  };
  const save = async (): Promise<void> => {
    if (state.value === "saving") return;
    state.value = "saving";
    refusal.value = null;
    broken.value = [];
    keep();
    const asked = { path, text: editor.current!.text(), version: base.current };
    try {
      took(await app.server.call<Saved>("save", asked));
    } catch (error) {
      refusal.value = refusalOf(error);
    } finally {
      if (state.value === "saving") state.value = "typed";
    }
  };
  useEditor({ path, text, writing: { parent, editor, state, changed }, keep, save });
  return {
    parent,
    editor,
    state,
    refusal,
    conflict,
    broken,
    changed,
    draft,
    save,
    settle(theirs) {
      base.current = theirs.version;
      conflict.value = null;
    },
    takeDraft() {
      base.current = draft.value!.version;
      editor.current!.replace(draft.value!.text);
      draft.value = null;
    },
    dropDraft() {
      drafts.drop(path);
      draft.value = null;
    },
  };
};

type Opened = {
  path: string;
  text: string;
  writing: Pick<Writing, "parent" | "editor" | "state" | "changed">;
  keep(): void;
  save(): Promise<void>;
};

/** The editor while the screen is shown. What is not saved when it goes is kept. */
const useEditor = ({ path, text, writing, keep, save }: Opened): void => {
  const app = useApp();
  const { parent, editor, state, changed } = writing;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const typed = (): void => {
      state.value = "typed";
      clearTimeout(timer);
      timer = setTimeout(keep, PAUSE);
    };
    const options = {
      parent: parent.current!,
      text,
      label: "The note's text",
      changed: typed,
      save: () => void save(),
    };
    editor.current = openEditor(app, options);
    editor.current.focus();
    const warn = (event: BeforeUnloadEvent): void => {
      if (state.value !== "clean") event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    const stop = app.onEvent((event) => {
      if (event.kind === "note" && event.path === path && state.value !== "saving") changed.value = true;
    });
    return () => {
      clearTimeout(timer);
      if (state.value !== "clean") keep();
      removeEventListener("beforeunload", warn);
      stop();
      editor.current!.close();
    };
  }, []);
};
