/** The Worker as it is deployed, with workspaces whose clock and chance a test sets, and callers under the names that the owner gave them. */

import type { SettledLine } from "../../src/notebook/proposals/proposal.ts";
import { mcpServer } from "../../src/protocol/mcp.ts";
import { durableSql } from "../../src/sqlite/durable.ts";
import { Workspace as Staged } from "./staged-worker.ts";

export { Accounts, default } from "./staged-worker.ts";

export class Workspace extends Staged {
  protected override how() {
    return { ...super.how(), serverOf: mcpServer };
  }

  /** The history's line, newest first. */
  async line(name: string): Promise<string[]> {
    const { notebook } = this.open(name).engine;
    return (await notebook.log({ limit: 1000 })).map(({ id }) => id);
  }

  /** How much the history holds, beside its line too, and where the line ends. */
  async objects(): Promise<unknown> {
    const sql = durableSql(this.ctx.storage);
    return sql.all("SELECT (SELECT count(*) FROM git_objects) AS objects, id FROM git_ref");
  }

  async latest(name: string): Promise<unknown> {
    const [latest] = await this.open(name).engine.notebook.log({ limit: 1 });
    return latest;
  }

  /** The revisions of a note, newest first. */
  async past(name: string, path: string): Promise<string[]> {
    const { notebook } = this.open(name).engine;
    return (await notebook.log({ path: path as never, limit: 10 })).map(({ id }) => id);
  }

  async settled(name: string): Promise<SettledLine[]> {
    return this.open(name).engine.notebook.proposals.settled();
  }
}
