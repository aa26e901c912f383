/** What the log says when a vault cannot be watched or looked at. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import { failureLine } from "../protocol/failure.ts";
import { watchVault } from "./watch.ts";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "notewright-watch-"))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a change that cannot be looked at is told in sentences: what happened, what it means, and why", async () => {
  const lines: string[] = [];
  const fails = async (): Promise<never> => {
    throw new NoteError("disk_failed", "The disk failed (EIO). Try again; if it stays, check the disk.");
  };
  const notebook = { refresh: fails, refreshFolders: fails, refreshPaths: fails };
  const watcher = watchVault(root, notebook, (what, error) => void lines.push(failureLine(what, error)));
  await watcher.watching;
  writeFileSync(join(root, "a.md"), "x\n");
  await vi.waitFor(() => expect(lines).not.toEqual([]), { timeout: 20_000 });
  await watcher.close();
  expect(lines[0]).toMatch(
    /^Changes made by other programs could not be read\. .*answers may be old\. The disk failed \(EIO\)\./,
  );
});
