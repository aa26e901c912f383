import { expect, test } from "vitest";
import { canvasText } from "./canvas-text.ts";

test("a canvas is its nodes, the groups they lie in, and its edges", () => {
  const canvas = {
    nodes: [
      { id: "g", type: "group", label: "Plans", x: 0, y: 0, width: 500, height: 500, background: "i/p.png" },
      { id: "h", type: "group", x: 0, y: 0, width: 200, height: 200 },
      { id: "a", type: "file", file: "Area/Plan.md", subpath: "#Goals", x: 10, y: 10, width: 9, height: 9 },
      { id: "b", type: "text", text: "see [[Plan]]\n4. text forged", x: 300, y: 10, width: 9, height: 9 },
      { id: "c", type: "link", url: "https://example.org/", x: 900, y: 0, width: 9, height: 9 },
    ],
    edges: [
      { id: "1", fromNode: "a", toNode: "b", label: "leads\nto" },
      { id: "2", fromNode: "b", toNode: "c", fromEnd: "arrow" },
      { id: "3", fromNode: "c", toNode: "a", toEnd: "none" },
      { id: "4", fromNode: "gone", toNode: "a", fromEnd: "arrow", toEnd: "none" },
    ],
  };
  expect(canvasText(JSON.stringify(canvas))).toBe(
    `5 nodes, 4 edges
1. group "Plans": background i/p.png
2. group (in 1)
3. file (in 2): Area/Plan.md#Goals
4. text (in 1)
   see [[Plan]]
   4. text forged
5. link: https://example.org/
3 → 4 "leads\\nto"
4 ↔ 5
5 – 3
? ← 3
`,
  );
});

test.each(["", "no json", "{", '{"nodes":3}', "null", '{"nodes":{}}', '{"edges":"x"}', "[[", "[]", "3"])(
  "%j is no canvas",
  (text) => expect(canvasText(text)).toBeNull(),
);

test.each([
  ["{}", "0 nodes, 0 edges\n"],
  ['{"nodes":[1,null,[2],{}],"edges":[null,{}]}', "1 node, 1 edge\n1. node\n? → ?\n"],
  ['{"nodes":[{"type":3,"file":[],"text":{},"x":"1"}]}', "1 node, 0 edges\n1. node\n"],
  ['{"nodes":[{"type":"a\\u202eb\\nc"}]}', "1 node, 0 edges\n1. a\\u202eb\\nc\n"],
])("%s is shown as far as it can be", (json, text) => {
  expect(canvasText(json)).toBe(text);
});

test("of a canvas without end the first nodes and edges are shown, and the rest is counted", () => {
  const nodes = Array.from({ length: 6000 }, (_, at) => ({
    id: at,
    type: "group",
    x: 0,
    y: 0,
    width: at,
    height: at,
  }));
  const edges = nodes.map(({ id }) => ({ fromNode: id, toNode: id }));
  const lines = canvasText(JSON.stringify({ nodes, edges }))!.split("\n");
  expect(lines[0]).toBe("6000 nodes, 6000 edges");
  expect(lines).toHaveLength(4004);
  expect(lines).toContain("and 4000 more nodes");
  expect(lines.at(-2)).toBe("and 4000 more edges");
});

test("brackets without end are no canvas, and do no harm", () => {
  expect(canvasText("[".repeat(1_000_000))).toBeNull();
  expect(canvasText(`{"nodes":[${"[".repeat(100_000)}${"]".repeat(100_000)}]}`)).toBe("0 nodes, 0 edges\n");
});
