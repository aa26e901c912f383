/** The links of a canvas, for who asks what leads where: the files and backgrounds of its nodes, and the links in their texts. */

import { canvasStrings, type CanvasString } from "./canvas.ts";
import { contextOf, type LinkMark } from "./links.ts";
import { readNote } from "./note.ts";
import type { Steps } from "./steps.ts";

/** `target` of a node is its path with a slash before it, as a link from the vault's folder is written. `line` is that of the JSON. */
export type CanvasLink = Pick<LinkMark, "form" | "target" | "anchor" | "label" | "line"> & {
  context: string;
};

/** More than anybody draws by hand; the rest is not counted. */
const LINKS = 10_000;
/** How much of a node's path is shown. */
const SHOWN = 200;

/** Null where it is no canvas. */
export function* readCanvasLinks(json: string): Steps<CanvasLink[] | null> {
  const strings = canvasStrings(json);
  if (strings === null) return null;
  const places = new Map(
    strings.filter(({ kind }) => kind === "subpath").map(({ node, value }) => [node, value]),
  );
  const lineOf = lineCounter(json);
  const links: CanvasLink[] = [];
  for (const string of strings) {
    if (links.length >= LINKS) break;
    const line = lineOf(string.start);
    // One at a time: a call takes no more arguments than the stack has room for.
    if (string.kind === "text")
      for (const link of yield* linksInText(string.value, line, LINKS - links.length)) links.push(link);
    else if (string.kind !== "subpath") links.push(linkOfNode(string, places.get(string.node) ?? "", line));
  }
  return links;
}

const linkOfNode = ({ kind, value }: CanvasString, place: string, line: number): CanvasLink => ({
  form: "markdown",
  target: `/${value}`,
  anchor: kind === "file" && place.startsWith("#") ? place : "",
  label: null,
  line,
  context: value.slice(0, SHOWN),
});

function* linksInText(text: string, line: number, most: number): Steps<CanvasLink[]> {
  const { links, fileLinks } = yield* readNote(text);
  return [...links, ...fileLinks].slice(0, most).map((mark) => ({
    form: mark.form,
    target: mark.target,
    anchor: mark.anchor,
    label: mark.label,
    line,
    context: contextOf(text, mark),
  }));
}

/** The line of a place; places come in order. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let newline = text.indexOf("\n");
  return (at) => {
    for (; newline >= 0 && newline < at; newline = text.indexOf("\n", newline + 1)) line++;
    return line;
  };
}
