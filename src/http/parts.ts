/** What the HTTP server is made of, and what it knows of a request beside the request itself. */

import type { Identities, Identity } from "../identity/identity.ts";
import type { Activities } from "../protocol/activity.ts";
import type { ServerMaker } from "../protocol/mcp.ts";
import type { Served } from "../protocol/subscriptions.ts";
import type { Troubles } from "../protocol/troubles.ts";
import type { Surface } from "../surfaces/surface.ts";
import type { GuardOptions } from "./guard.ts";
import type { Limits } from "./limits.ts";
import type { PageRoute } from "./routes.ts";

export type HttpVault = {
  /** The name in its routes; "" where it is served alone. */
  name: string;
  /** What an identity is checked against: the vault's real path. */
  place: string;
  /** The notebook as the identity may see it. */
  notebook(identity: Identity): Served;
  /** What clients that want log lines are sent about it. */
  troubles: Troubles;
  /** Is told of each call on it. */
  activity?: Activities;
};

export type HttpParts = GuardOptions & {
  vaults: readonly HttpVault[];
  surfaces: readonly string[];
  loadSurface(name: string): Promise<Surface | null>;
  serverOf: ServerMaker;
  identities: Identities;
  /** Whose a request is, where somebody in front has checked that already; null for none of those. */
  trusted?: (request: Request) => Identity | null;
  /** Nobody may write, whatever their rights. */
  readOnly: boolean;
  /** What clients call this server; known once it listens. */
  base(): URL;
  /** How somebody comes to a token with admin rights, where that is no command here. */
  makesAdmins?: string;
  /** Answers what belongs to signing in, where that is on. The path is the route's, whatever the public address has before it; the body has been read. */
  oauth?: (request: Request, path: string) => Promise<Response>;
  /** Answers what belongs to the page for people, where it is served. */
  page?: PageRequests;
  limits: Limits;
  now(): number;
  version: string;
  log(line: string): void;
  /** Takes what was asked and how it ended, where requests are logged. */
  onRequest?: (line: RequestLine) => void;
};

export type PageRequests = {
  /** The document, which is the same for every vault. */
  document(): Response;
  /** `body` reads the JSON of the request, once whoever asks is known. */
  answer(request: Request, route: PageRoute, from: From, body: () => Promise<ReadBody>): Promise<Response>;
  close(): void;
};
export type ReadBody = { value: unknown; done(): void } | Response;

/** Hands the pieces of a body on as they come, until `take` wants no more. Rejects where the body breaks off. */
export type Pieces = (take: (piece: Uint8Array) => boolean) => Promise<void>;
/** Where a request came from, as far as its runtime knows; its body, where the runtime has it cheaper than as a stream of the request. */
export type From = { address: string; body?: Pieces };
export type RequestLine = {
  identity: string | null;
  surface: string | null;
  tool: string | null;
  milliseconds: number;
  status: number;
};
