/** Asks the inspector of a Worker for its heap all the while, and writes the most megabytes since the last time for each line on stdin. It is a process of its own, because Node 20 has WebSockets only where it is told so. */

import { createInterface } from "node:readline";

/** How often it is asked. */
const EVERY_MS = 100;

const targets = await (await fetch(`http://127.0.0.1:${process.argv[2]}/json`)).json();
// The Workers of the simulator have inspectors, too.
const { webSocketDebuggerUrl } = targets.find(({ id }) => id.includes("user")) ?? targets[0];
const socket = new WebSocket(webSocketDebuggerUrl);
let most = 0;
socket.addEventListener("message", ({ data }) => {
  const { result } = JSON.parse(String(data));
  if (result?.usedSize) most = Math.max(most, result.usedSize + (result.backingStorageSize ?? 0));
});
const ask = () => socket.send(JSON.stringify({ id: 1, method: "Runtime.getHeapUsage" }));
socket.addEventListener("open", () => setInterval(ask, EVERY_MS));
createInterface({ input: process.stdin })
  .on("line", () => {
    console.log(most / 1e6);
    most = 0;
  })
  .on("close", () => process.exit(0));
