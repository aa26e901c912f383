import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { announce } from "./running.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "notewright-state-"));
});
afterEach(() => rmSync(state, { recursive: true }));

test("a server says where it is, and takes that back, whatever one that died with its number left behind", () => {
  const folder = join(state, "notewright", "running");
  const say = () =>
    announce({ XDG_STATE_HOME: state }, "/vault", { address: "http://127.0.0.1:1/", opener: "o" });
  const takeBack = say();
  const [name] = readdirSync(folder);
  expect(name).toMatch(/^[0-9a-f]{16}\.json$/);
  takeBack();
  expect(readdirSync(folder)).toEqual([]);
  const left = `${name}.${process.pid}.new`;
  writeFileSync(join(folder, left), "{");
  const takeBackAgain = say();
  expect(readdirSync(folder)).toContain(name);
  takeBackAgain();
  expect(readdirSync(folder)).not.toContain(name);
});
