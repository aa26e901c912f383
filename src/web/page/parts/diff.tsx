/** What differs in a note: prose word by word, code and tables line by line, fields by name. Shown is the source, so nothing in it can hide. */

import type { DiffPart, FieldDiff, Piece, Row, TextDiff } from "../../../markdown/diff-value.ts";
import { plural, seen } from "../words.ts";

/** `isMoved`: it is said above, so nothing has to stand here where the text is the same. */
export const Diff = ({ diff, isMoved = false }: { diff: TextDiff; isMoved?: boolean }) => (
  <div class={diff.whole ? `diff whole ${diff.whole}` : "diff"}>
    {diff.whole && <p class="meta">{WHOLE[diff.whole]}</p>}
    {diff.parts.map((part, at) => (
      <Part key={at} part={part} />
    ))}
    {diff.parts.length === 0 && diff.unshown === 0 && !isMoved && <p class="gap">The text is the same.</p>}
    {diff.unshown > 0 && <p class="gap">{plural(diff.unshown, "more line")} differ; too many to be shown.</p>}
  </div>
);

const WHOLE = { added: "All of this is new.", removed: "All of this was removed." };

const Part = ({ part }: { part: DiffPart }) => {
  switch (part.kind) {
    case "skipped":
      return <p class="gap">{plural(part.lines, "line")} unchanged</p>;
    case "fields":
      return (
        <dl class="fields">
          {part.fields.map((field) => (
            <Field key={field.name} field={field} />
          ))}
        </dl>
      );
    case "prose":
      return (
        <div class="prose">
          <Pieces pieces={trimmed(part.pieces)} />
        </div>
      );
    case "lines":
      return (
        <pre class="lines" tabIndex={0} aria-label="Lines of the source">
          {trimmedRows(part.rows).map((row, at) => (
            <span key={at} class={`row ${row.kind}${isPartly(row) ? " partly" : ""}`}>
              <span class="sign" aria-hidden="true">
                {SIGNS[row.kind]}
              </span>
              <Pieces pieces={row.pieces} />
            </span>
          ))}
        </pre>
      );
  }
};

const SIGNS = { same: " ", added: "+", removed: "−" };

const Field = ({ field: { name, pieces } }: { field: FieldDiff }) => (
  <div>
    <dt>{seen(name)}</dt>
    <dd>
      <Pieces pieces={pieces} />
    </dd>
  </div>
);

const Pieces = ({ pieces }: { pieces: readonly Piece[] }) => (
  <>
    {pieces.map((piece, at) => {
      if (piece.kind === "same") return <Text key={at} piece={piece} />;
      const isAlone = ![pieces[at - 1], pieces[at + 1]].some((other) => other?.kind === piece.kind);
      return <Marks key={at} piece={piece} isAlone={isAlone && pieces.length > 1} />;
    })}
  </>
);

/** Each line is marked by itself, and one without words is not; line breaks that came or went alone have a sign. */
const Marks = ({ piece, isAlone }: { piece: Piece; isAlone: boolean }) => {
  const Mark = piece.kind === "added" ? "ins" : "del";
  if (piece.unseen)
    return (
      <Mark>
        <Text piece={piece} />
      </Mark>
    );
  const isBreak = isAlone && /^\s*\n\s*$/.test(piece.text);
  return (
    <>
      {isBreak && <Mark class="break" />}
      {piece.text
        .split(/(\n\s*)/)
        .map((line, at) => (at % 2 === 1 || line === "" ? line : <Mark key={at}>{line}</Mark>))}
    </>
  );
};

/** Without blank lines at its ends: the space around it is that of the page. */
const trimmed = (pieces: readonly Piece[]): Piece[] =>
  pieces.map((piece, at) => {
    let { text } = piece;
    if (piece.kind !== "same" && text.trim() === "") return piece;
    if (at === 0) text = text.replace(/^(?:[ \t]*\n)+/, "");
    if (at === pieces.length - 1) text = text.replace(/(?:\n[ \t]*)+$/, "");
    return { ...piece, text };
  });

const trimmedRows = (rows: readonly Row[]): Row[] => {
  const shown = ({ kind, pieces }: Row): boolean =>
    kind !== "same" || pieces.some(({ text, unseen }) => unseen || text.trim() !== "");
  return rows.slice(rows.findIndex(shown), rows.findLastIndex(shown) + 1);
};

/** A line of which only some words are others. */
const isPartly = ({ kind, pieces }: Row): boolean =>
  kind !== "same" && pieces.some((piece) => piece.kind === "same");

/** A character that is not seen is shown by its number. */
const Text = ({ piece: { text, unseen } }: { piece: Piece }) =>
  unseen ? (
    <span class={unseen.turns ? "hidden-character turns" : "hidden-character"}>{unseen.code}</span>
  ) : (
    <>{text}</>
  );
