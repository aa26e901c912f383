/** The editor: the source of a note in CodeMirror, with Markdown in colours, completion, and rule errors at their line. */

import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { ChangeSet, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";
import type { Brought, Saved } from "../../wire.ts";
import type { App } from "../app.ts";
import { isPlain } from "../reading/plain.ts";
import { completions } from "./completions.ts";
import { frontmatter } from "./frontmatter.ts";

export type Editor = {
  text(): string;
  /** The text as it goes out; what is typed from now on is told apart from it. */
  send(): string;
  /** Whether the text is the one that went out. */
  isAsSent(): boolean;
  /** Puts what others wrote, at places of the text that went out, beside what was typed since. */
  bringIn(brought: readonly Brought[]): void;
  replace(text: string): void;
  /** Shows what breaks rules, each at its line. */
  mark(issues: Extract<Saved, { kind: "broken" }>["issues"]): void;
  focus(): void;
  close(): void;
};

const markdown = new Language(defineLanguageFacet({}), parser.configure([GFM, frontmatter]), [], "markdown");

/** Colours of the page itself, by its variables, so that light and dark follow. */
const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.monospace, fontFamily: "var(--mono)", fontSize: "0.9em" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.meta, fontFamily: "var(--mono)", fontSize: "0.85em" },
  {
    tag: [tags.quote, tags.processingInstruction, tags.contentSeparator, tags.labelName],
    color: "var(--soft)",
  },
]);

const look = EditorView.theme({
  "&": { fontSize: "1.0625rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": {
    fontFamily: "var(--serif)",
    lineHeight: "1.7",
    padding: "1rem 0",
    caretColor: "var(--ink)",
  },
  ".cm-line": { padding: "0", unicodeBidi: "plaintext", textAlign: "start" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-placeholder": { color: "var(--soft)" },
  ".cm-selectionBackground": { background: "var(--mark) !important" },
  ".cm-tooltip": {
    background: "var(--paper)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--raised)", color: "var(--ink)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--sans)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.3rem 0.75rem" },
  ".cm-completionDetail": { color: "var(--soft)", fontStyle: "normal" },
  ".cm-diagnostic": { color: "var(--trouble)" },
});

/** Where a selection is typed over, the browser would keep its looks as a style within the text, which the policy forbids. */
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event;
    const isPlainKey = view.state.selection.main.empty && !data?.includes("\n");
    if (inputType !== "insertText" || data === null || view.composing || isPlainKey) return false;
    event.preventDefault();
    const typed = view.state.replaceSelection(data.replaceAll("\n", view.state.lineBreak));
    view.dispatch(view.state.update(typed, { userEvent: "input.type", scrollIntoView: true }));
    return true;
  },
});

/** Other commands of the page do what these keys do in editors: delete to the end of the line, or the line. */
const leaveToThePage = { key: "Ctrl-k", run: () => true, shift: () => true };

type Options = { parent: HTMLElement; text: string; label: string; changed(): void; save(): void };

export const openEditor = (app: App, { parent, text, label, changed, save }: Options): Editor => {
  // Colours for one paragraph of thousands of lines would take seconds.
  const coloured: Extension = isPlain(text) ? [] : [markdown, syntaxHighlighting(colours)];
  const nonce = document.querySelector('meta[name="nonce"]')?.getAttribute("content") ?? "";
  let [sent, since] = ["", ChangeSet.empty(0)];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        typedOver,
        EditorState.lineSeparator.of(text.includes("\r\n") ? "\r\n" : "\n"),
        keymap.of([
          { key: "Mod-s", run: () => (save(), true) },
          leaveToThePage,
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        autocompletion({ override: completions(app), icons: false }),
        placeholder("Write in Markdown…"),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true" }),
        EditorView.updateListener.of(({ docChanged, changes }) => {
          if (!docChanged) return;
          if (since.newLength === changes.length) since = since.compose(changes);
          changed();
        }),
        look,
        coloured,
      ],
    }),
  });
  return {
    text: () => view.state.sliceDoc(),
    send() {
      since = ChangeSet.empty(view.state.doc.length);
      return (sent = view.state.sliceDoc());
    },
    isAsSent: () => view.state.sliceDoc() === sent,
    bringIn(brought) {
      const theirs = ChangeSet.of(inDocument(view.state, sent, brought), since.length);
      view.dispatch({ changes: theirs.map(since) });
    },
    replace(next) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    mark(issues) {
      const found = issues.map(({ field, says }) => {
        const { from, to } = view.state.doc.line(lineOf(view.state, field));
        return { from, to, severity: "error" as const, message: says };
      });
      view.dispatch(setDiagnostics(view.state, found));
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
};

/** Places of a text as those of its document, in which the end of a line is one character. */
const inDocument = (state: EditorState, text: string, brought: readonly Brought[]) => {
  const end = state.lineBreak;
  let [at, place] = [0, 0];
  const placeOf = (offset: number): number => {
    const ends = text.slice(at, offset).split(end).length - 1;
    place += offset - at - ends * (end.length - 1);
    at = offset;
    return place;
  };
  return brought.map(({ from, to, text: insert }) => ({
    from: placeOf(from),
    to: placeOf(to),
    insert: state.toText(insert),
  }));
};

/** The line on which a field stands; the first where it stands on none. */
const lineOf = ({ doc }: EditorState, field: string): number => {
  const name = field.replace(/^frontmatter\./, "");
  for (let line = 2; line <= Math.min(doc.lines, 200); line++) {
    const { text } = doc.line(line);
    if (text.startsWith(`${name}:`)) return line;
    if (/^(?:---|\.\.\.)\s*$/.test(text)) break;
  }
  return 1;
};
