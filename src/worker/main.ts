/** The Worker as it is deployed: the front, and the classes of its Durable Objects (decision 31). */

/*
 * Its settings bind:
 *
 * - `NOTES`: a bucket of R2, for the notes of all workspaces.
 * - `ASSETS`: the built page (`assets`, directory `dist/web`, `run_worker_first`), where there should be one.
 * - `WORKSPACE` and `ACCOUNTS`: the Durable Objects of the classes `Workspace` and `Accounts`, both with SQLite
 *   (`new_sqlite_classes`).
 * - `OWNER_SECRET`: a secret of at least 32 characters, with which the owner makes workspaces and members, and signs in
 *   where an app asks for access.
 * - `PUBLIC_URL`, where there should be one address alone, such as `https://notes.example.org`. Without it the Worker
 *   answers to every name that Cloudflare routes to it; on a computer of one's own it should be set.
 * - `ALLOW_ORIGIN`, where pages of other origins may call: these origins, with blanks between them.
 *
 * It needs a compatibility date of 2026-04-01 or later and the flags `nodejs_compat` and `global_fetch_strictly_public`.
 */

import { front } from "./front.ts";

export { Accounts } from "./accounts.ts";
export { Workspace } from "./workspace.ts";

export default { fetch: front };
