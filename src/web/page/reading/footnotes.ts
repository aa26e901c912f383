/** Footnotes: `[^1]` in the text, `[^1]: words` for what it says, gathered at the end. */

import type { MarkdownIt } from "markdown-it";
import { ID, rule, type Env, type Footnote } from "./env.ts";

const DEFINED = /^\[\^([^\]\s]{1,100})\]:[ \t]*(.*)$/;

export const footnotes = (md: MarkdownIt): void => {
  md.block.ruler.before(
    "reference",
    "footnote",
    (state, startLine, endLine, silent) => {
      const line = (at: number): string =>
        state.src.slice(state.bMarks[at]! + state.tShift[at]!, state.eMarks[at]);
      const found = DEFINED.exec(line(startLine));
      if (!found) return false;
      if (silent) return true;
      const words = [found[2]!];
      let next = startLine + 1;
      while (next < endLine && !state.isEmpty(next) && !DEFINED.test(line(next))) words.push(line(next++));
      noteOf(state.env as Env, found[1]!).content = words.join("\n");
      state.line = next;
      return true;
    },
    { alt: ["paragraph", "reference"] },
  );
  md.inline.ruler.before("link", "footnote_ref", (state, silent) => {
    const found = /^\[\^([^\]\s]{1,100})\]/.exec(state.src.slice(state.pos, state.pos + 104));
    if (!found) return false;
    if (!silent) state.push("footnote_ref", "", 0).content = found[1]!;
    state.pos += found[0].length;
    return true;
  });
  md.renderer.rules["footnote_ref"] = rule((tokens, at, _, env) => {
    const note = noteOf(env, tokens[at]!.content);
    note.uses++;
    if (note.number === 0) env.numbered.push(note);
    note.number ||= env.numbered.length;
    return `<sup id="${ID}ref-${note.number}-${note.uses}"><a class="footnote" data-to="${ID}foot-${note.number}" href="#">${note.number}</a></sup>`;
  });
};

/** What the footnotes say, in the order of their numbers. One may name another: the list grows while it is made. */
export const footnoteSection = (md: MarkdownIt, env: Env): string => {
  if (env.numbered.length === 0) return "";
  const items: string[] = [];
  for (let at = 0; at < env.numbered.length; at++) {
    const { content } = env.numbered[at]!;
    const words = content === null ? "Nothing is said here." : md.renderInline(content, env);
    items.push(
      `<li dir="auto" id="${ID}foot-${at + 1}">${words} <a class="footnote" data-to="${ID}ref-${at + 1}-1" href="#" aria-label="Back to the text">↩</a></li>`,
    );
  }
  return `<section class="footnotes" aria-label="Footnotes"><ol>${items.join("")}</ol></section>`;
};

const noteOf = (env: Env, name: string): Footnote => {
  const known = env.footnotes.get(name) ?? { number: 0, content: null, uses: 0 };
  env.footnotes.set(name, known);
  return known;
};
