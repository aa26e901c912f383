/** What stands in tests for `cloudflare:workers`, which only Cloudflare's runtime has. */

export const WorkerEntrypoint = Object;
