/** A server of one session, for tests that bring their own transport. Its principal may do everything, unless a test says otherwise. */

import type { Server } from "@modelcontextprotocol/server";
import { connectedServer } from "../src/protocol/mcp.ts";
import type { Principal } from "../src/protocol/principal.ts";
import { openSession } from "../src/protocol/session.ts";
import { openTroubles, type Troubles } from "../src/protocol/troubles.ts";
import type { Served } from "../src/protocol/subscriptions.ts";
import type { Surface } from "../src/surfaces/surface.ts";

export const ANYBODY: Principal = { name: null, rights: "admin", folders: "all", surfaces: "all" };

type Options = { log(line: string): void; principal?: Principal; id?: string; troubles?: Troubles };

export const noTroubles = (): Troubles => openTroubles(() => new Date(0));

/** The function makes a server of the same session each time it is called, as the library may. */
export const serversOf = (
  surface: Surface,
  notebook: Served,
  { log, principal = ANYBODY, id, troubles = noTroubles() }: Options,
): (() => Server) => {
  const session = openSession(surface, notebook, principal, { log, ...(id === undefined ? {} : { id }) });
  return () => connectedServer(surface, notebook, { version: "0", log, principal, session, troubles });
};
