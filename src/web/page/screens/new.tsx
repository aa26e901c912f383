/** A new note: where it is to be, then its text. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Note, Refusal } from "../../wire.ts";
import { refusalOf, useApp, type App } from "../app.ts";
import { RefusalLine } from "../parts/refusal-line.tsx";
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

/** Refusals that are about the name; whatever else stands in the way is told when the note is saved. */
const OF_NAMES = ["note_exists", "path_refused", "input_refused"];

/** Why there can be no new note of that name; null where nothing is known against it. */
const refusalTo = async (app: App, path: string): Promise<Refusal | null> => {
  try {
    await app.server.call("save", { path, text: "", version: null, preview: true });
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal || !OF_NAMES.includes(refusal.code)) return null;
    if (refusal.code !== "note_exists") return refusal;
    return {
      ...refusal,
      message: "There is already a note of that name. Open it:",
      details: { similar: [path] },
    };
  }
};

const Name = () => {
  const app = useApp();
  const field = useRef<HTMLInputElement>(null);
  const refusal = useSignal<Refusal | null>(null);
  useEffect(() => field.current?.focus(), []);
  const choose = async (event: Event): Promise<void> => {
    event.preventDefault();
    const given = String(new FormData(event.target as HTMLFormElement).get("name")).trim();
    if (given === "") return;
    const path = given.endsWith(".md") ? given : `${given}.md`;
    refusal.value = await refusalTo(app, path);
    // The note has an address from here on, so that its words are found again.
    if (refusal.value === null) app.go(noteAddress(path, "new"));
  };
  return (
    <article>
      <h1>New note</h1>
      {refusal.value && <RefusalLine refusal={refusal.value} />}
      <form class="new" onSubmit={(event) => void choose(event)}>
        <label for="name">What is it called? A folder may stand before it, as in Projects/Pond</label>
        <input id="name" name="name" type="text" required autocomplete="off" ref={field} />
        <button class="main">Begin</button>
      </form>
    </article>
  );
};
