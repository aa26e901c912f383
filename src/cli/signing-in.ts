/** Signing in, as `serve --oauth` puts it together: the file it keeps, the owner, and what tokens can be for. */

import { homedir } from "node:os";
import { basename } from "node:path";
import { namesOf, vaultAddresses } from "../http/routes.ts";
import { foldersOnLines } from "../identity/folders.ts";
import type { IdentityList } from "../identity/identity.ts";
import { authFile, openAuthFile } from "../oauth/auth-file.ts";
import { documentFetcher } from "../oauth/fetch-document.ts";
import { hasPassphrase, ON_NODE, openOwner } from "../oauth/owner.ts";
import { hashPassphrase, matchesPassphrase } from "../oauth/passphrase.ts";
import { listed } from "../oauth/resources.ts";
import { openOAuth, type OAuth } from "../oauth/server.ts";
import { surfaceNames } from "../surfaces/all.ts";
import { log } from "./served-vault.ts";
import type { Environment } from "./settings.ts";

type ServedVault = { name: string; place: string };
const HOUR = 3_600_000;

/** Signing in, where it is asked for. Its library is loaded with the first request. */
export const openSigningIn = async (
  environment: Environment,
  identities: IdentityList,
  vaults: readonly ServedVault[],
  base: () => URL,
): Promise<OAuth & { close(): void }> => {
  const store = await openAuthFile(authFile(environment, homedir()));
  if (!(await hasPassphrase(store))) log("Nobody can sign in yet: set a passphrase with notewright owner.");
  const titleOf = ({ name, place }: ServedVault): string => (name === "" ? basename(place) : name);
  const owner = openOwner(store, { hash: hashPassphrase, matches: matchesPassphrase }, Date.now);
  const oauth = openOAuth({
    store,
    identities,
    owner,
    words: ON_NODE,
    fetchDocument: documentFetcher(),
    resources: (at) =>
      listed(
        vaults.flatMap((vault) =>
          namesOf(at)
            .flatMap((named) => vaultAddresses(named, vault.name, surfaceNames))
            .map((address) => ({ address, place: vault.place, title: titleOf(vault) })),
        ),
      ),
    foldersOf: foldersOnLines,
    now: Date.now,
  });
  const sweep = (): void => void oauth.sweep().catch(() => undefined);
  sweep();
  const sweeping = setInterval(sweep, HOUR);
  // What clients call this server is known once it listens.
  return {
    fetch: (request, path) => oauth.at(base()).fetch(request, path),
    of: (token) => oauth.at(base()).of(token),
    signIn: (request, secret) => oauth.at(base()).signIn(request, secret),
    close() {
      clearInterval(sweeping);
      store.close();
    },
  };
};
