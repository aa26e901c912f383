import * as fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../test/planted-history.ts";
import { openDisk } from "../disk/files.ts";
import { removeStalePacks } from "./gc.ts";

test("temporary packs whose writer was killed are removed after an hour, and nothing else is", () => {
  const root = newFolder();
  const packs = join(root, "h.git/objects/pack");
  fs.mkdirSync(packs, { recursive: true });
  const now = new Date("2026-11-16T12:00:00Z");
  const put = (name: string, minutesAgo: number): void => {
    fs.writeFileSync(join(packs, name), "x");
    const time = now.getTime() / 1000 - 60 * minutesAgo;
    fs.utimesSync(join(packs, name), time, time);
  };
  for (const name of [".tmp-12-pack-a.idx", "tmp_pack_b"]) put(name, 61);
  for (const name of [".tmp-13-pack-c.pack", "tmp_idx_d"]) put(name, 59);
  put("pack-e.pack", 600);
  removeStalePacks({ disk: openDisk(root), dir: "h.git", durable: false }, now);
  expect(fs.readdirSync(packs).toSorted()).toEqual([".tmp-13-pack-c.pack", "pack-e.pack", "tmp_idx_d"]);
  fs.rmSync(root, { recursive: true });
});
