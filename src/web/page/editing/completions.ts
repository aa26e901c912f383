/** What is completed while one writes: names of notes after `[[`, their headings after `#`, and tags. */

import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from "@codemirror/autocomplete";
import type { Completion as Choice } from "../../wire.ts";
import type { App } from "../app.ts";

/** So much of what is typed is asked for. */
const TYPED = 200;

export const completions = (app: App): CompletionSource[] => {
  const asked = async (input: object, closing: string): Promise<Completion[]> => {
    const { choices } = await app.server.call<{ choices: Choice[] }>("complete", input);
    return choices.map(({ label, detail }) => ({ label, detail, apply: `${label}${closing}` }));
  };
  /** Closes a link, unless it is closed already. */
  const closingAt = ({ state, pos }: CompletionContext): string =>
    state.sliceDoc(pos, pos + 2) === "]]" ? "" : "]]";
  const options = async (from: number, input: object, closing: string): Promise<CompletionResult | null> => {
    try {
      return { from, options: await asked(input, closing), filter: false };
    } catch {
      // An editor goes on without.
      return null;
    }
  };

  const inLink: CompletionSource = (context) => {
    const link = context.matchBefore(/\[\[[^\]|#\n]*/);
    if (!link) return null;
    return options(link.from + 2, { kind: "note", typed: link.text.slice(2, 2 + TYPED) }, closingAt(context));
  };
  const inHeading: CompletionSource = (context) => {
    const link = context.matchBefore(/\[\[[^\]|#\n]+#[^\]|\n]*/);
    if (!link) return null;
    const at = link.text.indexOf("#");
    const [note, typed] = [link.text.slice(2, at), link.text.slice(at + 1, at + 1 + TYPED)];
    return options(link.from + at + 1, { kind: "heading", typed, note }, closingAt(context));
  };
  const inTag: CompletionSource = (context) => {
    const tag = context.matchBefore(/(?:^|[\s(])#[\p{L}\p{N}_/-]*/u);
    // A heading begins so, too: nothing is offered until a letter follows, or somebody asks.
    if (!tag || (!context.explicit && tag.text.endsWith("#"))) return null;
    const from = tag.from + tag.text.indexOf("#") + 1;
    return options(
      from,
      { kind: "tag", typed: context.state.sliceDoc(from, context.pos).slice(0, TYPED) },
      "",
    );
  };
  return [inLink, inHeading, inTag];
};
