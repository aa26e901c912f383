/** A canvas (JSON Canvas 1.0) in words: its nodes, numbered in the order of the file, with the group each lies in, and its edges between those numbers. */

import { label } from "./label.ts";

/** So many nodes and edges are shown, and so many groups looked at for what lies in them: more than anyone draws by hand. */
const SHOWN = 2000;
const GROUPS = 200;

type Fields = Record<string, unknown>;

/** Null where it is no canvas. */
export function canvasText(json: string): string | null {
  const canvas = parsed(json);
  if (canvas === null) return null;
  const { nodes, edges } = canvas;
  const shown = nodes.slice(0, SHOWN);
  const groups = shown
    .map((node, at) => ({ node, number: at + 1 }))
    .filter(({ node }) => node["type"] === "group")
    .slice(0, GROUPS);
  const numbers = new Map(shown.map(({ id }, at) => [id ?? {}, String(at + 1)]));
  return [
    `${count(nodes.length, "node")}, ${count(edges.length, "edge")}`,
    ...shown.flatMap((node, at) => nodeLines(node, at + 1, groupOf(node, groups))),
    ...(nodes.length > SHOWN ? [`and ${count(nodes.length - SHOWN, "more node")}`] : []),
    ...edges.slice(0, SHOWN).map((edge) => edgeLine(edge, numbers)),
    ...(edges.length > SHOWN ? [`and ${count(edges.length - SHOWN, "more edge")}`] : []),
    "",
  ].join("\n");
}

const count = (many: number, word: string): string => `${many} ${word}${many === 1 ? "" : "s"}`;

function parsed(json: string): { nodes: Fields[]; edges: Fields[] } | null {
  try {
    const canvas: unknown = JSON.parse(json);
    const { nodes = [], edges = [] } = isObject(canvas) ? canvas : { nodes: null };
    return Array.isArray(nodes) && Array.isArray(edges)
      ? { nodes: nodes.filter(isObject), edges: edges.filter(isObject) }
      : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
const quoted = (value: unknown): string => (textIn(value) === "" ? "" : ` "${label(textIn(value))}"`);

/** The text of a node is Markdown: it stands below its line, further in, so that none of its lines passes for a node. */
function nodeLines(node: Fields, number: number, group: number | null): string[] {
  const inside = group === null ? "" : ` (in ${group})`;
  const head = `${number}. ${label(textIn(node["type"])) || "node"}${quoted(node["label"])}${inside}`;
  const named = [textIn(node["file"]) + textIn(node["subpath"]), textIn(node["url"])].find((it) => it !== "");
  const background = textIn(node["background"]);
  return [
    [head, named && label(named, 1024), background && `background ${label(background, 1024)}`]
      .filter(Boolean)
      .join(": "),
    ...(textIn(node["text"]) === ""
      ? []
      : textIn(node["text"])
          .split(/\r\n?|\n/)
          .map((line) => `   ${line}`)),
  ];
}

const ENDS: Record<string, string> = {
  "none arrow": "→",
  "arrow none": "←",
  "arrow arrow": "↔",
  "none none": "–",
};

function edgeLine(edge: Fields, numbers: ReadonlyMap<unknown, string>): string {
  const from = numbers.get(edge["fromNode"]) ?? "?";
  const to = numbers.get(edge["toNode"]) ?? "?";
  const ends = `${edge["fromEnd"] === "arrow" ? "arrow" : "none"} ${edge["toEnd"] === "none" ? "none" : "arrow"}`;
  return `${from} ${ENDS[ends]} ${to}${quoted(edge["label"])}`;
}

type Group = { node: Fields; number: number };

/** The smallest group that the whole of a node lies in; null where there is none. */
function groupOf(node: Fields, groups: readonly Group[]): number | null {
  let best: { number: number; area: number } | null = null;
  const inner = boxOf(node);
  for (const { node: group, number } of inner === null ? [] : groups) {
    const outer = group === node ? null : boxOf(group);
    if (outer === null || !holds(outer, inner!)) continue;
    const area = (outer.right - outer.left) * (outer.bottom - outer.top);
    if (best === null || area < best.area) best = { number, area };
  }
  return best?.number ?? null;
}

type Box = { left: number; top: number; right: number; bottom: number };

function boxOf({ x, y, width, height }: Fields): Box | null {
  if (![x, y, width, height].every((side) => typeof side === "number")) return null;
  const [left, top] = [x as number, y as number];
  return { left, top, right: left + (width as number), bottom: top + (height as number) };
}

const holds = (outer: Box, inner: Box): boolean =>
  outer.left <= inner.left &&
  outer.top <= inner.top &&
  outer.right >= inner.right &&
  outer.bottom >= inner.bottom;
