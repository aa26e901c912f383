/** What stands in tests for `cloudflare:workers`, which only Cloudflare's runtime has. */

export const WorkerEntrypoint = Object;
export class DurableObject {
  protected ctx: unknown;
  protected env: unknown;
  constructor(ctx: unknown, env: unknown) {
    this.ctx = ctx;
    this.env = env;
  }
}
