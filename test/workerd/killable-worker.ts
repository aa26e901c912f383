/** A Worker for tests whose workspaces are killed, and tell what they and the bucket hold afterwards. */

import { durableSql } from "../../src/sqlite/durable.ts";
import { forgetComparison } from "../../src/worker/engine.ts";
import { packing } from "../../src/worker/packing.ts";
import { openSettings } from "../../src/worker/settings.ts";
import { dumpOf } from "../index-dump.ts";
import { WatchedWorkspace } from "./watched.ts";

export { default } from "./edge-worker.ts";

export class Workspace extends WatchedWorkspace {
  /** Puts texts into the bucket, as another program would. */
  async seed(texts: Record<string, string>): Promise<void> {
    for (const [key, text] of Object.entries(texts))
      await this.unwatched.bucket.put(key, new TextEncoder().encode(text), {
        onlyIf: { etagDoesNotMatch: "*" },
        customMetadata: {},
      });
  }

  /** Every text in this workspace's part of the bucket, byte for byte, by its key after the workspace's name. */
  async texts(workspace: string): Promise<Record<string, string>> {
    const { objects } = await this.unwatched.bucket.list({ prefix: `${workspace}/` });
    const found: Record<string, string> = {};
    for (const { key } of objects) {
      const object = await this.unwatched.bucket.get(key);
      const bytes = new Uint8Array(await object!.arrayBuffer());
      found[key.slice(workspace.length)] = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    }
    return found;
  }

  /** Whether nothing waits to be brought into the bucket. */
  async isSettled(): Promise<boolean> {
    return (
      this.rows(
        "SELECT path FROM r2_waiting UNION SELECT path FROM r2_removed UNION SELECT path FROM r2_bytes WHERE source <> ''",
      ).length === 0
    );
  }

  /** The revisions of a note, the oldest first. */
  async revisions(path: string): Promise<string[]> {
    return this.rows("SELECT id, path FROM touches JOIN revisions USING (number) ORDER BY number")
      .filter((row) => row["path"] === path)
      .map((row) => String(row["id"]));
  }

  /** Whether a text was at some path once. */
  async isRecorded(version: string): Promise<boolean> {
    return this.rows("SELECT version, before FROM touches").some(
      (row) => row["version"] === version || row["before"] === version,
    );
  }

  /** The ids of the proposals that wait. */
  async waiting(name: string): Promise<string[]> {
    return (await this.open(name).engine.notebook.proposals.list()).map(({ id }) => id);
  }

  async accept(name: string, id: string): Promise<string | null> {
    return (await this.open(name).engine.notebook.proposals.accept(id)).revision;
  }

  /** Something in the index is wrong, which nothing but a new one sets right. */
  async spoil(): Promise<void> {
    this.rows("UPDATE notes SET title = 'spoiled' WHERE path = 'Theirs.md'");
  }

  /** All that the index holds, once the bucket was compared and it has caught up: an engine that is shut waits for what it is looking at. */
  async dump(): Promise<string> {
    forgetComparison(openSettings(durableSql(this.unwatched.storage)));
    await this.alarm();
    await this.shut();
    return JSON.stringify(dumpOf(durableSql(this.unwatched.storage, packing)));
  }
}
