/** The HTTP server of one workspace, inside its object: sessions, streams and bodies live where the notes are (decision 31). */

import manifest from "../../package.json" with { type: "json" };
import { LIMITS, type Limits } from "../http/limits.ts";
import type { HttpVault } from "../http/parts.ts";
import { openHttp, type Http } from "../http/router.ts";
import { isStream } from "../http/streams.ts";
import type { Identity } from "../identity/identity.ts";
import { imagesOf } from "../notebook/files/images.ts";
import type { OpenNotebook } from "../notebook/notebook.ts";
import { openActivities } from "../protocol/activity.ts";
import { failureLine } from "../protocol/failure.ts";
import type { ServerMaker } from "../protocol/mcp.ts";
import { openTroubles } from "../protocol/troubles.ts";
import type { PageIdentities } from "../web/calls/who.ts";
import { loadSurface, surfaceNames } from "./surfaces.ts";
import { workspacePage } from "./workspace-page.ts";

/** An isolate has 128 MB for all its workspaces. */
const WORKSPACE_LIMITS: Limits = { ...LIMITS, body: 20 * 1024 * 1024, bodies: 24 * 1024 * 1024 };
/** An open stream keeps the object awake, and that is paid for. */
const STREAM_MS = 5 * 60_000;

export type Serving = {
  /** `page`: it is the owner, at the page. */
  fetch(request: Request, identity: Identity, page: boolean): Promise<Response>;
  /** Ends the sessions and streams of identities that were removed. */
  forget(names: ReadonlySet<string>): void;
  close(): Promise<void>;
};

export type ServingParts = {
  base(): URL;
  log(line: string): void;
  now(): Date;
  serverOf: ServerMaker;
  identities: PageIdentities;
  /** How long a stream may be open. */
  streamMs?: number;
};

export const openServing = (
  workspace: string,
  notebook: OpenNotebook,
  { base, serverOf, identities, streamMs = STREAM_MS, ...report }: ServingParts,
): Serving => {
  const callers = new WeakMap<Request, Identity>();
  const atPage = new WeakSet<Request>();
  const listeners = new Set<(names: ReadonlySet<string>) => void>();
  const vaults: HttpVault[] = [
    {
      name: workspace,
      place: workspace,
      notebook: () => notebook,
      troubles: openTroubles(report.now),
      activity: openActivities(),
    },
  ];
  const trusted = (request: Request): boolean => atPage.has(request);
  const http: Http = openHttp({
    vaults,
    page: workspacePage(workspace, {
      vaults,
      identities,
      images: imagesOf(notebook),
      base,
      log: report.log,
      trusted,
    }),
    surfaces: surfaceNames,
    loadSurface,
    serverOf,
    identities: {
      of: async () => null,
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    trusted: (request) => callers.get(request) ?? null,
    readOnly: false,
    makesAdmins: `The owner makes such a member: POST /admin/workspaces/${workspace}/members.`,
    // The Worker in front has looked at Host and Origin.
    base,
    hosts: { has: () => true } as unknown as ReadonlySet<string>,
    origins: { has: () => true } as unknown as ReadonlySet<string>,
    limits: WORKSPACE_LIMITS,
    now: () => performance.now(),
    version: manifest.version,
    log: report.log,
  });
  return {
    async fetch(request, identity, page) {
      if (page) atPage.add(request);
      else callers.set(request, identity);
      const response = await http.fetch(request, { address: "" });
      return isStream(response) ? endingAfter(response, streamMs) : response;
    },
    forget: (names) => listeners.forEach((listener) => listener(names)),
    close: () => http.close(),
  };
};

/** A response whose stream ends after so long: a client opens another when it wants to go on. */
export const endingAfter = (response: Response, milliseconds: number): Response => {
  const reader = response.body?.getReader();
  if (!reader) return response;
  let timer: ReturnType<typeof setTimeout>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setTimeout(() => {
        controller.close();
        void reader.cancel().catch(() => undefined);
      }, milliseconds);
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        clearTimeout(timer);
        controller.close();
      } catch (error) {
        clearTimeout(timer);
        controller.error(error);
      }
    },
    async cancel(reason) {
      clearTimeout(timer);
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
};

export const reportTo =
  (log: (line: string) => void) =>
  (what: string, error: unknown): void =>
    log(failureLine(what, error));
