/** A principal: who calls. Stdio makes one for the process, from its flags; a server of several users has one for each. */

import type { Entry } from "./entries.ts";

export type Principal = {
  /** The author that the history names; null where that is the client, by its own name. */
  name: string | null;
  /** `read` leaves out every tool that writes. */
  rights: "read" | "write";
  /** Which folders it may see. Nothing keeps a principal to some of them yet, so the type has no other value. */
  folders: "all";
};

/** Whether the principal may call the tool. */
export const mayCall = ({ rights }: Principal, { tool }: Entry): boolean =>
  rights === "write" || tool.annotations.readOnlyHint || tool.readsToo === true;
