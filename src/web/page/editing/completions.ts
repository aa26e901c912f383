/** What is completed while one writes: names of notes after `[[`, their headings after `#`, and tags. */

import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from "@codemirror/autocomplete";
import type { Completion as Choice } from "../../wire.ts";
import type { App } from "../app.ts";

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
    return options(
      link.from + 2,
      { kind: "note", typed: link.text.slice(2).slice(0, 200) },
      closingAt(context),
    );
  };
  const inHeading: CompletionSource = (context) => {
    const link = context.matchBefore(/\[\[[^\]|#\n]+#[^\]|\n]*/);
    if (!link) return null;
    const [name = ""] = link.text.slice(2).split("#");
    const from = link.from + 2 + name.length + 1;
    return options(from, { kind: "heading", typed: "", note: name }, closingAt(context));
  };
  const inTag: CompletionSource = (context) => {
    const tag = context.matchBefore(/(?:^|[\s(])#[\p{L}\p{N}_/-]*/u);
    if (!tag || (!context.explicit && tag.text.endsWith("#") && tag.from === tag.to)) return null;
    const from = tag.from + tag.text.indexOf("#") + 1;
    return options(from, { kind: "tag", typed: context.state.sliceDoc(from, context.pos) }, "");
  };
  return [inLink, inHeading, inTag];
};
