/** A new note: where it is to be, then its text. */

import { useEffect, useRef } from "preact/hooks";
import type { Note } from "../../wire.ts";
import { useApp } from "../app.ts";
import { noteAddress } from "../route.ts";
import { useCall } from "../use-call.ts";
import { nameOf } from "../words.ts";
import { NotText, Writing } from "./edit.tsx";
import { useTitle } from "./screen.tsx";

export const New = ({ path }: { path: string }) => {
  useTitle("New note");
  return path === "" ? <Name /> : <NewNote path={path} />;
};

/** A note of that name may be there already, or since: then it is that one which is edited. */
const NewNote = ({ path }: { path: string }) => {
  const { value: note, refusal } = useCall<Note>("note", { path });
  if (!note && !refusal) return <p class="count">Looking…</p>;
  if (!note) return <Writing key={path} path={path} text={`# ${nameOf(path)}\n\n`} version={null} />;
  if (note.text === null) return <NotText />;
  return <Writing key={path} path={path} text={note.text} version={note.version} />;
};

const Name = () => {
  const app = useApp();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const choose = (event: Event): void => {
    event.preventDefault();
    const given = String(new FormData(event.target as HTMLFormElement).get("name")).trim();
    // The note has an address from here on, so that its words are found again.
    if (given !== "") app.go(noteAddress(given.endsWith(".md") ? given : `${given}.md`, "new"));
  };
  return (
    <article>
      <h1>New note</h1>
      <form class="new" onSubmit={choose}>
        <label for="name">What is it called? A folder may stand before it, as in Projects/Pond</label>
        <input id="name" name="name" type="text" required autocomplete="off" ref={field} />
        <button class="main">Begin</button>
      </form>
    </article>
  );
};
