/** A new note: where it is to be, then its text. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useTitle } from "./screen.tsx";
import { Writing } from "./edit.tsx";
import { nameOf } from "../words.ts";

export const New = ({ path }: { path: string }) => {
  const chosen = useSignal(path);
  const field = useRef<HTMLInputElement>(null);
  useTitle("New note");
  useEffect(() => field.current?.focus(), []);
  if (chosen.value !== "")
    return <Writing path={chosen.value} text={`# ${nameOf(chosen.value)}\n\n`} version={null} />;
  const choose = (event: Event): void => {
    event.preventDefault();
    const given = String(new FormData(event.target as HTMLFormElement).get("name")).trim();
    if (given !== "") chosen.value = given.endsWith(".md") ? given : `${given}.md`;
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
