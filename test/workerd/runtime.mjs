/** Runs a bundled Worker in workerd, writes its address to stdout, and ends with whoever started it: a test that is killed leaves no runtime behind. */

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";

const [script, folder, options = "{}", heapMegabytes = ""] = process.argv.slice(2);
if (heapMegabytes !== "") {
  const ofMiniflare = createRequire(createRequire(import.meta.url).resolve("miniflare"));
  process.env.WORKERD = ofMiniflare("workerd").default;
  process.env.WORKERD_HEAP_MB = heapMegabytes;
  process.env.MINIFLARE_WORKERD_PATH = fileURLToPath(new URL("limited-workerd.sh", import.meta.url));
}
const worker = new Miniflare({
  modules: [{ type: "ESModule", path: script }],
  modulesRoot: folder,
  compatibilityDate: "2026-04-01",
  compatibilityFlags: ["nodejs_compat", "global_fetch_strictly_public"],
  r2Buckets: ["NOTES"],
  host: "127.0.0.1",
  // Nothing is asked of the network.
  cf: false,
  ...JSON.parse(options),
});
process.stdin.resume().once("end", async () => {
  await worker.dispose();
  process.exit(0);
});
console.log(String(await worker.ready));
