/** `doctor` as a person calls it: what it says of a sound installation, what it says to do where something is wrong, and what it never prints. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import type { Finding } from "../src/cli/doctor/finding.ts";
import { command, filesBelow, makeHome, runToEnd } from "./process.ts";

const home = makeHome();
afterAll(home.remove);
const { vault, folder, environment } = home;
const notewright = (args: string[], more: Record<string, string> = {}) =>
  runToEnd([command("notewright"), ...args], { environment: { ...environment, ...more }, cwd: folder });
const doctor = async (args: string[], more: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await notewright(["doctor", ...args, "--json"], more);
  const { healthy, findings } = JSON.parse(stdout) as { healthy: boolean; findings: Finding[] };
  const is = (what: string): string | undefined => findings.find((each) => each.what === what)?.is;
  return { code, healthy, findings, is, stdout, stderr };
};

test("a sound installation: every part is named, nothing is written, the exit code is 0", async () => {
  const before = filesBelow(folder);
  const { code, healthy, is } = await doctor([vault], { NOTEWRIGHT_TOOLS: "wiki" });
  expect({ code, healthy }).toEqual({ code: 0, healthy: true });
  expect(is("version")).toContain(manifest.version);
  expect(is("Node")).toContain(process.execPath);
  expect(is("SQLite")).toMatch(/node:sqlite|@photostructure/);
  expect(is("disk")).toContain("locks");
  expect(is("index")).toContain("not made yet");
  expect(is("history")).toBe("none yet");
  expect(is("tools")).toBe("wiki, from NOTEWRIGHT_TOOLS");
  expect(is("durability")).toBe("default");
  expect(is("synced")).toContain("not by a tool");
  expect(filesBelow(folder)).toEqual(before);
});

test("what is wrong is named with what to do, and no secret is printed", async () => {
  mkdirSync(join(folder, "config", "notewright"), { recursive: true });
  const settings = { vault, tols: "wiki", durability: "fast", embeddings: "http://me:pass@127.0.0.1:1/" };
  writeFileSync(join(folder, "config", "notewright", "config.json"), JSON.stringify(settings));
  writeFileSync(join(folder, "config", "notewright", "identities.json"), "{}", { mode: 0o666 });
  mkdirSync(join(folder, ".cursor"));
  const gone = { command: "/gone/node", args: ["/gone/bin/notewright.mjs", "serve", vault] };
  const http = { url: "http://127.0.0.1:1/mcp", headers: { Authorization: "Bearer nw_secret" } };
  writeFileSync(
    join(folder, ".cursor", "mcp.json"),
    JSON.stringify({ mcpServers: { notewright: gone, "notewright-2": http } }),
  );
  mkdirSync(join(vault, ".stfolder"));
  const { code, findings, is, stdout, stderr } = await doctor([], {
    NOTEWRIGHT_EMBEDDINGS_KEY: "nw_key",
    NOTEWRIGHT_DURABILITY: "slow",
    XDG_CACHE_HOME: join(vault, "Start here.md"),
  });
  expect(code).toBe(1);
  expect(is("folder")).toContain("from the settings file");
  expect(is("embeddings")).toBe("http://…@127.0.0.1:1/, from the settings file");
  expect(is("synced")).toBe("by Syncthing");
  const next = findings.filter((each) => each.wrong).map((each) => `${each.what}: ${each.is} → ${each.next}`);
  expect(next).toEqual([
    expect.stringMatching(/^index: .* cannot be written → .*--index/),
    expect.stringMatching(/^identities: .* cannot be used → /),
    expect.stringMatching(/^durability: slow, from NOTEWRIGHT_DURABILITY → It is one of: full, fast/),
    expect.stringMatching(/^settings file: "tols" .* Did you mean "tools"\?/),
    expect.stringMatching(/^Cursor: connected to this vault .* → It starts \/gone\/node, which is not there/),
  ]);
  expect(stdout + stderr).not.toMatch(/nw_secret|nw_key|pass@/);
  const { stdout: text, code: same } = await notewright(["doctor", join(folder, "none")]);
  expect(same).toBe(1);
  expect(text).toContain("→ There is no folder at");
  expect(text).toMatch(/\d things need you: see the arrows above\.\n$/);
});
