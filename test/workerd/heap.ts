/** The heap of a Worker, as the inspector of its runtime tells it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

export type HeapWatch = {
  /** Megabytes at most since the last call of it. */
  most(): Promise<number>;
  close(): void;
};

/** `port` is the `inspectorPort` of the Worker. */
export const watchHeap = (port: number): HeapWatch => {
  const asking = spawn(
    process.execPath,
    ["--experimental-websocket", "--no-warnings", "test/workerd/heap.mjs", String(port)],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const lines = createInterface({ input: asking.stdout });
  return {
    async most() {
      asking.stdin.write("\n");
      const [line] = (await once(lines, "line")) as [string];
      return Number(line);
    },
    close: () => asking.stdin.end(),
  };
};

export const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
