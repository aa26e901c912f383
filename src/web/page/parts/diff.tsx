/** What differs in a note: prose word by word, code and tables line by line, fields by name. Shown is the source, so nothing in it can hide. */

import type { DiffPart, FieldDiff, Piece, TextDiff } from "../../../markdown/diff-value.ts";
import { plural, seen } from "../words.ts";

export const Diff = ({ diff }: { diff: TextDiff }) => (
  <div class="diff">
    {diff.parts.map((part, at) => (
      <Part key={at} part={part} />
    ))}
    {diff.parts.length === 0 && diff.unshown === 0 && <p class="gap">The text is the same.</p>}
    {diff.unshown > 0 && <p class="gap">{plural(diff.unshown, "more line")} differ; too many to be shown.</p>}
  </div>
);

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
          <Pieces pieces={part.pieces} />
        </div>
      );
    case "lines":
      return (
        <pre class="lines" tabIndex={0} aria-label="Lines of the source">
          {part.rows.map((row, at) => (
            <span key={at} class={`row ${row.kind}`}>
              <span class="sign" aria-hidden="true">
                {SIGNS[row.kind]}
              </span>
              <RowPieces kind={row.kind} pieces={row.pieces} />
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
      const words = <Text piece={piece} />;
      if (piece.kind === "added") return <ins key={at}>{words}</ins>;
      return piece.kind === "removed" ? <del key={at}>{words}</del> : <span key={at}>{words}</span>;
    })}
  </>
);

const RowPieces = ({ kind, pieces }: { kind: Piece["kind"]; pieces: readonly Piece[] }) => {
  const words = pieces.map((piece, at) => <Text key={at} piece={piece} />);
  if (kind === "added") return <ins>{words}</ins>;
  return kind === "removed" ? <del>{words}</del> : <span>{words}</span>;
};

/** A character that is not seen is shown by its number. */
const Text = ({ piece: { text, unseen } }: { piece: Piece }) =>
  unseen ? (
    <span class={unseen.turns ? "hidden-character turns" : "hidden-character"}>{unseen.code}</span>
  ) : (
    <>{text}</>
  );
