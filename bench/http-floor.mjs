/** The floor over HTTP: a server of the same protocol library that only reads a file, without tokens, limits or sessions. It says its port on stdout. */

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";

const root = process.argv[2];
const tools = ["read_notes", "nothing"].map((name) => ({ name, inputSchema: { type: "object" } }));
const make = () => {
  const server = new Server({ name: "floor", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [
      {
        type: "text",
        text: params.name === "read_notes" ? readFileSync(join(root, params.arguments.notes[0]), "utf8") : "",
      },
    ],
  }));
  return server;
};
const handler = createMcpHandler(make);
createServer(async (incoming, outgoing) => {
  const pieces = [];
  for await (const piece of incoming) pieces.push(piece);
  const body = Buffer.concat(pieces);
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method,
    headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  });
  const response = await handler.fetch(request, { parsedBody: JSON.parse(body.toString()) });
  outgoing.writeHead(response.status, [...response.headers].flat());
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}).listen(0, "127.0.0.1", function () {
  process.stdout.write(`${this.address().port}\n`);
});
