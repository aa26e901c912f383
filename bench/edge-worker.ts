/** The Worker that edge.bench.ts measures: workspaces that are watched, and that can fill their own part of the bucket with a made vault. */

import { WatchedWorkspace } from "../test/workerd/watched.ts";
import { notePathOf, noteText } from "./vault.ts";

export { default } from "../test/workerd/edge-worker.ts";

export class Workspace extends WatchedWorkspace {
  /** Puts the notes from one number to before another into the bucket, as another program would; gives their bytes. */
  async seed(workspace: string, from: number, to: number, size: number): Promise<number> {
    let bytes = 0;
    for (let number = from; number < to; number++) {
      const text = new TextEncoder().encode(noteText(number, size));
      bytes += text.length;
      await this.unwatched.bucket.put(`${workspace}/notes/${notePathOf(number)}`, text, {
        onlyIf: { etagDoesNotMatch: "*" },
        customMetadata: {},
      });
    }
    return bytes;
  }
}
