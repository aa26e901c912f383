/** The protocol library, listening to a session: loaded when a message first needs it. */

import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { JSONRPCMessage, Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Direct } from "./direct.ts";

export type Listening = {
  parse(value: unknown): JSONRPCMessage;
  close(): Promise<void>;
};

export const listenTo = (
  transport: Transport,
  direct: Direct,
  made: () => Server,
  onerror: (error: Error) => void,
): Listening => {
  const { close } = serveStdio(({ era }) => direct.serve(made(), era), { transport, onerror });
  const hello = direct.hello();
  if (hello) transport.onmessage?.(parseJSONRPCMessage(hello));
  return { parse: parseJSONRPCMessage, close };
};
