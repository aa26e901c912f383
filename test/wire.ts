/** What a client writes: messages of the protocol, a line each. */

export const line = (message: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;

export const call = (id: number | string, name: string, input: object = {}): string =>
  line({ id, method: "tools/call", params: { name, arguments: input } });
