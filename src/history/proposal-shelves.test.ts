/** The shelves in a folder and in rows, by their suite; and what a writer that died leaves in the folder. */

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { realCalls } from "../disk/calls.ts";
import { openDisk } from "../disk/files.ts";
import { nameOfProposal, PROPOSAL_NAME } from "../notebook/proposals/proposal.ts";
import { describeShelf, proposal } from "../notebook/suites/shelf.ts";
import { HOME } from "../notebook/vault-path.ts";
import { openSql } from "../sqlite/node.ts";
import { openProposalFolder } from "./proposal-folder.ts";
import { openProposalRows } from "./proposal-rows.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-shelf-"));
  folders.push(folder);
  mkdirSync(join(folder, HOME));
  return folder;
};

describeShelf("the shelf in a folder", async () => {
  const folder = newFolder();
  const again = () => openProposalFolder(openDisk(folder), { durable: false, refused: (work) => work() });
  return { shelf: again(), again };
});

describeShelf("the shelf in rows", async () => {
  const sql = await openSql(":memory:");
  const again = () => openProposalRows(sql, { limit: 24 * 1024 * 1024 });
  return { shelf: again(), again };
});

describe("states of a proposal that were replaced and are still there", () => {
  const [one, two, three] = ["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"].map((state, at, states) =>
    proposal(1, undefined, {
      state,
      replaces: states
        .slice(0, at)
        .slice(-1)
        .map((last) => `00000001-${last}`),
    }),
  );
  /** The second state stands, and the first lies beside it; `kept` are names that the disk does not give up. */
  const opened = () => {
    const folder = newFolder();
    const kept = new Set<string>();
    const unlink = (path: string): void => {
      if ([...kept].some((name) => path.endsWith(name)))
        throw Object.assign(new Error("EIO"), { code: "EIO" });
      realCalls.unlink(path);
    };
    const disk = openDisk(folder, { ...realCalls, unlink });
    const shelf = openProposalFolder(disk, { durable: true, refused: (work) => work() });
    shelf.put(one!);
    const place = join(folder, HOME, "proposals", nameOfProposal(one!));
    copyFileSync(place, join(folder, "saved"));
    shelf.put(two!);
    copyFileSync(join(folder, "saved"), place);
    const states = (names: readonly string[]) => names.map((name) => PROPOSAL_NAME.exec(name)?.[2]);
    return {
      shelf,
      kept,
      open: () => states(shelf.all().map(nameOfProposal)),
      files: () => states(readdirSync(join(folder, HOME, "proposals")).toSorted()),
    };
  };

  test("go with the one that came in their place", () => {
    const { shelf, open, files } = opened();
    expect(open()).toEqual([two!.state]);
    shelf.drop([nameOfProposal(two!)]);
    expect([open(), files()]).toEqual([[], []]);
  });

  test("go when that one is replaced", () => {
    const { shelf, open, files } = opened();
    shelf.put(three!);
    expect([open(), files()]).toEqual([[three!.state], [three!.state]]);
  });

  test("keep the one that says that they do not count for as long as they stay", () => {
    const { shelf, open, files, kept } = opened();
    kept.add(one!.state);
    shelf.put(three!);
    expect([open(), files()]).toEqual([[three!.state], [one!.state, two!.state, three!.state]]);
    expect(() => shelf.drop([nameOfProposal(three!)])).toThrow("EIO");
    expect(open()).toEqual([three!.state]);
    kept.clear();
    shelf.drop([nameOfProposal(three!)]);
    expect([open(), files()]).toEqual([[], []]);
  });
});
