/** The links of a note, two steps far: drawn, and as a list beside it. */

import { useEffect, useRef } from "preact/hooks";
import type { Graph } from "../../wire.ts";
import { useApp } from "../app.ts";
import { drawLinks } from "../graph/links-canvas.ts";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { noteAddress } from "../route.ts";
import { useCall } from "../use-call.ts";
import { nameOf, plural, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

export const Links = ({ path }: { path: string }) => {
  const { value, refusal } = useCall<Graph>("graph", { path });
  useTitle(`Links of ${nameOf(path)}`);
  if (refusal) return <RefusalLine refusal={refusal} />;
  if (!value) return <p class="count">Looking…</p>;
  const more = value.total - value.notes.length;
  return (
    <article class="links">
      <header class="page-head">
        <h1>
          Links of <a href={noteAddress(path)}>{seen(value.notes[0]!.title)}</a>
        </h1>
        <p class="meta">
          {plural(value.notes.length - 1, "note")} within two steps
          {more > 0 && `; ${more.toLocaleString("en-US")} more are not shown`}
        </p>
      </header>
      {value.notes.length > 1 && <Drawing graph={value} />}
      {[1, 2].map((depth) => (
        <Step key={depth} depth={depth} notes={value.notes.filter((note) => note.depth === depth)} />
      ))}
    </article>
  );
};

const Drawing = ({ graph }: { graph: Graph }) => {
  const app = useApp();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => drawLinks(canvas.current!, graph, (path) => app.go(noteAddress(path, "links"))), [graph]);
  return <canvas ref={canvas} class="graph" role="img" aria-label="The same as the lists below, drawn" />;
};

const Step = ({ depth, notes }: { depth: number; notes: Graph["notes"] }) => {
  if (notes.length === 0) return null;
  return (
    <section>
      <h2>{depth === 1 ? "Linked with it" : "One step further"}</h2>
      <ul class="steps">
        {notes.map(({ path, title }) => (
          <li key={path}>
            <a href={noteAddress(path)}>{seen(title)}</a>{" "}
            <a class="quiet" href={noteAddress(path, "links")} aria-label={`Links of ${title}`}>
              links
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
