import { expect, test } from "vitest";
import { canvasStrings, withStrings } from "./canvas.ts";

const CANVAS = `{
	"nodes":[
		{"id":"1","type":"file","file":"a\\/b \\u00e4.md","subpath":"#H","x":1.50},
		{ "id":"2", "type":"text", "text" : "see [[x]]\\n\\"q\\"", "file":3, "deep":{"file":"no.md"} },
		{"type":"group","label":"text","background":"i/p.png"}
	],
	"edges":[{"file":"no.md","label":"file"}], "file":"no.md"
}
`;

test("the strings of nodes are found with their places, and no others", () => {
  const found = canvasStrings(CANVAS)!;
  expect(found.map(({ kind, value }) => [kind, value])).toEqual([
    ["file", "a/b ä.md"],
    ["subpath", "#H"],
    ["text", 'see [[x]]\n"q"'],
    ["background", "i/p.png"],
  ]);
  expect(found.map(({ start, end }) => CANVAS.slice(start, end))).toEqual([
    '"a\\/b \\u00e4.md"',
    '"#H"',
    '"see [[x]]\\n\\"q\\""',
    '"i/p.png"',
  ]);
});

test("a string is written anew and every other byte stays", () => {
  const [, , text] = canvasStrings(CANVAS)!;
  expect(withStrings(CANVAS, new Map([[text!, 'new "one"\\']]))).toBe(
    CANVAS.replace('"see [[x]]\\n\\"q\\""', '"new \\"one\\"\\\\"'),
  );
  expect(withStrings(CANVAS, new Map())).toBe(CANVAS);
});

test.each(["", "no json", "{", '{"nodes":3}', "null", '{"nodes":{}}'])("%j is no canvas", (text) =>
  expect(canvasStrings(text)).toBeNull(),
);
test.each(["{}", '{"nodes":[]}', '{"nodes":[1,null,[{"file":"x"}]]}'])("%j has none", (text) =>
  expect(canvasStrings(text)).toEqual([]),
);
