/** Writing a note: the editor, its saves, and the drafts in which stays what is not saved. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { RefObject } from "preact";
import type { Note, PageEvent, Refusal } from "../../wire.ts";
import { refusalOf, useApp } from "../app.ts";
import type { Unsaved } from "../unsaved.ts";
import { openEditor, type Editor } from "./editor.ts";
import { openSaving, type Conflict, type Issues, type Saving, type Target } from "./saving.ts";
import { useDrafts } from "./use-drafts.ts";

/** `taken`: a draft that is gone on with; `refused`: why its note cannot be read. */
export type WritingProps = Target & { text: string; taken?: Unsaved; refused?: Refusal };

export type Writing = Saving & {
  parent: RefObject<HTMLDivElement | null>;
  save(): Promise<void>;
  saveTo(target: Target): Promise<void>;
  /** From now on that version of theirs is the one that is edited. */
  settle(version: string): void;
  takeTheirs(): Promise<void>;
  takeDraft(draft: Unsaved): void;
  /** What is in the editor is not wanted any more. */
  dropAll(): void;
};

export const useWriting = ({ path, text, version, taken, refused }: WritingProps): Writing => {
  const app = useApp();
  const [parent, editor] = [useRef<HTMLDivElement>(null), useRef<Editor>(null)];
  const target = useRef<Target>({ path, version });
  const drafts = useDrafts(path, text, taken);
  const state = useSignal<"clean" | "typed" | "saving">(taken ? "typed" : "clean");
  const refusal = useSignal<Refusal | null>(refused ?? null);
  const conflict = useSignal<Conflict | null>(null);
  const broken = useSignal<Issues>([]);
  const changed = useSignal<"changed" | "went" | null>(null);
  const saving: Saving = { editor, target, state, refusal, conflict, broken, changed, drafts };
  const open = useRef(true);
  const save = openSaving(app, saving, () => open.current);
  useEditor({ ...saving, text: taken?.text ?? text, parent, open, save });
  const settle = (theirs: string): void => {
    target.current = { ...target.current, version: theirs };
    conflict.value = null;
    changed.value = null;
  };
  return {
    ...saving,
    parent,
    save,
    settle,
    saveTo(next) {
      target.current = next;
      return save();
    },
    async takeTheirs() {
      try {
        const note = await app.server.call<Note>("note", { path: target.current.path });
        editor.current!.replace(note.text ?? "");
        settle(note.version);
        drafts.drop();
        state.value = "clean";
      } catch (error) {
        refusal.value = refusalOf(error);
      }
    },
    takeDraft(draft) {
      if (state.value !== "clean") drafts.keep(editor.current!.text(), target.current.version);
      drafts.exchange(draft);
      target.current = { ...target.current, version: draft.version };
      editor.current!.replace(draft.text);
    },
    dropAll() {
      drafts.drop();
      state.value = "clean";
      app.go("#/");
    },
  };
};

/** Milliseconds after the last key until what was typed is kept. */
const PAUSE = 300;
/** Milliseconds after a save in which a change that is heard of is that save. */
const OWN = 1000;

type Opened = Saving &
  Pick<Writing, "parent" | "save"> & {
    text: string;
    /** Whether the editor is still shown. */
    open: { current: boolean };
  };

/** The editor while the screen is shown. What is not saved when it goes is kept. */
const useEditor = ({ text, parent, editor, open, target, state, changed, drafts, save }: Opened): void => {
  const app = useApp();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let savedAt = 0;
    const keep = (): void => {
      if (state.value !== "clean") drafts.keep(editor.current!.text(), target.current.version);
    };
    const typed = (): void => {
      if (state.value === "clean") state.value = "typed";
      clearTimeout(timer);
      timer = setTimeout(keep, PAUSE);
    };
    editor.current = openEditor(app, {
      parent: parent.current!,
      text,
      label: "The note's text",
      changed: typed,
      save: () => void save(),
    });
    editor.current.focus();
    const warn = (event: BeforeUnloadEvent): void => {
      if (state.value !== "clean") event.preventDefault();
    };
    const hear = (event: PageEvent): void => {
      if (event.kind !== "note" || event.path !== target.current.path) return;
      if (state.value === "saving" || Date.now() < savedAt + OWN) return;
      changed.value = event.how === "went" ? "went" : "changed";
    };
    addEventListener("beforeunload", warn);
    const stop = app.onEvent(hear);
    let was = state.value;
    const unwatch = state.subscribe((now) => {
      if (was === "saving") savedAt = Date.now();
      was = now;
    });
    return () => {
      open.current = false;
      clearTimeout(timer);
      keep();
      removeEventListener("beforeunload", warn);
      stop();
      unwatch();
      editor.current!.close();
    };
  }, []);
};
