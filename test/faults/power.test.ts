/** T2, the short form of each commit: the power goes in the middle of a change. Ten thousand disks are in the soak. */

import { describe, expect, test } from "vitest";
import { share } from "../soak-size.ts";
import { commitSeed, dice } from "./dice.ts";
import { cutState } from "./power-cut.ts";
import { powerTest } from "./power.ts";
import type { Op } from "./trace.ts";

test("what was promised is there after a power cut, whole, and the vault goes on", async () => {
  const figures = await powerTest({
    durability: "full",
    wanted: share(400),
    seed: commitSeed(),
    wholeEvery: 10,
  });
  expect(figures.wrong).toEqual([]);
  expect(figures.states).toBeGreaterThan(share(250));
}, 120_000);

test("without flushes a power cut may take notes, but the vault opens and goes on", async () => {
  const figures = await powerTest({
    durability: "fast",
    wanted: share(150),
    seed: commitSeed(),
    wholeEvery: 5,
  });
  expect(figures.wrong).toEqual([]);
  expect(figures.states).toBeGreaterThan(share(80));
}, 120_000);

describe("the model", () => {
  const states = (ops: Op[]): string[] => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 300; seed++) {
      const { files } = cutState([{ path: "a", bytes: Buffer.from("old") }], ops, dice(seed), seed % 11);
      seen.add(
        [...files]
          .map(([path, bytes]) => `${path}=${bytes.toString("latin1")}`)
          .toSorted()
          .join(" "),
      );
    }
    return [...seen].toSorted();
  };
  const create: Op[] = [
    { do: "create", path: "t", file: 1 },
    { do: "write", file: 1, bytes: Buffer.from("new!") },
  ];
  const flush: Op = { do: "flush", file: 1 };
  const rename: Op = { do: "rename", from: "t", to: "a" };
  test.each<[string, Op[], string[]]>([
    [
      "nothing flushed: anything, a name without its text among it",
      [...create, rename],
      [
        "a=",
        "a=\0\0\0\0",
        "a=ne",
        "a=new!",
        "a=old",
        "a=old t=",
        "a=old t=\0\0\0\0",
        "a=old t=ne",
        "a=old t=new!",
      ],
    ],
    ["bytes flushed: old or new", [...create, flush, rename], ["a=new!", "a=old", "a=old t=new!"]],
    ["the folder too: new", [...create, flush, rename, { do: "flush folder", path: "" }], ["a=new!"]],
    [
      "only the folder: the name, with or without its text",
      [...create, rename, { do: "flush folder", path: "" }],
      ["a=", "a=\0\0\0\0", "a=ne", "a=new!"],
    ],
  ])("%s", (_, ops, wanted) => {
    expect(states(ops)).toEqual(wanted);
  });
});
