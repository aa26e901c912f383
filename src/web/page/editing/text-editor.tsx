/** The editor for a text that belongs to something else: whoever shows it is told of each change. */

import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { openEditor } from "./editor.ts";

export type TextEditorProps = { label: string; text: string; changed(text: string): void; done(): void };

export const TextEditor = ({ label, text, changed, done }: TextEditorProps) => {
  const app = useApp();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const editor = openEditor(app, {
      parent: place.current!,
      text,
      label,
      changed: () => changed(editor.text()),
      save: done,
    });
    editor.focus();
    return () => editor.close();
  }, []);
  return (
    <>
      <div class="acts">
        <button type="button" onClick={done}>
          Done
        </button>
      </div>
      <div ref={place} class="made" />
    </>
  );
};
