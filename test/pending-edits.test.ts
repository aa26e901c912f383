/** Edits by other programs on their way into the history: nothing of them is forgotten when a process dies. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFolder as openVault, type Open } from "../src/cli/open.ts";
import { openDisk } from "../src/disk/files.ts";
import { blobId } from "../src/disk/hash.ts";
import { openGit } from "../src/history/git.ts";
import { ruleReader } from "../src/knowledge/rule-edits.ts";
import { openNotebook } from "../src/notebook/notebook.ts";
import type { History } from "../src/notebook/parts.ts";
import { notePath } from "../src/notebook/paths.ts";
import { openLedger } from "../src/index/ledger.ts";
import { openIndexFile } from "../src/sqlite/index-file.ts";
import { indexSchema } from "../src/index/schema.ts";
import { lockOpener } from "../src/sqlite/node.ts";
import { openIndex } from "../src/index/note-index.ts";
import { openPendingEdits } from "../src/index/pending.ts";
import { openFolder } from "../src/stores/folder.ts";

let home: string;
let vault: string;
let index: string;
const opened: Open[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "notewright-pending-"));
  vault = join(home, "vault");
  index = join(home, "index.db");
  mkdirSync(vault);
});
afterEach(async () => {
  for (const open of opened.splice(0)) await open.close();
  rmSync(home, { recursive: true, force: true });
});

const save = (path: string, text: string): void => {
  mkdirSync(dirname(join(vault, path)), { recursive: true });
  writeFileSync(join(vault, path), text);
};

const open = async (): Promise<Open> => {
  const one = await openVault(vault, {
    readOnly: false,
    index,
    durability: "fast",
    history: true,
    timeZone: undefined,
    environment: {},
    report: (what, error) => {
      throw new Error(what, { cause: error });
    },
    tell: () => {},
  });
  opened.push(one);
  return one;
};

const end = async (one: Open): Promise<void> => {
  opened.splice(opened.indexOf(one), 1);
  await one.close();
};

/** A process on the same vault and index, whose history can be cut off. It is never closed: it has died. */
const dying = async (cut: (history: History) => Partial<History>) => {
  const sql = await openIndexFile(index, indexSchema);
  const store = await openFolder(vault, { openLock: await lockOpener(), durability: "fast" });
  // So much later that no file is taken for one that may be saved again under the same time: the index believes what it has read.
  const now = () => new Date(Date.now() + 3_600_000);
  const history = openGit(openDisk(vault), {
    ledger: openLedger(sql),
    pending: openPendingEdits(sql),
    durability: "fast",
    outsideAuthor: "someone",
    now,
    alone: store.alone,
  });
  return openNotebook({
    store,
    index: openIndex(sql),
    history: { ...history, ...cut(history) },
    rules: ruleReader,
    now,
    timeZone: "UTC",
    random: () => "00000000",
    versionOf: blobId,
  });
};

test("an edit that the index had learned when the process died is recorded at the next start", async () => {
  save("a.md", "one\n");
  const first = await open();
  await first.catchUp(() => {});
  await end(first);

  save("a.md", "two, longer\n");
  save("new.md", "new\n");
  const dead = await dying(() => ({
    recordOutside: async () => {
      throw new Error("killed");
    },
  }));
  await expect(dead.refresh()).rejects.toThrow("killed");

  const next = await open();
  await next.catchUp(() => {});
  const [newest] = await next.notebook.log({ limit: 1 });
  expect(newest!.changes.map(({ path, version }) => [path, version !== null])).toEqual([
    ["a.md", true],
    ["new.md", true],
  ]);
  const text = (await next.history.read(notePath("a.md"), newest!.id))!;
  expect(new TextDecoder().decode(text)).toBe("two, longer\n");
  await next.catchUp(() => {});
  expect((await next.notebook.log({ limit: 10 })).length).toBe(2);
});
