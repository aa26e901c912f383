/** The links of a note, two steps far: drawn, and as a list beside it. */

import { useEffect, useRef } from "preact/hooks";
import type { Graph } from "../../wire.ts";
import { useApp } from "../app.ts";
import { drawLinks } from "../graph/links-canvas.ts";
import { DeadEnd } from "../parts/refusal-line.tsx";
import { noteAddress } from "../route.ts";
import { useCall } from "../use-call.ts";
import { nameOf, plural, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

export const Links = ({ path }: { path: string }) => {
  const { value, refusal } = useCall<Graph>("graph", { path });
  useTitle(`Links of ${nameOf(path)}`);
  if (refusal) return <DeadEnd refusal={refusal} heading={nameOf(path)} path={path} />;
  if (!value) return <p class="count">Looking…</p>;
  const more = value.total - value.notes.length;
  return (
    <article class="links">
      <header class="page-head">
        <h1>
          Links of <a href={noteAddress(path)}>{seen(value.notes[0]!.title)}</a>
        </h1>
        <p class="meta">
          {value.notes.length === 1
            ? "No links yet."
            : `${plural(value.notes.length - 1, "note")} within two steps${more > 0 ? `; ${more.toLocaleString("en-US")} more are not shown` : ""}.`}
        </p>
      </header>
      {value.notes.length > 1 && <Drawing graph={value} />}
      <div class="lists">
        <NoteList heading="It links to" notes={value.notes.filter((_, at) => isJoined(value, 0, at))} />
        <NoteList heading="Linked from" notes={value.notes.filter((_, at) => isJoined(value, at, 0))} />
        <NoteList heading="One step further" notes={value.notes.filter(({ depth }) => depth === 2)} />
      </div>
    </article>
  );
};

const Drawing = ({ graph }: { graph: Graph }) => {
  const app = useApp();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => drawLinks(canvas.current!, graph, (path) => app.go(noteAddress(path, "links"))), [graph]);
  return <canvas ref={canvas} class="graph" role="img" aria-label="The same as the lists below, drawn" />;
};

/** Whether a link leads from one place in the list of notes to another. */
const isJoined = ({ links }: Graph, from: number, to: number): boolean =>
  links.some(([one, other]) => one === from && other === to);

const NoteList = ({ heading, notes }: { heading: string; notes: Graph["notes"] }) =>
  notes.length === 0 ? null : (
    <section>
      <h2>{heading}</h2>
      <ul class="steps">
        {notes.map(({ path, title }) => (
          <li key={path}>
            <a href={noteAddress(path)} title={seen(path)}>
              {seen(title)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
