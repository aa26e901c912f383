/** The shelves in a folder and in rows, by their suite. */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { openDisk } from "../disk/files.ts";
import { describeShelf } from "../notebook/suites/shelf.ts";
import { HOME } from "../notebook/vault-path.ts";
import { openSql } from "../sqlite/node.ts";
import { openProposalFolder } from "./proposal-folder.ts";
import { openProposalRows } from "./proposal-rows.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

describeShelf("the shelf in a folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-shelf-"));
  folders.push(folder);
  mkdirSync(join(folder, HOME));
  const again = () => openProposalFolder(openDisk(folder), { durable: false, refused: (work) => work() });
  return { shelf: again(), again };
});

describeShelf("the shelf in rows", async () => {
  const sql = await openSql(":memory:");
  const again = () => openProposalRows(sql, { limit: 24 * 1024 * 1024 });
  return { shelf: again(), again };
});
