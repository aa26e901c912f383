/** `npm run edge`: the Worker in workerd on this computer, with a workspace made from the example vault, for whoever wants to try it without an account. `npm run edge -- PORT` takes another port. */

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Miniflare } from "miniflare";

const root = fileURLToPath(new URL("..", import.meta.url));
const WORKSPACE = "garden";

/** That port, or any where it is 0. */
const freePort = (wanted) =>
  new Promise((done, failed) => {
    const server = createServer().once("error", failed);
    server.listen(wanted, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

const port = await freePort(Number(process.argv[2] ?? 8788)).catch(() => {
  console.error("That port is taken, or is none: npm run edge -- PORT takes another.");
  process.exit(2);
});
const base = `http://127.0.0.1:${port}`;
const secret = randomBytes(24).toString("base64url");
const folder = mkdtempSync(join(tmpdir(), "notewright-edge-"));
process.env.TMPDIR = folder;
const worker = new Miniflare({
  modules: [{ type: "ESModule", path: join(root, "dist/worker.mjs") }],
  modulesRoot: join(root, "dist"),
  compatibilityDate: "2026-04-01",
  compatibilityFlags: ["nodejs_compat", "global_fetch_strictly_public"],
  r2Buckets: ["NOTES"],
  durableObjects: {
    WORKSPACE: { className: "Workspace", useSQLite: true },
    ACCOUNTS: { className: "Accounts", useSQLite: true },
  },
  bindings: { OWNER_SECRET: secret, PUBLIC_URL: base },
  assets: {
    directory: join(root, "dist/web"),
    binding: "ASSETS",
    routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
  },
  host: "127.0.0.1",
  port,
  // Nothing is asked of the network.
  cf: false,
});
// Miniflare ends the runtime with this process, also where a signal ends it.
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
// A terminal that is closed ends it as Ctrl-C does.
process.once("SIGHUP", () => process.exit(129));

const owner = async (path, body) => {
  const response = await fetch(`${base}/admin${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error_description);
  return answer;
};

try {
  await worker.ready;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await owner("/workspaces", { id: WORKSPACE, timezone: timeZone });
  const { token } = await owner(`/workspaces/${WORKSPACE}/members`, { name: "you", rights: "admin" });
  const vault = join(folder, WORKSPACE);
  cpSync(join(root, "examples/garden"), vault, { recursive: true });
  const environment = Object.fromEntries(
    ["config", "cache", "state"].map((kind) => [`XDG_${kind.toUpperCase()}_HOME`, join(folder, kind)]),
  );
  const address = `${base}/${WORKSPACE}`;
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [join(root, "bin/notewright.mjs"), "push", vault, address],
    { env: { ...process.env, ...environment, NOTEWRIGHT_TOKEN: token } },
  );
  const entry = { type: "http", url: `${address}/mcp`, headers: { Authorization: `Bearer ${token}` } };
  console.log(`${stderr.trim()}

A workspace at the edge runs on this computer: ${address}/mcp
Paste this into a client that takes addresses:

${JSON.stringify({ mcpServers: { [WORKSPACE]: entry } }, null, 2)}

Or let it be written for you:

NOTEWRIGHT_TOKEN=${token} node bin/notewright.mjs install --client cursor --url ${address}/mcp

Bring a folder of your own together with it, and look at the history of it all:

NOTEWRIGHT_TOKEN=${token} node bin/notewright.mjs push ~/Notes ${address} --dry-run
curl -H 'Authorization: Bearer ${token}' ${address}/history.bundle -o history.bundle
git clone history.bundle history

In a browser: ${address}/ asks for the owner's secret, which is ${secret}

All of it is gone when this ends: Ctrl-C.`);
} catch (error) {
  console.error(`It could not be started: ${error.message}`);
  await worker.dispose();
  process.exit(1);
}
