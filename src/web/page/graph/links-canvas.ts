/** Notes and their links, drawn on a canvas. The list beside it says the same in words. */

import type { Graph } from "../../wire.ts";
import { seen } from "../words.ts";
import address from "./layout-worker.ts?worker&url";

export type ToPlace = { count: number; links: Graph["links"] };
export type Placed = [x: number, y: number][];

/** A worker may be made from this file alone. */
const openWorker = (): Worker => {
  type Policies = { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
  const { trustedTypes } = globalThis as unknown as { trustedTypes?: Policies };
  const policy = trustedTypes?.createPolicy("notewright-layout", { createScriptURL: () => address });
  return new Worker(policy?.createScriptURL(address) ?? address, { type: "module" });
};

/** Room for the names at the edge. */
const MARGIN = { x: 48, y: 32 };
/** So near a note the pointer is on it. */
const REACH = 12;

/** Draws until the function that it gives is called; a click on a note calls `open`, and its name shows where the pointer rests on it. */
export const drawLinks = (
  canvas: HTMLCanvasElement,
  graph: Graph,
  open: (path: string) => void,
): (() => void) => {
  const worker = openWorker();
  let places: Placed = [];
  worker.addEventListener("message", ({ data }: MessageEvent<Placed>) => {
    places = fitted(data, canvas.clientWidth, canvas.clientHeight);
    draw(canvas, graph, places);
  });
  worker.postMessage({ count: graph.notes.length, links: graph.links } satisfies ToPlace, []);
  const under = ({ offsetX, offsetY }: MouseEvent): Graph["notes"][number] | undefined => {
    const away = places.map(([x, y]) => Math.hypot(x - offsetX, y - offsetY));
    const nearest = Math.min(...away);
    return nearest < REACH ? graph.notes[away.indexOf(nearest)] : undefined;
  };
  const click = (event: MouseEvent): void => {
    const note = under(event);
    if (note) open(note.path);
  };
  const hover = (event: MouseEvent): void => {
    const note = under(event);
    canvas.title = note ? seen(note.title) : "";
    canvas.classList.toggle("on-note", note !== undefined);
  };
  canvas.addEventListener("click", click);
  canvas.addEventListener("mousemove", hover);
  return () => {
    worker.terminate();
    canvas.removeEventListener("click", click);
    canvas.removeEventListener("mousemove", hover);
  };
};

/** Places in pixels, so that all of them are on the canvas and fill it. */
const fitted = (places: Placed, width: number, height: number): Placed => {
  const across = spread(
    places.map(([x]) => x),
    width,
    MARGIN.x,
  );
  const down = spread(
    places.map(([, y]) => y),
    height,
    MARGIN.y,
  );
  return places.map(([x, y]) => [across(x), down(y)]);
};

const spread = (values: number[], room: number, margin: number): ((value: number) => number) => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const scale = Math.min((room - 2 * margin) / (most - least || 1), 2);
  return (value) => (value - (least + most) / 2) * scale + room / 2;
};

const draw = (canvas: HTMLCanvasElement, { notes, links }: Graph, places: Placed): void => {
  const ratio = devicePixelRatio;
  [canvas.width, canvas.height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
  const pen = canvas.getContext("2d")!;
  const colour = (name: string): string => getComputedStyle(canvas).getPropertyValue(name);
  pen.scale(ratio, ratio);
  pen.strokeStyle = colour("--soft");
  pen.globalAlpha = 0.4;
  pen.beginPath();
  for (const [from, to] of links) {
    pen.moveTo(...places[from]!);
    pen.lineTo(...places[to]!);
  }
  pen.stroke();
  pen.globalAlpha = 1;
  notes.forEach(({ depth }, at) => {
    pen.fillStyle = colour(depth === 0 ? "--accent" : "--soft");
    pen.beginPath();
    pen.arc(...places[at]!, depth === 0 ? 7 : 5 - depth, 0, 2 * Math.PI);
    pen.fill();
  });
  pen.font = "13px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.lineJoin = "round";
  pen.lineWidth = 4;
  pen.strokeStyle = colour("--raised");
  pen.fillStyle = colour("--ink");
  for (const { text, x, y } of readable(notes, places, (name) => pen.measureText(name).width, canvas)) {
    // A rim in the colour of the ground, so that no line runs through the letters.
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  }
};

type Name = { text: string; x: number; y: number; width: number };

/** The names that can stand above their notes without covering one another: those of the nearest notes first. */
const readable = (
  notes: Graph["notes"],
  places: Placed,
  widthOf: (text: string) => number,
  { clientWidth }: HTMLCanvasElement,
): Name[] => {
  const names: Name[] = [];
  for (const [at, { title }] of notes.entries()) {
    const letters = [...title];
    const text = seen(letters.length > 32 ? `${letters.slice(0, 31).join("")}…` : title);
    const [half, [x, y]] = [widthOf(text) / 2, places[at]!];
    const inside = Math.max(half + EDGE, Math.min(clientWidth - half - EDGE, x));
    const name = { text, x: inside, y: y - 10, width: 2 * half };
    if (names.every((other) => apart(name, other))) names.push(name);
  }
  return names;
};

const LINE_HEIGHT = 16;
/** Names keep so far from the edge. */
const EDGE = 8;
const apart = (one: Name, other: Name): boolean =>
  Math.abs(one.y - other.y) >= LINE_HEIGHT || Math.abs(one.x - other.x) >= (one.width + other.width) / 2 + 4;
