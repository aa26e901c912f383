/** Ctrl-K: go to a note by its name, or run a command. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Hits } from "../../wire.ts";
import { useApp, type App } from "../app.ts";
import { noteAddress } from "../route.ts";
import { folderOf, seen } from "../words.ts";

type Choice = { words: string; where: string; address: string };

const COMMANDS: Choice[] = [
  { words: "What changed", where: "", address: "#/" },
  { words: "New note", where: "", address: "#/new/" },
  { words: "Check the vault", where: "", address: "#/check" },
  { words: "Who has access", where: "", address: "#/who" },
  { words: "Help and keys", where: "", address: "#/help" },
];
const SHOWN = 12;

export const Switcher = () => {
  const app = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal("");
  const at = useSignal(0);
  const choices = useChoices(app, typed.value);
  const close = (): void => void (app.above.value = null);
  // Before the next key is looked at, which is the dialog's already.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => before?.focus();
  }, []);
  const take = (choice: Choice | undefined): void => {
    if (!choice) return;
    close();
    app.go(choice.address);
  };
  const keys = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      at.value = (at.value + by + choices.length) % Math.max(1, choices.length);
    }
    if (event.key === "Enter") take(choices[at.value]);
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
        aria-activedescendant={choices.length > 0 ? `choice-${at.value}` : undefined}
        placeholder="A note or a command"
        autocomplete="off"
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={keys}
      />
      <ul id="choices" role="listbox" aria-label="Choices">
        {choices.map((choice, place) => (
          <li
            key={choice.address}
            id={`choice-${place}`}
            role="option"
            aria-selected={place === at.value}
            onClick={() => take(choice)}
          >
            <span>{seen(choice.words)}</span> <span class="where">{seen(choice.where)}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
};

/** Commands whose words begin so, then notes: what Enter takes does not change when the notes come. */
const useChoices = (app: App, typed: string): Choice[] => {
  const notes = useSignal<Choice[]>([]);
  const query = typed.trim();
  useEffect(() => {
    if (query === "") {
      notes.value = [];
      return undefined;
    }
    const leaving = new AbortController();
    app.server
      .call<Hits>("search", { query, limit: SHOWN }, leaving.signal)
      .then(({ hits }) => {
        notes.value = hits.map(({ path, title }) => ({
          words: title,
          where: folderOf(path),
          address: noteAddress(path),
        }));
      })
      .catch(() => undefined);
    return () => leaving.abort();
  }, [query]);
  const commands = COMMANDS.filter(({ words }) => words.toLowerCase().startsWith(query.toLowerCase()));
  return [...commands, ...notes.value].slice(0, SHOWN);
};
