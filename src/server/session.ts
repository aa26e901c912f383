/** One session over two streams: what can be answered at once is, the rest is the protocol library's. */

import type { Readable, Writable } from "node:stream";
import type { Surface } from "../surfaces/surface.ts";
import { toolCalls, type McpOptions } from "./calls.ts";
import { defectLine } from "./defect.ts";
import { directCalls } from "./direct.ts";
import { introductionOf } from "./introduction.ts";
import { LINE_LIMIT, lineTransport, type LineTransport } from "./lines.ts";
import type { Served } from "./notes-as-resources.ts";

export type Session = Pick<LineTransport, "ended" | "idle" | "listen"> & { close(): Promise<void> };

export const openSession = (
  surface: Surface,
  notebook: Served,
  options: McpOptions,
  streams: { input: Readable; output: Writable; limit?: number },
): Session => {
  const { input, output, limit = LINE_LIMIT } = streams;
  const calls = toolCalls(surface, notebook, options);
  const direct = directCalls(calls, introductionOf(surface, options.version));
  let close = () => transport.close();
  const transport = lineTransport(input, output, {
    limit,
    shortcut: direct,
    async listener() {
      const [{ listenTo }, { mcpServer }] = await Promise.all([import("./library.ts"), import("./mcp.ts")]);
      const listening = listenTo(
        transport,
        direct,
        () => mcpServer(surface, notebook, options, calls),
        (error) => options.log(`protocol: ${defectLine(error)}`),
      );
      ({ close } = listening);
      return listening.parse;
    },
  });
  void transport.start();
  return {
    ended: transport.ended,
    idle: transport.idle,
    listen: transport.listen,
    close: () => close(),
  };
};
