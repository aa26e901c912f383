/** A client on the native surface, over a vault of its own. */

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serversOf } from "./server.ts";
import type { PdfReader } from "../src/notebook/files/pdf.ts";
import { native } from "../src/surfaces/native/native.ts";
import { openVault, type TestVault } from "./vault.ts";

export type Said = { text: string; blocks: string[]; data: Record<string, any>; isError: boolean };
export type NativeSession = {
  vault: TestVault;
  client: Client;
  call(tool: string, input?: object): Promise<Said>;
  /** The same, for a call that must not be refused. */
  done(tool: string, input?: object): Promise<Said>;
  close(): Promise<void>;
};

export const openNative = async (
  notes: Record<string, string | Uint8Array> = {},
  { folder = false, ...how }: { folder?: boolean; pdf?: PdfReader } = {},
): Promise<NativeSession> => {
  const vault = await openVault({ folder, ...how });
  for (const [path, text] of Object.entries(notes)) await vault.put(path, text);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const log = (line: string) => vault.logged.push(line);
  await serversOf(native, vault.notebook, { log })().connect(far);
  const client = new Client({ name: "tester", version: "0" });
  await client.connect(near);
  const call = async (name: string, input: object = {}): Promise<Said> => {
    const result = await client.callTool({ name, arguments: input as Record<string, unknown> });
    const blocks = (result.content as { text?: string }[]).map((block) => block.text ?? "");
    const data = (result.structuredContent ?? {}) as Record<string, any>;
    return { text: blocks.join("\n"), blocks, data, isError: result.isError === true };
  };
  return {
    vault,
    client,
    call,
    async done(tool, input) {
      const said = await call(tool, input);
      if (said.isError) throw new Error(`${tool}: ${said.text}`);
      return said;
    },
    close: () => client.close().then(vault.close),
  };
};
