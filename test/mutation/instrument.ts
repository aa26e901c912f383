/** A source file with its branches counted and every small fault we can think of built in, each switched on by its number. */

import { transform } from "esbuild";
import { readFile } from "node:fs/promises";
import { SourceMap } from "node:module";
import { parseAst } from "vite";

/** A place in a source file, and what stands there. */
export type Place = { file: string; line: number; text: string };
export type Mutant = Place & { instead: string };
/** One way that control can take: an arm of a condition, an operand of `&&`, a default. */
export type Branch = Place & { arm: string };
export type Measures = { mutants: Mutant[]; branches: Branch[] };

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Splice = { at: number; text: string; opens: boolean; length: number };

const SWAPS: Record<string, string[]> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "&": ["|"],
  "|": ["&"],
  "&&": ["||"],
  "||": ["&&"],
};

export async function instrument(file: string, { mutants, branches }: Measures): Promise<string> {
  const { code, map } = await transform(await readFile(file, "utf8"), {
    loader: "ts",
    target: "node20",
    sourcemap: "external",
    sourcefile: file,
  });
  const lines = new SourceMap(JSON.parse(map));
  const splices: Splice[] = [];
  const textOf = (node: Node): string => code.slice(node.start, node.end);
  const place = (node: Node): Place => {
    const before = code.slice(0, node.start).split("\n");
    const entry = lines.findEntry(before.length - 1, before.at(-1)!.length) as { originalLine?: number };
    return {
      file,
      line: (entry.originalLine ?? 0) + 1,
      text: textOf(node).replace(/\s+/g, " ").slice(0, 100),
    };
  };
  const wrap = (node: Node, before: string, after: string): void => {
    const length = node.end - node.start;
    splices.push({ at: node.start, text: before, opens: true, length });
    splices.push({ at: node.end, text: after, opens: false, length });
  };
  /** The expression as it is, unless that mutant is switched on. */
  const mutate = (node: Node, instead: string): void => {
    wrap(node, `($measure.mutant(${mutants.length}) ? (${instead}) : (`, "))");
    mutants.push({ ...place(node), instead: instead.replace(/\s+/g, " ").slice(0, 100) });
  };
  const dropped = (node: Node): void => {
    wrap(node, `if (!$measure.mutant(${mutants.length})) { `, " }");
    mutants.push({ ...place(node), instead: "" });
  };
  const branchOf = (node: Node, arm: string): string => {
    branches.push({ ...place(node), arm });
    return `$measure.branch(${branches.length - 1})`;
  };
  const counted = (node: Node, arm: string): void => wrap(node, `(${branchOf(node, arm)}, `, ")");
  const armOf = (statement: Node, arm: string): void =>
    wrap(statement, `{ ${branchOf(statement, arm)}; `, " }");

  function visit(node: Node): void {
    const left = node["left"] as Node;
    const right = node["right"] as Node;
    const test = node["test"] as Node | null;
    const operator = String(node["operator"]);
    if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
      for (const other of SWAPS[operator] ?? [])
        mutate(node, `(${textOf(left)}) ${other} (${textOf(right)})`);
      if (operator === "??") mutate(node, textOf(left));
      if (node.type === "LogicalExpression") counted(right, `${operator} on`);
    }
    if (node.type === "UnaryExpression" && operator === "!") mutate(node, textOf(node["argument"] as Node));
    if (node.type === "Literal" && typeof node["value"] === "boolean") mutate(node, String(!node["value"]));
    if (["IfStatement", "ConditionalExpression"].includes(node.type)) {
      for (const always of ["true", "false"]) mutate(test!, always);
      const [then, otherwise] = [node["consequent"] as Node, node["alternate"] as Node | null];
      const arm = node.type === "IfStatement" ? armOf : counted;
      arm(then, "then");
      if (otherwise) arm(otherwise, "else");
      else
        splices.push({
          at: node.end,
          text: ` else { ${branchOf(node, "not")}; }`,
          opens: false,
          length: node.end - node.start - 0.5,
        });
    }
    if (["WhileStatement", "ForStatement", "DoWhileStatement"].includes(node.type) && test)
      mutate(test, "false");
    if (node.type === "AssignmentPattern") counted(right, "default");
    if (node.type === "ExpressionStatement" && !node["directive"]) dropped(node);
    if (node.type === "ThrowStatement") dropped(node);
    for (const [name, value] of Object.entries(node)) {
      if (name === "type") continue;
      for (const child of Array.isArray(value) ? value : [value])
        if (child && typeof child === "object" && typeof (child as Node).type === "string")
          visit(child as Node);
    }
  }
  visit(parseAst(code) as unknown as Node);
  return spliced(code, splices);
}

/** What opens at a place opens from the outside in, and what closes there closes before it, from the inside out. */
function spliced(code: string, splices: Splice[]): string {
  splices.sort(
    (a, b) =>
      a.at - b.at ||
      Number(a.opens) - Number(b.opens) ||
      (a.opens ? b.length - a.length : a.length - b.length),
  );
  let [result, at] = ["", 0];
  for (const splice of splices) {
    result += code.slice(at, splice.at) + splice.text;
    at = splice.at;
  }
  return result + code.slice(at);
}
