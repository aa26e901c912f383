/** A request to bring another copy of a vault together with this one: for whoever administers the whole of it, and nobody else (decision 34). */

import type { Identity } from "../identity/identity.ts";
import { toolCalls } from "../protocol/calls.ts";
import { openSession, READING } from "../protocol/session.ts";
import { openSlots } from "../protocol/slots.ts";
import { openWriteQueue } from "../protocol/write-queue.ts";
import { syncSurface } from "../sync/calls.ts";
import { notAllowed, refusal } from "./answers.ts";
import { serves, type Callers } from "./callers.ts";
import type { Noted } from "./mcp-requests.ts";
import { answerNamed } from "./named-calls.ts";
import type { From, HttpParts, ReadBody } from "./parts.ts";
import type { SyncRoute } from "./routes.ts";

/** Changes that wait for their turn; a further one is refused. */
const WAITING = 100;

export type SyncRequests = {
  answer(
    request: Request,
    route: SyncRoute,
    from: From,
    noted: Noted,
    body: () => Promise<ReadBody>,
  ): Promise<Response>;
};

export const openSyncRequests = (parts: HttpParts, callers: Callers): SyncRequests => {
  const slots = openSlots(READING, () => null);
  const queue = openWriteQueue(WAITING);
  return {
    async answer(request, route, from, noted, body) {
      Object.assign(noted, { surface: syncSurface.name, tool: route.call });
      const caller = await callers.of(request, route, from);
      if (caller instanceof Response) return caller;
      const { identity, vault } = caller;
      noted.identity = identity.name;
      if (!serves(identity, vault) || identity.rights !== "admin" || identity.folders !== "all")
        return refusal(403, `${ADMINS} ${parts.makesAdmins ?? BY_COMMAND}`, {}, "access_denied");
      if (request.method !== "POST") return notAllowed("POST");
      const taken = await body();
      if (taken instanceof Response) return taken;
      try {
        const principal: Identity = parts.readOnly
          ? { ...identity, rights: "read", serverReads: true }
          : identity;
        const notebook = vault.notebook(principal);
        const session = openSession(syncSurface, notebook, principal, { slots, queue, log: parts.log });
        const { activity } = vault;
        const calls = toolCalls(syncSurface, notebook, { session, principal, activity, log: parts.log });
        const { signal } = request;
        return await answerNamed(calls, { name: route.call, body: taken.value, client: PROGRAM, signal });
      } finally {
        taken.done();
      }
    },
  };
};

const PROGRAM = "notewright";
const ADMINS = "A whole vault is pushed and pulled with admin rights, not kept to folders or tools.";
const BY_COMMAND = "notewright token add NAME --rights admin makes such a token.";
