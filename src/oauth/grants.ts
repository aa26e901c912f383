/** Grants as identities: each consent of the owner is one, under a name, until it is revoked by either side. */

import type { Identity, IdentityList } from "../identity/identity.ts";
import { GRANT, type Store } from "./store.ts";

/** What goes with a grant into each of its tokens, and into its record. */
export type GrantProps = { consent: string };

export type Grants = {
  /** The identity of a consent; null once it was removed. */
  identityOf(consent: string): Identity | null;
  /** Adds an identity of a client. One of the same name is replaced where it is this client's too, for the same notes; else the answer is false. */
  add(identity: Identity, client: string): Promise<boolean>;
  /** The identities that a client has already for these notes, the newest last. */
  identitiesOf(client: string, place: string): Identity[];
  /** The name, or one that begins with it and is free, for these notes. */
  freeName(name: string, place: string): string;
  remove(consent: string): Promise<void>;
  /** Removes what has expired, and the identities of it. */
  sweep(): Promise<void>;
};

type GrantRecord = { clientId: string; metadata?: { consent?: unknown } };

/** Milliseconds in which an identity may wait for its grant, which is written after it. */
const GRACE = 60_000;

const consentOf = ({ metadata }: GrantRecord): string | null =>
  typeof metadata?.consent === "string" ? metadata.consent : null;

export const openGrants = (store: Store, identities: IdentityList, now: () => number): Grants => {
  const records = (): GrantRecord[] =>
    store.values(GRANT).map(({ value }) => JSON.parse(value) as GrantRecord);
  /** Whether two identities for these notes cannot have one name. */
  const isBeside = ({ vault }: Identity, place: string | null): boolean =>
    !identities.namedByVault || vault === place;
  const removeIdentities = (gone: (identity: Identity) => boolean): Promise<void> =>
    identities.list().some(gone)
      ? identities.change((known) => known.filter((identity) => !gone(identity)))
      : Promise.resolve();
  const consentsOf = (client: string): ReadonlySet<string> =>
    new Set(records().flatMap((grant) => (grant.clientId === client ? (consentOf(grant) ?? []) : [])));
  let removing: Promise<void> = Promise.resolve();
  // A grant that its client gives back, or whose code comes twice, takes its identity with it.
  store.onGrantRemoved((value) => {
    const consent = consentOf(JSON.parse(value) as GrantRecord);
    if (consent === null) return;
    removing = removing
      .then(() => removeIdentities((identity) => identity.consent === consent))
      .catch(() => undefined);
  });

  return {
    identityOf: (consent) => identities.list().find((identity) => identity.consent === consent) ?? null,
    async add(identity, client) {
      const own = consentsOf(client);
      let taken = false;
      await identities.change((known) => {
        const earlier = known.filter((each) => each.name === identity.name && isBeside(each, identity.vault));
        taken = earlier.some(({ vault, consent = "" }) => vault !== identity.vault || !own.has(consent));
        return taken ? [...known] : [...known.filter((each) => !earlier.includes(each)), identity];
      });
      return !taken;
    },
    identitiesOf(client, place) {
      const own = consentsOf(client);
      return identities
        .list()
        .filter(({ consent, vault }) => consent !== undefined && own.has(consent) && vault === place);
    },
    freeName(name, place) {
      const beside = identities.list().filter((identity) => isBeside(identity, place));
      const names = new Set(beside.map((identity) => identity.name));
      for (let at = 2, free = name; ; at++) {
        if (!names.has(free)) return free;
        free = `${name} ${at}`;
      }
    },
    remove: (consent) => removeIdentities((identity) => identity.consent === consent),
    async sweep() {
      store.sweep();
      const live = new Set(records().map(consentOf));
      await removeIdentities(
        ({ consent, made }) =>
          consent !== undefined && !live.has(consent) && now() - Date.parse(made) > GRACE,
      );
    },
  };
};
