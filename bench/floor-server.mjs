/** The floor: an MCP server written by hand, without a library. `read` gives a file as it is, `nothing` gives nothing: what no server over stdio can be faster than. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = process.argv[2];
const tools = ["read", "nothing"].map((name) => ({ name, inputSchema: { type: "object" } }));
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "floor", version: "1" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, arguments: input }) => ({
    content: [{ type: "text", text: name === "read" ? readFileSync(join(root, input.path), "utf8") : "" }],
  }),
  ping: () => ({}),
};

let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = answers[method];
    const said = answer ? { result: answer(params) } : { error: { code: -32601, message: "no such method" } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
  }
});
