/** How the command line is started: with the code that was kept of it, and without where that is gone, damaged or not to be trusted. */

import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { command, makeHome, runToEnd } from "./process.ts";

const home = makeHome();
afterAll(() => home.remove());
const codeFolder = join(home.folder, "cache/notewright/code");
const kept = (): string =>
  join(
    codeFolder,
    readdirSync(codeFolder).find((name) => /^[0-9a-f]{64}-v/.test(name))!,
  );
const version = () => runToEnd([command("notewright"), "--version"], { environment: home.environment });

/** A session that lives until its code is kept. */
const session = async (): Promise<void> => {
  const server = spawn(process.execPath, [command("notewright"), "serve", home.vault], {
    env: home.environment,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  while (!existsSync(codeFolder) || !readdirSync(codeFolder).some((name) => /-v[\d.]+-\w+$/.test(name)))
    await new Promise((resolve) => setTimeout(resolve, 50));
  server.stdin.end();
  await ended;
};

test("a session keeps its code, for the user alone, and later starts run it", async () => {
  await session();
  expect(statSync(kept()).mode & 0o777).toBe(0o600);
  expect(statSync(codeFolder).mode & 0o777).toBe(0o700);
  const before = statSync(kept()).mtimeMs;
  expect(await version()).toMatchObject({ code: 0, stderr: "" });
  expect(statSync(kept()).mtimeMs).toBe(before);
});

test.for([
  ["cut short", (bytes: Buffer) => bytes.subarray(0, 5000)],
  ["empty", () => Buffer.alloc(0)],
  [
    "with a byte changed",
    (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 70_000 ? byte ^ 1 : byte))),
  ],
] as const)("code that is %s is not run", async ([, damage]) => {
  const whole = readFileSync(kept());
  writeFileSync(kept(), damage(whole));
  expect(await version()).toMatchObject({ code: 0, stderr: "" });
  writeFileSync(kept(), whole);
});

test("code that others could have written is not run", async () => {
  chmodSync(kept(), 0o666);
  expect(await version()).toMatchObject({ code: 0, stderr: "" });
  chmodSync(kept(), 0o600);
});

test("the code of builds long gone is removed when code is kept", async () => {
  const old = join(codeFolder, "old");
  writeFileSync(old, "");
  utimesSync(old, 0, 0);
  writeFileSync(kept(), "");
  utimesSync(kept(), 0, 0);
  const server = spawn(process.execPath, [command("notewright"), "serve", home.vault], {
    env: home.environment,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  while (existsSync(old)) await new Promise((resolve) => setTimeout(resolve, 50));
  server.stdin.end();
  await ended;
  expect(statSync(kept()).size).toBeGreaterThan(100_000);
});

test("letters beyond ASCII mean in the built script what they mean in the source", async () => {
  // It is read a byte a letter.
  expect(readFileSync("dist/notewright.cjs", "latin1")).not.toMatch(/[^\0-\x7f]/);
  writeFileSync(join(home.vault, "Weg.md"), "Die Straße nach Łódź.\n");
  const find = async (query: string): Promise<string> =>
    (await runToEnd([command("notewright"), "find", query, home.vault, "--json"], home)).stdout;
  for (const query of ["strasse", "lodz", "Welche (Straße führt hin)？", "道）路)はどこか。 Straße。"])
    expect([query, await find(query)]).toEqual([query, expect.stringContaining('"path":"Weg.md"')]);
});
