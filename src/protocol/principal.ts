/** A principal: who calls. Stdio makes one for the process, from its flags; over HTTP each identity is one. */

import type { Entry } from "./entries.ts";

export type Principal = {
  /** The author that the history names; null where that is the client, by its own name. */
  name: string | null;
  /** `read` leaves out every tool that writes, `write` those that change rules; `propose` is as `write`, and what it writes waits for the owner. */
  rights: "read" | "propose" | "write" | "admin";
  /** The server lets nobody write, whatever their rights. */
  serverReads?: boolean;
  /** Which folders it may see; "all" for the whole vault. */
  folders: "all" | readonly string[];
  /** Which surfaces it may call. */
  surfaces: "all" | readonly string[];
};

/** Why the principal may not call a tool. */
export const whyNot = ({ rights, serverReads }: Principal): string =>
  serverReads
    ? "writes, and this server was started to read only"
    : rights === "read"
      ? "writes, and your token may only read"
      : "changes rules, which takes admin rights";

/** Whether the principal may call the tool. A tool that only sometimes writes may be called; the engine refuses the call that does. */
export const mayCall = ({ rights }: Principal, { tool }: Pick<Entry, "tool">): boolean => {
  if (tool.annotations.readOnlyHint || tool.readsToo) return true;
  return rights === "admin" || (rights !== "read" && !tool.changesRules);
};
