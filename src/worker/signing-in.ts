/** Signing in at the edge: the authorization server over rows of the accounts, for every workspace (decisions 21 and 31). */

import { foldersOnLines } from "../identity/folders.ts";
import { newCode, spendCode, type Owner, type Words } from "../oauth/owner.ts";
import { openOAuth, type OAuthServer } from "../oauth/server.ts";
import { openStore } from "../oauth/store.ts";
import type { Sql } from "../sqlite/sql.ts";
import { fetchDocument } from "./fetch-document.ts";
import type { Members } from "./members.ts";
import { workspaceAt } from "./place.ts";

export type SigningInParts = {
  sql: Sql;
  members: Members;
  isOwner(secret: string): Promise<boolean>;
};

const AT_THE_EDGE: Words = {
  secret: "Secret of the owner",
  none: "There is no secret of the owner yet. Set it: wrangler secret put OWNER_SECRET",
  code: "POST /admin/codes",
  end: "DELETE /admin/workspaces/ID/members",
};

export const openSigningIn = ({
  sql,
  members,
  isOwner,
}: SigningInParts): OAuthServer & {
  newCode(): Promise<string>;
  isOwner(secret: string): Promise<boolean>;
} => {
  const store = openStore(sql, Date.now);
  // The owner's secret is too long to be guessed, so nobody has to wait after a wrong one.
  const isSignedIn = async (secret: string): Promise<boolean> =>
    (await spendCode(store, secret)) || (await isOwner(secret));
  const owner: Owner = {
    signIn: async (secret) =>
      (await isSignedIn(secret)) ? { signedIn: true } : { signedIn: false, why: "wrong", wait: 0 },
  };
  const oauth = openOAuth({
    store,
    identities: members,
    owner,
    words: AT_THE_EDGE,
    fetchDocument,
    resources: (base) => ({
      addresses(named) {
        const ours = [...new Set(named)].filter((address) => workspaceAt(base, address) !== null);
        // The library wants one; nothing is served there.
        return { resources: ours.length > 0 ? ours : [base.href] };
      },
      at(address = "") {
        const id = workspaceAt(base, address);
        return id !== null && members.hasWorkspace(id) ? { address, place: id, title: id } : null;
      },
    }),
    foldersOf: foldersOnLines,
    now: Date.now,
  });
  return { ...oauth, newCode: () => newCode(store), isOwner: isSignedIn };
};
