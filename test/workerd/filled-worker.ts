/** The Worker as it is deployed, with workspaces into whose part of the bucket a test puts files, as another program does. */

import { Workspace as Deployed } from "../../src/worker/workspace.ts";
import { forgetComparison } from "../../src/worker/engine.ts";
import { workSlice } from "../../src/worker/work.ts";
import { keyOf } from "../../src/stores/bucket.ts";

export { Accounts, default } from "./staged-worker.ts";

export class Workspace extends Deployed {
  /** Bytes by their paths; then the bucket is compared with the rows, as it is each hour. */
  async fill(workspace: string, files: Record<string, number[]>): Promise<void> {
    const how = { onlyIf: { etagDoesNotMatch: "*" }, customMetadata: {} } as const;
    for (const [path, bytes] of Object.entries(files))
      await this.env.NOTES.put(keyOf(workspace, path), Uint8Array.from(bytes), how);
    const { engine, calls } = this.open(workspace);
    forgetComparison(engine.settings);
    await workSlice(engine, calls);
  }
}
