/** Callers: whose a request to a vault is, by its token or as whoever stands in front has checked, and whether that token is for this vault. */

import type { Identity } from "../identity/identity.ts";
import { refusal } from "./answers.ts";
import { openTokenGuard } from "./guard.ts";
import { challengeOf } from "./metadata.ts";
import type { From, HttpParts, HttpVault } from "./parts.ts";

export type Caller = {
  identity: Identity;
  vault: HttpVault;
  /** What a refusal says of how to get a token that would do. */
  challenge(): string;
};
export type Callers = {
  /** Who calls the vault at that path, or the answer that refuses them. */
  of(request: Request, route: { vault: string; path: string }, from: From): Promise<Caller | Response>;
};

export const openCallers = (parts: HttpParts): Callers => {
  const { vaults, base } = parts;
  const tokens = openTokenGuard(parts.identities, parts.now);
  return {
    async of(request, { vault: name, path }, from) {
      const challenge = (): string => challengeOf(request, base(), path);
      const identity =
        parts.trusted?.(request) ?? (await tokens.check(request, { address: from.address, challenge }));
      if (identity instanceof Response) return identity;
      const vault = vaults.find((each) => each.name === name)!;
      // A token of OAuth has an audience: for any other vault it is none.
      if (identity.consent !== undefined && identity.vault !== vault.place)
        return refusal(
          401,
          "The token is for another vault.",
          { "www-authenticate": `Bearer error="invalid_token", ${challenge()}` },
          "invalid_token",
        );
      return { identity, vault, challenge };
    },
  };
};

/** Whether the identity may call that surface of that vault; every surface, where none is named. */
export const serves = ({ vault, surfaces }: Identity, { place }: HttpVault, surface?: string): boolean =>
  (vault === null || vault === place) &&
  (surfaces === "all" || (surface !== undefined && surfaces.includes(surface)));
