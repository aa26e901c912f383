import { DatabaseSync } from "@photostructure/sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { fillFolder } from "../../test/fill-folder.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realCalls } from "../disk/calls.ts";
import { describeStore } from "../notebook/suites/store.ts";
import { openFolder } from "./folder.ts";

const openLock = (file: string) => new DatabaseSync(file);

describeStore("the store in a folder", async (given) => {
  const root = mkdtempSync(join(tmpdir(), "notewright-"));
  fillFolder(root, given);
  const store = await openFolder(root, { openLock, durability: "fast" });
  return { store, cleanup: async () => (await store.close(), rmSync(root, { recursive: true })) };
});

describeStore("the store in a folder, where folders cannot be held open", async (given) => {
  const root = mkdtempSync(join(tmpdir(), "notewright-"));
  fillFolder(root, given);
  const store = await openFolder(root, {
    openLock,
    durability: "fast",
    calls: { ...realCalls, handles: false },
  });
  return { store, cleanup: async () => (await store.close(), rmSync(root, { recursive: true })) };
});
