/** The Worker as it is deployed, whose workspaces answer with the tools, prompts and resources that the official suite calls by name. */

import { Workspace as Deployed } from "../../src/worker/workspace.ts";
import { fixtureServers } from "../http/conformance/fixtures/server.ts";

export { Accounts } from "../../src/worker/accounts.ts";
export { default } from "../../src/worker/main.ts";

export class Workspace extends Deployed {
  #servers = fixtureServers();

  protected override how() {
    return { ...super.how(), serverOf: this.#servers };
  }
}
