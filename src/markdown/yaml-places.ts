/** Where the fields of a YAML block stand in its source, to the unit, so that an edit can replace one and leave the rest. */

import { isMap, isSeq, type CST, type Document } from "yaml";
import { dropBlankLines, lineStart } from "./line-bounds.ts";
import type { Span } from "./splices.ts";
import { keyOf } from "./yaml-read.ts";

/** A list in brackets, or as lines that begin with a dash; its items that hold something, without commas and comments. */
export type Items = { form: "flow" | "block"; items: Span[]; open: number };

/** One `name: value`. Of a value that is not there, start and end are those of the place for it, after the colon. */
export type Entry = Span & {
  colonEnd: number;
  value: Span & {
    form: "none" | "scalar" | "alias" | "flow list" | "flow map" | "block list" | "block map";
    quote: '"' | "'" | null;
    /** Where the dash or the name of the first item of a block list or map stands. */
    firstItem: number;
  };
  list: Items | null;
};

export type Places = {
  root: "none" | "block" | "flow";
  /** The white space before each name. */
  indent: string;
  entries: Map<string, Entry>;
  /** The fields as items, for a block that is one map in braces. */
  items: Items;
};

export function placesOf(source: string, document: Document.Parsed): Places {
  const root = document.contents;
  const places: Places = {
    root: "none",
    indent: "",
    entries: new Map(),
    items: { form: "block", items: [], open: 0 },
  };
  const token = root?.srcToken;
  if (!isMap(root) || !isCollection(token)) return places;
  for (const pair of root.items) {
    const item = pair.srcToken as CST.CollectionItem;
    const list = isSeq(pair.value) ? itemsOf(source, item.value) : null;
    const entry = entryOf(source, item, list);
    if (entry) places.entries.set(keyOf(pair.key, source), entry);
  }
  const first = [...places.entries.values()][0]?.start ?? 0;
  return {
    ...places,
    root: token.type === "flow-collection" ? "flow" : "block",
    indent: token.type === "flow-collection" ? "" : source.slice(lineStart(source, first), first),
    items: itemsOf(source, token) ?? places.items,
  };
}

function entryOf(source: string, item: CST.CollectionItem, list: Items | null): Entry | null {
  const { start, end } = itemSpan(source, item)!;
  const sep = item.sep ?? [];
  const colon = sep.findIndex((token) => token.type === "map-value-ind");
  if (colon === -1) return null;
  const colonEnd = sep[colon]!.offset + 1;
  const token = item.value;
  const properties = sep.slice(colon + 1).find((part) => part.type === "anchor" || part.type === "tag");
  const valueStart = properties?.offset ?? token?.offset ?? colonEnd;
  const none = !token && !properties;
  return {
    start,
    end,
    colonEnd,
    value: {
      start: valueStart,
      end: none ? colonEnd : end,
      form: none ? "none" : formOf(token),
      quote:
        token?.type === "double-quoted-scalar" ? '"' : token?.type === "single-quoted-scalar" ? "'" : null,
      firstItem: token?.offset ?? colonEnd,
    },
    list,
  };
}

function formOf(token: CST.Token | undefined): Entry["value"]["form"] {
  switch (token?.type) {
    case "alias":
      return "alias";
    case "block-map":
      return "block map";
    case "block-seq":
      return "block list";
    case "flow-collection":
      return token.start.type === "flow-map-start" ? "flow map" : "flow list";
    default:
      return "scalar";
  }
}

function itemsOf(source: string, token: CST.Token | undefined): Items | null {
  if (!isCollection(token)) return null;
  const items = token.items.map((item) => itemSpan(source, item)).filter((span) => span !== null);
  return { form: token.type === "flow-collection" ? "flow" : "block", items, open: token.offset + 1 };
}

function itemSpan(source: string, item: CST.CollectionItem): Span | null {
  const parts = [...item.start, item.key, ...(item.sep ?? []), item.value].filter(
    (part) => !!part && isContent(part),
  );
  if (parts.length === 0) return null;
  return { start: (parts[0] as CST.SourceToken).offset, end: tokenEnd(source, parts.at(-1)!) };
}

/** Just after the last unit that is no comment, comma or white space. */
function tokenEnd(source: string, token: CST.Token): number {
  if (token.type === "flow-collection") return token.end[0]!.offset + 1;
  if (token.type === "block-scalar") {
    const header = token.props.at(-1) as CST.SourceToken;
    const end = header.offset + header.source.length + token.source.length;
    return withoutLineEnd(source, dropBlankLines(source, token.offset, end));
  }
  if (isCollection(token)) {
    for (const item of token.items.toReversed()) {
      const span = itemSpan(source, item);
      if (span) return span.end;
    }
  }
  return (token as CST.SourceToken).offset + (token as CST.SourceToken).source.length;
}

function withoutLineEnd(source: string, end: number): number {
  if (source[end - 1] !== "\n") return end;
  return source[end - 2] === "\r" ? end - 2 : end - 1;
}

function isContent(token: CST.Token): boolean {
  return (
    token.type !== "space" && token.type !== "newline" && token.type !== "comment" && token.type !== "comma"
  );
}

function isCollection(token: unknown): token is CST.BlockMap | CST.BlockSequence | CST.FlowCollection {
  const type = (token as CST.Token | undefined)?.type;
  return type === "block-map" || type === "block-seq" || type === "flow-collection";
}
