/** Loaded into a server before it starts: what it took of memory, and how long one turn of its event loop took at worst, told on its third channel when it ends. */

import { existsSync, readFileSync, writeSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();

/** Milliseconds of processor time: of this thread alone where the system tells it, for those that collect garbage beside it keep nobody waiting. */
const THREAD = "/proc/thread-self/schedstat";
const spent = existsSync(THREAD)
  ? () => Number(readFileSync(THREAD, "utf8").split(" ")[0]) / 1e6
  : () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };

// Between two ticks of a short timer: unlike the clock, it does not grow when the machine is busy with others. A start is no turn.
let [last, worst] = [0, 0];
setTimeout(() => {
  last = spent();
  setInterval(() => {
    const now = spent();
    worst = Math.max(worst, now - last);
    last = now;
  }, 5).unref();
}).unref();

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
