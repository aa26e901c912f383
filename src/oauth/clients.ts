/** Clients: those that register, within limits, and those whose id is the address of a document. */

import { clientOf, isDocumentAddress, type FetchDocument } from "./client-document.ts";
import { CLIENT, GRANT, type Store } from "./store.ts";

export type Clients = {
  /** Whether the id is the address of a metadata document. */
  isDocument(id: string): boolean;
  /** Fetches the document of a client and keeps its record where the library looks for it; the reason where it is refused. */
  fetch(id: string): Promise<string | null>;
  /** Why a client may not register now; null where it may. Makes room for it. */
  refuse(metadata: Record<string, unknown>): { code: string; description: string; status: number } | null;
};

const HOUR = 3_600_000;
const AN_HOUR = 20;
const IN_ALL = 1000;
/** Seconds: 90 days. */
export const CLIENT_LIFE = 90 * 24 * 3600;

export const openClients = (store: Store, fetchDocument: FetchDocument, now: () => number): Clients => {
  /** The oldest clients without a grant go, until there is room for one more. */
  const makeRoom = (): boolean => {
    const clients = store.values(CLIENT);
    let over = clients.length - IN_ALL + 1;
    if (over <= 0) return true;
    const used = new Set(
      store.values(GRANT).map(({ value }) => (JSON.parse(value) as { clientId: string }).clientId),
    );
    for (const { key } of clients) {
      if (over <= 0 || used.has(key.slice(CLIENT.length))) continue;
      store.take(key);
      over--;
    }
    return over <= 0;
  };

  return {
    isDocument: isDocumentAddress,
    async fetch(id) {
      const fetched = await fetchDocument(id);
      if ("refused" in fetched) return fetched.refused;
      const seconds = Math.floor(now() / 1000);
      const client = clientOf(id, fetched.text, { now: seconds, life: CLIENT_LIFE });
      if ("refused" in client) return client.refused;
      if (!makeRoom()) return "there are too many clients already";
      await store.put(CLIENT + id, JSON.stringify(client), { expirationTtl: CLIENT_LIFE });
      return null;
    },
    refuse(metadata) {
      if ("jwks_uri" in metadata)
        return {
          code: "invalid_client_metadata",
          description: "jwks_uri is not taken: this server fetches no keys",
          status: 400,
        };
      // Documents are fetched for the owner alone, and not counted here.
      const recent = store.madeSince(CLIENT, now() - HOUR) - store.madeSince(`${CLIENT}https:`, now() - HOUR);
      if (recent >= AN_HOUR || !makeRoom())
        return {
          code: "temporarily_unavailable",
          description: `No more than ${AN_HOUR} clients an hour can register; try again later`,
          status: 429,
        };
      return null;
    },
  };
};
