/** An identity: who may call over HTTP, with which rights, where. A token belongs to one; so does each consent of the owner. */

import type { Principal } from "../protocol/principal.ts";

export type Identity = Principal & {
  /** The author that the history names. It is also how a person removes it. */
  name: string;
  /** The real path of the one vault it is for; null for every vault that this user serves. */
  vault: string | null;
  /** The SHA-256 of its token, in hex; null where it signs in by OAuth. */
  secret: string | null;
  /** When it was made, in ISO 8601. */
  made: string;
  /** The consent of the owner that it stands for, where it signs in by OAuth. */
  consent?: string;
};

/** The identities as they are kept. */
export type IdentityList = {
  /** A name is one identity of each vault; else it is one identity, whatever its vault. */
  namedByVault?: true;
  list(): readonly Identity[];
  /** Replaces them by what `edit` makes of them. Nobody else changes them meanwhile. */
  change(edit: (known: readonly Identity[]) => Identity[]): Promise<void>;
};

/** What finds identities by what a request brings. */
export type Identities = {
  /** The identity of a token; null where there is none, or it is there no more. */
  of(token: string): Promise<Identity | null>;
  /** Is called with the names of identities that were removed or changed. */
  onChange(listener: (names: ReadonlySet<string>) => void): () => void;
};

export const RIGHTS = ["read", "propose", "write", "admin"] as const;
/** A name goes into commits and onto one line of a terminal. */
export const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,62}$/u;

/** An entry of the file as an identity; null where it is none, so that a damaged entry lets nobody in. */
export const identityFrom = (entry: unknown): Identity | null => {
  if (typeof entry !== "object" || entry === null) return null;
  const { name, vault, secret, made, rights, folders, surfaces, consent } = entry as Record<string, unknown>;
  const texts = (value: unknown): value is string[] =>
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
  if (typeof name !== "string" || !NAME.test(name)) return null;
  if (vault !== null && typeof vault !== "string") return null;
  if (secret !== null && !(typeof secret === "string" && /^[0-9a-f]{64}$/.test(secret))) return null;
  if (!RIGHTS.some((right) => right === rights)) return null;
  if (folders !== "all" && !texts(folders)) return null;
  if (surfaces !== "all" && !texts(surfaces)) return null;
  return {
    name,
    vault,
    secret,
    rights: rights as Identity["rights"],
    folders,
    surfaces,
    made: typeof made === "string" ? made : "",
    ...(typeof consent === "string" ? { consent } : {}),
  };
};
