/** A canvas (JSON Canvas 1.0): the strings of its nodes in which links stand, each with its place in the JSON, so that one can be written anew and every other byte stays. */

export type CanvasString = {
  /** `file` and `background` are whole paths from the vault's folder, `subpath` is a place in the file; `text` is Markdown. */
  kind: "file" | "subpath" | "background" | "text";
  value: string;
  /** Which node it belongs to. */
  node: number;
  /** The string with its quotes, as offsets into the JSON. */
  start: number;
  end: number;
};

const KINDS = new Set(["file", "subpath", "background", "text"]);

/** The strings, in order; null where it is no canvas. */
export function canvasStrings(json: string): CanvasString[] | null {
  try {
    const { nodes } = JSON.parse(json) as { nodes?: unknown };
    if (nodes !== undefined && !Array.isArray(nodes)) return null;
  } catch {
    return null;
  }
  return stringsOfNodes(json);
}

// The JSON is sound, so that brackets and quotes alone tell where a string stands.
function stringsOfNodes(json: string): CanvasString[] {
  const found: CanvasString[] = [];
  /** The key under which each open bracket stands; "" in a list. */
  const keys: string[] = [];
  let key = "";
  let node = -1;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]!;
    if (sign === "{" || sign === "[") {
      keys.push(key);
      key = "";
      if (keys.length === 3 && keys[1] === "nodes") node++;
    } else if (sign === "}" || sign === "]") key = keys.pop() ?? "";
    else if (sign === ",") key = "";
    else if (sign === '"') {
      const end = stringEnd(json, at);
      const value = (): string => JSON.parse(json.slice(at, end)) as string;
      let next = end;
      while (/\s/.test(json[next] ?? "")) next++;
      if (json[next] === ":") key = value();
      else if (keys.length === 3 && keys[1] === "nodes" && KINDS.has(key))
        found.push({ kind: key as CanvasString["kind"], value: value(), node, start: at, end });
      at = end - 1;
    }
  }
  return found;
}

function stringEnd(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    if (json[at] === "\\") at++;
    else if (json[at] === '"' || at >= json.length) return at + 1;
  }
}

/** Puts new values in the place of some strings. */
export function withStrings(json: string, values: ReadonlyMap<CanvasString, string>): string {
  let result = "";
  let at = 0;
  for (const [{ start, end }, value] of values) {
    result += json.slice(at, start) + JSON.stringify(value);
    at = end;
  }
  return result + json.slice(at);
}
