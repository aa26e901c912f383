/** What we take of Cloudflare's runtime, as types: the rest of it is not used. */

declare module "cloudflare:workers" {
  /** The base of an object whose methods can be called from outside. */
  export class DurableObject<Env = unknown> {
    protected ctx: import("./runtime.ts").ObjectState;
    protected env: Env;
    constructor(ctx: import("./runtime.ts").ObjectState, env: Env);
  }
}
