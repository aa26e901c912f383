/** A new note: where it is to be, then its text. */

import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { noteAddress } from "../route.ts";
import { nameOf } from "../words.ts";
import { Writing } from "./edit.tsx";
import { useTitle } from "./screen.tsx";

export const New = ({ path }: { path: string }) => {
  const app = useApp();
  const field = useRef<HTMLInputElement>(null);
  useTitle("New note");
  useEffect(() => field.current?.focus(), []);
  if (path !== "") return <Writing path={path} text={`# ${nameOf(path)}\n\n`} version={null} />;
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
