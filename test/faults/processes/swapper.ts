/** An attacker who swaps a folder of the vault for a link to a folder outside, and back, as fast as he can. */

import * as fs from "node:fs";
import { join } from "node:path";

const [vault = "", outside = ""] = process.argv.slice(2);
const [folder, aside, link] = ["sub", "sub-aside", "sub-link"].map((name) => join(vault, name)) as [
  string,
  string,
  string,
];
let swaps = 0;
let ended = false;

// Each step by itself may fail, where the other side has just made or taken a name.
function step(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}

function swap(): void {
  for (let round = 0; round < 200; round++) {
    step(() => fs.symlinkSync(outside, link));
    step(() => fs.renameSync(folder, aside));
    step(() => fs.renameSync(link, folder));
    step(() => fs.unlinkSync(folder));
    step(() => fs.renameSync(aside, folder));
    swaps++;
  }
  if (ended) process.stdout.write(`${swaps}\n`);
  else setImmediate(swap);
}
process.stdin.on("end", () => (ended = true));
process.stdin.resume();
swap();
