/** The endpoints that are open, and what all of them share: sessions, slots and news. */

import type { Identity } from "../identity/identity.ts";
import { READING } from "../protocol/session.ts";
import { openSlots } from "../protocol/slots.ts";
import { openEndpoint, type Endpoint, type KeptSession } from "./endpoint.ts";
import { openNewsRoom } from "./news.ts";
import type { HttpParts, HttpVault } from "./parts.ts";
import { openSessions } from "./sessions.ts";

export type Endpoints = {
  /** Null where there is no such surface. */
  of(identity: Identity, vault: HttpVault, surface: string): Promise<Endpoint | null>;
  close(): Promise<void>;
};

/** One for each identity, vault and surface that has called, until the identity is removed or changed. */
export const openEndpoints = (parts: HttpParts): Endpoints => {
  const { limits, now, identities, log, version, serverOf } = parts;
  const open = new Map<string, { identity: string; endpoint: Promise<Endpoint | null> }>();
  const slots = openSlots(READING, () => null);
  const news = openNewsRoom();
  const sessions = openSessions<KeptSession>(
    limits,
    ({ transport }) => void transport?.close().catch(() => undefined),
    now,
  );
  const make = async (identity: Identity, vault: HttpVault, name: string) => {
    const surface = await parts.loadSurface(name);
    if (!surface) return null;
    const principal: Identity = parts.readOnly
      ? { ...identity, rights: "read", serverReads: true }
      : identity;
    const notebook = vault.notebook(principal);
    return openEndpoint({
      surface,
      serverOf,
      notebook,
      troubles: vault.troubles,
      activity: vault.activity,
      principal,
      owner: { identity: identity.name, rights: identity.rights, vault: vault.name, surface: name },
      sessions,
      news,
      slots,
      limits,
      version,
      log,
    });
  };
  const end = async (which: (identity: string) => boolean): Promise<void> => {
    const ending = [...open].filter(([, { identity }]) => which(identity));
    for (const [key] of ending) open.delete(key);
    await Promise.all(ending.map(async ([, { endpoint }]) => (await endpoint)?.close()));
  };
  const stopHearing = identities.onChange((names) => void end((identity) => names.has(identity)));
  const sweep = setInterval(() => sessions.sweep(), limits.sessionIdle / 30);

  return {
    of(identity: Identity, vault: HttpVault, surface: string): Promise<Endpoint | null> {
      // Tokens of one identity may differ in scope.
      const key = JSON.stringify([identity.name, identity.rights, vault.name, surface]);
      const known = open.get(key);
      if (known) return known.endpoint;
      const endpoint = make(identity, vault, surface);
      open.set(key, { identity: identity.name, endpoint });
      // One that could not be opened is tried again by the next request.
      endpoint.catch(() => open.delete(key));
      return endpoint;
    },
    async close(): Promise<void> {
      stopHearing();
      clearInterval(sweep);
      await end(() => true);
      sessions.removeAll();
    },
  };
};
