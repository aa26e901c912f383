/** Ctrl-K: go to a note by its name, or run a command. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { commands } from "../acts.ts";
import { useApp } from "../app.ts";
import { noteAddress } from "../route.ts";
import { useSearch, type FoundFor } from "../use-search.ts";
import { folderOf, seen } from "../words.ts";

type Choice = { words: string; where: string; run(): unknown };

const SHOWN = 12;

export const Switcher = () => {
  const app = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal("");
  const marked = useSignal(0);
  const goes = useRef(false);
  const { found, ask } = useSearch({ limit: SHOWN });
  const query = typed.value.trim();
  const isThere = query === "" || found?.query === query;
  const choices = useChoices(query, isThere ? found : null);
  // A list may have become shorter.
  const at = Math.max(0, Math.min(marked.value, choices.length - 1));
  const close = (): void => void (app.above.value = null);
  // Before the next key is looked at, which is the dialog's already.
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  const take = (choice: Choice | undefined): void => {
    if (!choice) return;
    // The keyboard goes back to where it was, and from there to where the choice leads.
    dialog.current!.close();
    close();
    choice.run();
  };
  // Enter means what is typed: where its notes are not there yet, they are waited for.
  useLayoutEffect(() => {
    if (goes.current && isThere) take(choices[0]);
    if (isThere) goes.current = false;
  }, [isThere]);
  const keys = (event: KeyboardEvent): void => {
    // It ends the writing of a word in Japanese, Chinese or Korean.
    if (event.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      marked.value = (at + by + choices.length) % Math.max(1, choices.length);
    }
    if (event.key !== "Enter") return void (goes.current = false);
    goes.current = !isThere && choices.length === 0;
    take(choices[at]);
  };
  return (
    <dialog
      ref={dialog}
      class="switcher"
      aria-label="Go to"
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Go to a note, or run a command"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={choices.length > 0 ? `choice-${at}` : undefined}
        placeholder="A note or a command"
        autocomplete="off"
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          marked.value = 0;
          ask(typed.value);
        }}
        onKeyDown={keys}
      />
      <ul id="choices" role="listbox" aria-label="Choices">
        {choices.map((choice, place) => (
          <li
            key={`${choice.words} ${choice.where}`}
            id={`choice-${place}`}
            role="option"
            aria-selected={place === at}
            onClick={() => take(choice)}
          >
            <span>{seen(choice.words)}</span> <span class="where">{seen(choice.where)}</span>
          </li>
        ))}
      </ul>
      <p class="meta" role="status">
        {isThere && choices.length === 0 && "No note or command is called so."}
      </p>
    </dialog>
  );
};

/** Commands whose words begin so, then notes, then commands with a later word that begins so: what Enter takes does not change when the notes come. */
const useChoices = (query: string, found: FoundFor | null): Choice[] => {
  const app = useApp();
  const all = commands(app).map((command): Choice => ({ ...command, where: "" }));
  if (query === "") return all;
  const sought = query.toLowerCase();
  const first = all.filter(({ words }) => words.toLowerCase().startsWith(sought));
  if (!found) return first;
  const notes = found.hits.hits.map(({ path, title }): Choice => ({
    words: title,
    where: folderOf(path),
    run: () => app.go(noteAddress(path)),
  }));
  const later = all.filter(({ words }) => words.toLowerCase().includes(` ${sought}`));
  return [...first, ...notes, ...later.filter((one) => !first.includes(one))].slice(0, SHOWN);
};
