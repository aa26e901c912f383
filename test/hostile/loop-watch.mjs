/** Loaded into a server before it starts: how long its event loop stood still at worst, told on its third channel when it ends. */

import { writeSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
process.on("exit", () => {
  try {
    writeSync(3, JSON.stringify({ worst: delays.max / 1e6, peak: process.resourceUsage().maxRSS / 1024 }));
  } catch {
    // Nobody listens.
  }
});
