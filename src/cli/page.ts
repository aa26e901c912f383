/** The page, as `serve --http` and `open` put it together from the vaults they serve. */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { HttpVault, PageRequests } from "../http/parts.ts";
import type { IdentityList } from "../identity/identity.ts";
import type { LastUse } from "../identity/last-use.ts";
import { newToken } from "../identity/token.ts";
import { imagesOf } from "../notebook/files/images.ts";
import type { SignIn } from "../oauth/owner.ts";
import { pageCalls } from "../web/api.ts";
import { openPageTokens } from "../web/page-tokens.ts";
import { openWeb } from "../web/web.ts";
import { programHere } from "./install/here.ts";
import { startOf } from "./install/program.ts";
import { pageFiles } from "./page-files.ts";
import { announce, keyed } from "./running.ts";
import { log, type ServedVault } from "./served-vault.ts";
import type { Environment, Settings } from "./settings.ts";

type Opened = { name: string; place: string; open: ServedVault };
export type PageOptions = {
  vaults: readonly HttpVault[];
  opened: readonly Opened[];
  values: Settings["values"];
  environment: Environment;
  identities: IdentityList;
  lastUses(): LastUse;
  base(): URL;
  signIn: ((request: Request, secret: string) => Promise<SignIn>) | null;
};
export type Page = {
  requests: PageRequests;
  /** The address of the first vault's page, with a key. */
  keyed(base: URL): Promise<string>;
  /** Lets `notewright open` find the server; gives what ends that. */
  announce(base: URL): () => void;
};

export const openPage = (options: PageOptions): Page => {
  const { vaults, opened, values, environment } = options;
  const tokens = openPageTokens(Date.now);
  const opener = newToken();
  const openOf = ({ name }: HttpVault): Opened => opened.find((each) => each.name === name)!;
  const requests = openWeb({
    vaults,
    files: pageFiles(),
    tokens,
    author: values["author"] ?? values["outside-author"] ?? "someone",
    readOnly: values["read-only"] !== undefined,
    opener,
    base: options.base,
    signIn: options.signIn,
    tools: (vault, kept) => {
      const { place } = openOf(vault);
      return pageCalls({
        title: basename(place),
        place,
        connect: () => startOf(programHere(), ["serve", place]),
        id: createHash("sha256").update(place).digest("hex").slice(0, 12),
        version: manifest.version,
        identities: {
          list: options.identities.list,
          remove: (name) => removed(options.identities, name),
        },
        lastUses: options.lastUses,
        activity: vault.activity,
        ...kept,
      });
    },
    image: (vault, name, from) => imagesOf(openOf(vault).open.notebook)(name, from),
    now: () => performance.now(),
    log,
  });
  const addressOf = (base: URL, name: string): string =>
    `${base.href.replace(/\/$/, "")}/${name === "" ? "" : `${name}/`}`;
  return {
    requests,
    async keyed(base) {
      const { name } = opened[0]!;
      return keyed(addressOf(base, name), await tokens.newKey(name));
    },
    announce(base) {
      const ends = opened.map(({ name, place }) =>
        announce(environment, place, { address: addressOf(base, name), opener }),
      );
      return () => ends.forEach((end) => end());
    },
  };
};

const removed = async (identities: IdentityList, name: string): Promise<boolean> => {
  let found = false;
  await identities.change((known) => {
    found = known.some((identity) => identity.name === name);
    return known.filter((identity) => identity.name !== name);
  });
  return found;
};
