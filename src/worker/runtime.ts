/** What we ask of Cloudflare's runtime, as types: an object's state, and what the settings of the Worker bind. */

import type { Identity } from "../identity/identity.ts";
import type { DurableStorage } from "../sqlite/durable.ts";
import type { Bucket } from "../stores/bucket.ts";

export type ObjectStorage = DurableStorage & {
  setAlarm(time: number): Promise<void>;
  getAlarm(): Promise<number | null>;
};
export type ObjectState = { storage: ObjectStorage; waitUntil(work: Promise<unknown>): void };

/** What is called of a workspace from outside. */
export type WorkspaceCalls = {
  fetch(request: Request): Promise<Response>;
  rebuildIndex(): Promise<void>;
  setTimeZone(timeZone: string): Promise<void>;
  forget(members: readonly Member[]): Promise<void>;
};
/** One life of a member: whoever is added again under the same name is another. */
export type Member = Pick<Identity, "name" | "made">;

/** What is called of the accounts from outside. */
export type AccountsCalls = {
  fetch(request: Request): Promise<Response>;
  who(asked: Asked): Promise<Identity | Response>;
  /** Who is at a page: the owner, in the workspace of the page's token. */
  onPage(asked: Asked): Promise<Identity | Response>;
  /** The members of a workspace, without their secrets. */
  membersOf(workspace: string): Promise<Identity[]>;
  /** Whether there was one of that name. */
  removeMember(workspace: string, name: string): Promise<boolean>;
};
/** What a request brings to say whose it is, where it came from, and what it is told where that does not do. */
export type Asked = { authorization: string | null; address: string; challenge: string; base: string };

export type Namespace<T> = { idFromName(name: string): unknown; get(id: unknown): T };

/** Files that are deployed with the Worker. */
export type Assets = { fetch(request: Request): Promise<Response> };

export type Bindings = {
  NOTES: Bucket;
  /** The built page, `dist/web`; without it there is no page. */
  ASSETS?: Assets;
  WORKSPACE: Namespace<WorkspaceCalls>;
  ACCOUNTS: Namespace<AccountsCalls>;
  OWNER_SECRET?: string;
  PUBLIC_URL?: string;
  ALLOW_ORIGIN?: string;
};

/** Cloudflare's own word for where a request came from; nobody else can set it there. */
export const addressOf = (request: Request): string => request.headers.get("cf-connecting-ip") ?? "";
