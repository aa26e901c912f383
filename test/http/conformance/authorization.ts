/** The official suite's `authorization` command against a server where one signs in. The suite prints an address and waits, so the test plays the browser. */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { consented, registered } from "../signing-in.ts";
import { checksIn, environmentIn, program, type Outcome } from "./suite.ts";

/** A free port below those that systems give to outgoing connections, so that nobody takes it before the suite does. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const free = await new Promise<boolean>((done) => {
      server.once("error", () => done(false)).listen(port, "127.0.0.1", () => done(true));
    });
    if (!free) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
};

/** Runs the command to its end; `visit` is given the address that it prints. */
const runAuthorization = async (
  flags: string[],
  visit: (address: URL) => Promise<void>,
): Promise<Outcome> => {
  const results = mkdtempSync(join(tmpdir(), "notewright-conformance-"));
  const child = spawn(process.execPath, [...program("next"), "authorization", "-o", results, ...flags], {
    env: environmentIn(results),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((done) => child.on("close", done));
  let output = "";
  const printed = new Promise<URL>((done) => {
    child.stderr.on("data", (chunk) => (output += String(chunk)));
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      const address = /^(http\S+\/authorize\?\S+)\n/m.exec(output)?.[1];
      if (address !== undefined) done(new URL(address));
    });
  });
  try {
    // A suite that ends without an address has written why.
    await Promise.race([printed.then(visit), ended]);
    await ended;
    return { checks: checksIn(results, "authorization-server"), output };
  } finally {
    child.kill();
    await ended;
    rmSync(results, { recursive: true, force: true });
  }
};

/** Both scenarios of an authorization server pass, nothing skipped. */
export const authorizationConforms = async (
  base: string,
  { resource, secret }: { resource: string; secret?: string },
): Promise<void> => {
  const port = await freePort();
  const callback = `http://127.0.0.1:${port}/callback`;
  const client = await registered(base, { redirect_uris: [callback] });
  const flags = ["--url", base, "--client-id", client, "--port", String(port)];
  const { checks, output } = await runAuthorization([...flags, "--resource", resource], async (address) => {
    const answer = await consented(address, { name: "The suite" }, secret);
    expect(answer.origin + answer.pathname).toBe(callback);
    expect((await fetch(answer)).status).toBe(200);
  });
  // The whole list with each status: the suite itself counts neither a skipped check nor a warning as a failure.
  const found = [...checks].map(([scenario, all]) => [
    scenario,
    all.map(({ id, status, errorMessage = "" }) => `${id}: ${status} ${errorMessage}`.trim()),
  ]);
  expect(Object.fromEntries(found), output).toEqual({
    "authorization-server-metadata-endpoint": [
      "authorization-server-metadata: SUCCESS",
      "authorization-server-metadata-cimd: SUCCESS",
    ],
    "authorization-code-grant": ["authorization-code-grant: SUCCESS"],
  });
};
