/** Notes and their links, drawn on a canvas. The list beside it says the same in words. */

import type { Graph } from "../../wire.ts";
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

const MARGIN = 60;

/** Draws until the function that it gives is called; a click on a note calls `open`. */
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
  const click = ({ offsetX, offsetY }: MouseEvent): void => {
    const near = places.findIndex(([x, y]) => Math.hypot(x - offsetX, y - offsetY) < 12);
    if (near !== -1) open(graph.notes[near]!.path);
  };
  canvas.addEventListener("click", click);
  return () => {
    worker.terminate();
    canvas.removeEventListener("click", click);
  };
};

/** Places in pixels, so that all of them are on the canvas. */
const fitted = (places: Placed, width: number, height: number): Placed => {
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    (width - 2 * MARGIN) / (right - left || 1),
    (height - 2 * MARGIN) / (bottom - top || 1),
    2,
  );
  const [midX, midY] = [(left + right) / 2, (top + bottom) / 2];
  return places.map(([x, y]) => [(x - midX) * scale + width / 2, (y - midY) * scale + height / 2]);
};

/** Few enough names to be read. */
const NAMED = 40;

const draw = (canvas: HTMLCanvasElement, { notes, links }: Graph, places: Placed): void => {
  const ratio = devicePixelRatio;
  [canvas.width, canvas.height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
  const pen = canvas.getContext("2d")!;
  const colour = (name: string): string => getComputedStyle(canvas).getPropertyValue(name);
  pen.scale(ratio, ratio);
  pen.strokeStyle = colour("--line");
  pen.beginPath();
  for (const [from, to] of links) {
    pen.moveTo(...places[from]!);
    pen.lineTo(...places[to]!);
  }
  pen.stroke();
  pen.font = "13px system-ui, sans-serif";
  pen.textAlign = "center";
  notes.forEach(({ title, depth }, at) => {
    const [x, y] = places[at]!;
    pen.fillStyle = colour(depth === 0 ? "--accent" : "--soft");
    pen.beginPath();
    pen.arc(x, y, depth === 0 ? 7 : 5 - depth, 0, 2 * Math.PI);
    pen.fill();
    if (at >= NAMED) return;
    pen.fillStyle = colour("--ink");
    pen.fillText(title.slice(0, 40), x, y - 10);
  });
};
