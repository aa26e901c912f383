/** Deciding on a proposal: the note that keys act on, the state of it that was read, and the question that is asked before a note is removed. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Decided, ShownProposal } from "../wire.ts";
import { useActs } from "./acts.ts";
import { useApp, type App } from "./app.ts";
import { useMarked } from "./marked.ts";
import type { Edits } from "./proposal-edits.ts";
import { undo } from "./undo.ts";
import type { Asked } from "./use-call.ts";
import { whatOf } from "./words.ts";

/** One note of the proposal; null for all of it. */
type Path = string | null;
type Decision = "accept" | "decline";

export type Deciding = {
  /** The note that keys act on. */
  marked: Path;
  /** What became of the proposal since it was read: until that is read, too, nothing is decided. */
  since: "grown" | "changed" | null;
  isBusy: boolean;
  /** Asks first where that removes a note. */
  accept(path: Path, removes: boolean): void;
  decline(path: Path): void;
  /** Whether it is asked about that note, or about all of it. */
  asks(path: Path): boolean;
  /** Answers the question. */
  yes(): void;
  no(): void;
  /** What is shown now has been read. */
  haveRead(): void;
};

export const useDeciding = ({ value, again }: Asked<ShownProposal>, edits: Edits): Deciding => {
  const app = useApp();
  const { marked, step, leave, goOn, place } = useMarked(".proposed");
  const question = useSignal<{ id: string; path: Path } | null>(null);
  const read = useSignal<Pick<ShownProposal, "id" | "touched"> | null>(null);
  const busy = useSignal(false);
  useLayoutEffect(() => {
    read.value ??= value;
  }, [value]);
  const isOther = value !== null && read.value !== null && value.id !== read.value.id && !busy.value;
  const since = !isOther ? null : value.touched < read.value!.touched ? "changed" : "grown";
  const asked = question.value?.id === value?.id ? question.value : null;

  const decide = async (what: Decision, path: Path): Promise<void> => {
    if (busy.value) return;
    // The button that says so is where the way goes on.
    if (since !== null) return document.getElementById("read")?.focus();
    question.value = null;
    busy.value = true;
    const { id, touched } = value!;
    const first = path ?? value!.notes[0]?.path;
    const done = await settle(app, what, {
      id,
      path,
      edits,
      named: whatOf(path === null ? touched : 1, first),
    });
    if (done && done.left === null) return app.go("#/");
    if (done) leave(path!);
    await again();
    if (done) read.value = { id: done.left!, touched: touched - 1 };
    busy.value = false;
  };
  const accept = (path: Path, removes: boolean): void => {
    if (removes && since === null) question.value = { id: value!.id, path };
    else void decide("accept", path);
  };
  const yes = (): void => void (asked && decide("accept", asked.path));
  const byKey = (act: (path: Path, removes: boolean) => void) => (): void => {
    if (!value) return;
    if (value.touched === 1) return act(null, value.removes);
    const path = marked.value;
    const note = path === null ? undefined : place(path);
    if (note) act(path, note.dataset["kind"] === "removed");
    else app.notice.value = { words: "No note is marked yet. The key j marks the next one." };
  };
  const stepBy = (by: number) => (): void => {
    question.value = null;
    step(by);
  };
  useActs({
    next: stepBy(1),
    before: stepBy(-1),
    accept: byKey((path, removes) => (asked?.path === path ? yes() : accept(path, removes))),
    decline: byKey((path) => void decide("decline", path)),
  });
  return {
    marked: marked.value,
    since,
    isBusy: busy.value,
    accept,
    decline: (path) => void decide("decline", path),
    asks: (path) => asked !== null && asked.path === path,
    yes,
    no() {
      question.value = null;
      goOn();
    },
    haveRead() {
      read.value = value;
      goOn();
    },
  };
};

type Settling = { id: string; path: Path; edits: Edits; /** What is decided on, in words. */ named: string };

/** Null where it did not come to that; why is said in passing. */
const settle = async (
  app: App,
  what: Decision,
  { id, path, edits, named }: Settling,
): Promise<Decided | null> => {
  const made = edits.all().filter((edit) => path === null || edit.path === path);
  const texts = made.map(({ path: of, text, version }) => ({ path: of, text, seen: version }));
  app.notice.value = null;
  try {
    const decided = await app.server.call<Decided>(what, {
      id,
      ...(path === null ? {} : { notes: [path] }),
      ...(what === "accept" && texts.length > 0 ? { texts } : {}),
    });
    for (const edit of made) edits.drop(edit.path);
    const { revision } = decided;
    app.notice.value =
      what === "decline"
        ? { words: `Declined: ${named}. Nothing was written.`, to: "home" }
        : {
            words: `Accepted: ${named}.`,
            to: "home",
            ...(revision && { act: { words: "Undo", run: () => undo(app, { revisions: [revision] }) } }),
          };
    return decided;
  } catch (error) {
    app.failed(error);
    return null;
  }
};
