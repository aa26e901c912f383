/** Signing in, as `serve --oauth` puts it together: the file it keeps, the owner, and what tokens can be for. */

import { homedir } from "node:os";
import { basename } from "node:path";
import { namesOf, vaultAddresses } from "../http/routes.ts";
import type { Identity, IdentityList } from "../identity/identity.ts";
import { NoteError } from "../markdown/errors.ts";
import { folderPath } from "../notebook/paths.ts";
import { authFile, openAuthFile } from "../oauth/auth-file.ts";
import { documentFetcher } from "../oauth/fetch-document.ts";
import { hasPassphrase } from "../oauth/owner.ts";
import { hashPassphrase, matchesPassphrase } from "../oauth/passphrase.ts";
import { openOAuth, type OAuth } from "../oauth/server.ts";
import { surfaceNames } from "../surfaces/all.ts";
import { log } from "./served-vault.ts";
import type { Environment } from "./settings.ts";

type ServedVault = { name: string; place: string };
/** The folders that the owner names, one on a line; null where one of them cannot be one. */
const foldersOf = (text: string): Identity["folders"] | null => {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  try {
    const folders = lines.map(folderPath);
    return folders.includes("") ? "all" : folders;
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
};

/** Signing in, where it is asked for. Its library is loaded with the first request. */
export const openSigningIn = async (
  environment: Environment,
  identities: IdentityList,
  vaults: readonly ServedVault[],
  base: () => URL,
): Promise<OAuth> => {
  const store = await openAuthFile(authFile(environment, homedir()));
  if (!(await hasPassphrase(store))) log("Nobody can sign in yet: set a passphrase with notewright owner.");
  const titleOf = ({ name, place }: ServedVault): string => (name === "" ? basename(place) : name);
  return openOAuth({
    store,
    identities,
    passphrases: { hash: hashPassphrase, matches: matchesPassphrase },
    fetchDocument: documentFetcher(),
    base,
    resources: () =>
      vaults.flatMap((vault) =>
        namesOf(base())
          .flatMap((named) => vaultAddresses(named, vault.name, surfaceNames))
          .map((address) => ({ address, place: vault.place, title: titleOf(vault) })),
      ),
    foldersOf,
    now: Date.now,
  });
};
