/** The hostile vault on disk, with what is watched around it: the folders beside it, and a listener that nobody may call. */

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plantVault, type Planted } from "./corpus.ts";

export type Stage = Planted & {
  place: string;
  environment: Record<string, string>;
  /** Connections to the listener so far. */
  hits(): number;
  /** Everything beside the vault, as it is now. */
  outsideNow(): string[];
  /** The vault's names and what they are; its notes by time and size only, for some are large. */
  vaultNow(): string[];
  remove(): void;
};

/** By bytes, for some names are no text; and never through a link. */
const treeOf = (folder: string | Buffer, contents: boolean): string[] =>
  readdirSync(folder, { encoding: "buffer" })
    .flatMap((name) => {
      const at = Buffer.concat([Buffer.from(folder), Buffer.from("/"), name]);
      const stats = lstatSync(at);
      const content = contents && stats.isFile() ? readFileSync(at, "latin1") : "";
      const target = stats.isSymbolicLink() ? readlinkSync(at) : "";
      const row = [at.toString("latin1"), stats.mode, stats.mtimeMs, stats.size, content, target].join("|");
      return stats.isDirectory() ? [row, ...treeOf(at, contents)] : [row];
    })
    .toSorted();

export const setStage = async (crowd: number): Promise<Stage> => {
  const place = mkdtempSync(join(tmpdir(), "notewright-hostile-"));
  let hits = 0;
  const canary = createServer((_, response) => response.end()).on("connection", () => hits++);
  await new Promise<void>((done) => canary.listen(0, "127.0.0.1", done));
  const planted = plantVault(place, { crowd, port: (canary.address() as AddressInfo).port });
  const home = join(place, "home");
  mkdirSync(home);
  return {
    ...planted,
    place,
    environment: {
      PATH: process.env.PATH ?? "",
      HOME: home,
      XDG_CONFIG_HOME: join(home, "config"),
      XDG_CACHE_HOME: join(home, "cache"),
      NO_COLOR: "1",
    },
    hits: () => hits,
    outsideNow: () => [planted.outside, planted.sibling].flatMap((folder) => treeOf(folder, true)),
    vaultNow: () => treeOf(planted.vault, false),
    remove() {
      canary.close();
      chmodSync(join(planted.vault, "locked"), 0o755);
      rmSync(place, { recursive: true, force: true });
    },
  };
};
