/** A Worker for tests whose workspaces are watched. */

export { default } from "./edge-worker.ts";
export { WatchedWorkspace as Workspace } from "./watched.ts";
