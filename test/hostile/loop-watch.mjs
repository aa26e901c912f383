/** Loaded into a server before it starts: what it took of memory, and how long one turn of its event loop took at worst, told on its third channel when it ends. */

import { existsSync, readFileSync, writeSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();

// Processor time between two ticks of a short timer: unlike the clock, it does not grow when the machine is busy with others.
let [last, worst] = [process.cpuUsage(), 0];
setInterval(() => {
  const { user, system } = process.cpuUsage(last);
  worst = Math.max(worst, (user + system) / 1000);
  last = process.cpuUsage();
}, 5).unref();

const STATUS = "/proc/self/status";
// By resourceUsage() a process on Linux begins with what its parent had.
const highWater = () => Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(STATUS, "utf8"))[1]);

process.on("exit", () => {
  const peak = (existsSync(STATUS) ? highWater() : process.resourceUsage().maxRSS) / 1024;
  try {
    writeSync(3, JSON.stringify({ worst, delay: delays.max / 1e6, peak }));
  } catch {
    // Nobody listens.
  }
});
