/** What the Worker in front hands to an object with each request: which workspace it is, and who calls, whom it has checked (decision 31). */

import { identityFrom, type Identity } from "../identity/identity.ts";

export type Handed = {
  workspace: string;
  identity: Identity;
  /** What clients call the server. */
  base: string;
  /** It is the owner, at the page. */
  page?: boolean;
};

/** Nobody outside reaches an object; the Worker sets this header anew in every request, whatever came with it. */
const HEADER = "notewright-handed";

export const withHanded = (request: Request, handed: Handed): Request => {
  const headers = new Headers(request.headers);
  // Names may be in any script, headers not.
  headers.set(
    HEADER,
    encodeURIComponent(JSON.stringify({ ...handed, identity: { ...handed.identity, secret: null } })),
  );
  headers.delete("authorization");
  return new Request(request, { headers });
};

/** Null where nothing was handed over: then nobody is let in. */
export const handedWith = (request: Request): Handed | null => {
  try {
    const { workspace, identity, base, page } = JSON.parse(
      decodeURIComponent(request.headers.get(HEADER) ?? ""),
    ) as Record<string, unknown>;
    const known = identityFrom(identity);
    return typeof workspace === "string" && typeof base === "string" && known
      ? { workspace, identity: known, base, page: page === true }
      : null;
  } catch {
    return null;
  }
};
