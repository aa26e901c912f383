/** A proxy on loopback that adds a token, for clients that cannot send one. Everything else passes as it came, Host and Origin too, so the guards behind it are the real ones. */

import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export type TokenProxy = {
  /** `http://127.0.0.1:PORT`. */
  base: string;
  close(): void;
};

export const openTokenProxy = async (port: number, token: string): Promise<TokenProxy> => {
  const proxy = createServer((incoming, outgoing) => {
    const { url: path, method } = incoming;
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    // A server that refused a request may close its connection: each has its own, so that none is sent on a closed one.
    const asked = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on("error", () => outgoing.destroy());
    outgoing.on("close", () => asked.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
};
