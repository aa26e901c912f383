/** The page's calls and events inside a workspace: whoever calls has been checked in front; its document and files are served there, too. */

import manifest from "../../package.json" with { type: "json" };
import type { PageRequests } from "../http/parts.ts";
import { pageCalls } from "../web/api.ts";
import { openPageTokens } from "../web/page-tokens.ts";
import { openWeb, type WebParts } from "../web/web.ts";
import type { PageIdentities } from "../web/calls/who.ts";
import type { Images } from "../notebook/files/shown-image.ts";

type Parts = Pick<WebParts, "vaults" | "base" | "log"> & {
  identities: PageIdentities;
  images: Images;
  trusted(request: Request): boolean;
};

export const workspacePage = (
  workspace: string,
  { vaults, identities, images, base, log, trusted }: Parts,
): PageRequests =>
  openWeb({
    vaults,
    base,
    log,
    trusted,
    author: "owner",
    readOnly: false,
    files: { read: () => null },
    // The accounts have the tokens; none is good here.
    tokens: openPageTokens(Date.now),
    opener: "",
    signIn: null,
    tools: ({ activity }, kept) =>
      pageCalls({
        title: workspace,
        place: workspace,
        connect: () => ({ url: new URL(`/${workspace}/mcp`, base()).href }),
        id: workspace,
        version: manifest.version,
        identities,
        lastUses: () => null,
        activity,
        ...kept,
      }),
    image: (_, name, from) => images(name, from),
    now: () => performance.now(),
  });
