/** The layout of a graph, worked out in a thread of its own, so that the page stays quick. */

import { forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";
import type { Placed, ToPlace } from "./links-canvas.ts";

const TICKS = 200;
/** A picture is sent after so many of them. */
const SENT = 10;

type Place = { index?: number; x?: number; y?: number };

addEventListener("message", ({ data: { count, links } }: MessageEvent<ToPlace>) => {
  const nodes: Place[] = Array.from({ length: count }, () => ({}));
  const joined = links.map(([source, target]) => ({ source, target }));
  const simulation = forceSimulation(nodes)
    .force("charge", forceManyBody().strength(-120).distanceMax(500))
    .force("link", forceLink(joined).distance(60))
    .force("x", forceX().strength(0.05))
    .force("y", forceY().strength(0.05))
    .stop();
  for (let tick = 1; tick <= TICKS; tick++) {
    simulation.tick();
    if (tick % SENT !== 0) continue;
    const places: Placed = nodes.map(({ x = 0, y = 0 }) => [x, y]);
    postMessage(places);
  }
});
