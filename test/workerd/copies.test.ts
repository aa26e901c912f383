/** A folder pushed to a workspace at the edge, edited on both sides, pushed and pulled: 2,000 notes in `npm run test:edge`, a few here. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCarrier, throughEverything, type Carrier } from "../carrying.ts";
import { serveEdge, type Served } from "./served.ts";

const NOTES = process.env.NOTEWRIGHT_EDGE === "all" ? 2000 : 30;

let served: Served;
let carrier: Carrier;
let token: string;
const folder = mkdtempSync(join(tmpdir(), "notewright-bundle-"));
beforeAll(async () => {
  served = await serveEdge();
  await served.make("garden");
  token = await served.member("garden", "laptop");
  carrier = openCarrier(`${served.base}/garden/mcp`, token);
}, 60_000);
afterAll(async () => {
  carrier.remove();
  rmSync(folder, { recursive: true, force: true });
  await served.stop();
});

/** The history of the workspace, as plain git reads it. */
const git = (...args: string[]): string =>
  execFileSync("git", ["-C", join(folder, "clone"), ...args], { encoding: "utf8", stdio: "pipe" });
const cloned = async (): Promise<void> => {
  const response = await fetch(`${served.base}/garden/history.bundle`, {
    headers: { authorization: `Bearer ${token}` },
  });
  rmSync(join(folder, "clone"), { recursive: true, force: true });
  writeFileSync(join(folder, "bundle"), new Uint8Array(await response.arrayBuffer()));
  execFileSync("git", ["clone", "-q", join(folder, "bundle"), join(folder, "clone")], { stdio: "pipe" });
};

test("every byte is where it belongs, and both histories know it", { timeout: 600_000 }, async () => {
  await throughEverything(carrier, NOTES, async (path) => {
    await cloned();
    return git("log", "--follow", "--format=%an", "--", path).trim().split("\n");
  });
  expect(git("fsck", "--full", "--strict")).not.toMatch(/error|missing|corrupt/);
  expect(git("ls-files").trim().split("\n")).toHaveLength(Object.keys(carrier.notes()).length);
});

test("a member who may not see all of it is refused, and so is whoever is of another workspace", async () => {
  await served.make("office");
  const others = [
    [await served.member("garden", "writer", "write"), "POST /admin/workspaces/garden/members"],
    [await served.member("garden", "kept", "admin", ["Folder 1"]), "admin rights"],
    [await served.member("office", "clerk"), "has no vault at this address that the token may open"],
  ] as const;
  // The runtime closes the connection of whoever is refused before the body is read.
  for (const [known, said] of others) {
    const other = openCarrier(`${served.base}/garden`, known);
    expect(await other.pull()).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
    other.remove();
  }
});
