/** Accounts: the one Durable Object that knows workspaces, their members and the owner (decision 31). Only the Worker in front reaches it. */

import { DurableObject } from "cloudflare:workers";
import { refusal } from "../http/answers.ts";
import { openBodies, withForm, type Bodies } from "../http/body.ts";
import { openTokenGuard, type TokenGuard, type TokensOf } from "../http/guard.ts";
import { LIMITS } from "../http/limits.ts";
import type { Identity } from "../identity/identity.ts";
import { equalSecrets, isOurs, secretOf } from "../identity/token.ts";
import type { OAuthServer } from "../oauth/server.ts";
import { failureLine } from "../protocol/failure.ts";
import { durableSql } from "../sqlite/durable.ts";
import { openAdmin } from "./admin.ts";
import { PAGE_DOOR, pageDoor } from "./page-door.ts";
import { openEdgeTokens } from "./page-tokens.ts";
import { openMembers, type Members } from "./members.ts";
import { placeOf } from "./place.ts";
import { addressOf, type AccountsCalls, type Asked, type Bindings, type WorkspaceCalls } from "./runtime.ts";
import { openSigningIn } from "./signing-in.ts";

/** The owner's calls are small, and few at once. */
const ACCOUNT_LIMITS = { ...LIMITS, body: LIMITS.form, bodies: 4 * 1024 * 1024 };
/** A secret that nobody guesses, however often he may try: there is no waiting that could keep the owner out. */
const SECRET_LEAST = 32;

const DAY = 86_400_000;

const OWNER: Identity = {
  name: "owner",
  vault: null,
  secret: null,
  made: "",
  rights: "admin",
  folders: "all",
  surfaces: "all",
};

type Opened = {
  members: TokenGuard;
  pages: TokenGuard;
  owner: TokenGuard;
  known: Members;
  door(request: Request): Promise<Response>;
  admin(request: Request): Promise<Response>;
  oauth: OAuthServer;
  bodies: Bodies;
};

export class Accounts extends DurableObject<Bindings> implements AccountsCalls {
  #opened: Opened | null = null;

  /** Whose a request is, or the answer that refuses it. */
  async who({ authorization, address, challenge, base }: Asked): Promise<Identity | Response> {
    const asking = new Request(base);
    if (authorization !== null) asking.headers.set("authorization", authorization);
    return this.open().members.check(asking, { address, challenge: () => challenge });
  }

  async onPage({ authorization, address, challenge, base }: Asked): Promise<Identity | Response> {
    const asking = new Request(base);
    if (authorization !== null) asking.headers.set("authorization", authorization);
    return this.open().pages.check(asking, { address, challenge: () => challenge });
  }

  async membersOf(workspace: string): Promise<Identity[]> {
    const { known } = this.open();
    return known
      .list()
      .filter(({ vault }) => vault === workspace)
      .map((identity) => ({ ...identity, secret: null }));
  }

  async removeMember(workspace: string, name: string): Promise<boolean> {
    return this.open().known.remove(workspace, name) !== null;
  }

  /** The owner's calls, the door of pages, and signing in. */
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/admin/")) return this.asOwner(request);
    if (PAGE_DOOR.test(pathname)) return this.open().door(request);
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + DAY);
    const { oauth, bodies } = this.open();
    // Requests under several names come at once, so each is answered under its own.
    const at = oauth.at(placeOf(request, this.env).base);
    const from = { address: addressOf(request) };
    return withForm(bodies, LIMITS.form, request, from, (form) => at.fetch(form, pathname));
  }

  /** Removes sign-ins that have expired. */
  async alarm(): Promise<void> {
    await this.open().oauth.sweep();
    await this.ctx.storage.setAlarm(Date.now() + DAY);
  }

  private async asOwner(request: Request): Promise<Response> {
    const { owner, admin } = this.open();
    if (!this.hasOwner())
      return refusal(
        503,
        `Set the owner's secret first, with ${SECRET_LEAST} characters or more: wrangler secret put OWNER_SECRET`,
      );
    const from = { address: addressOf(request), challenge: () => 'realm="owner"' };
    const who = await owner.check(request, from);
    return who instanceof Response ? who : admin(request);
  }

  private open(): Opened {
    if (this.#opened) return this.#opened;
    const now = (): Date => new Date();
    const sql = durableSql(this.ctx.storage);
    const members = openMembers(sql, now, (identity) => this.forget(identity));
    const bodies = openBodies(ACCOUNT_LIMITS);
    const isOwner = (secret: string): Promise<boolean> => this.isOwner(secret);
    const oauth = openSigningIn({ sql, members, isOwner });
    const guardOf = (of: TokensOf["of"], advice: string, called = "TOKEN"): TokenGuard =>
      openTokenGuard({ of }, () => performance.now(), { advice, called });
    const tokens = openEdgeTokens(sql, now);
    const { hasWorkspace } = members;
    this.#opened = {
      known: members,
      pages: guardOf(async (token) => {
        const vault = await tokens.of(token);
        return vault === null ? null : { ...OWNER, vault };
      }, "The page is to be opened anew."),
      door: (request) => pageDoor(request, { tokens, bodies, hasWorkspace, signIn: oauth.isOwner }),
      members: guardOf(
        async (token, { url }) =>
          isOurs(token) ? members.withSecret(await secretOf(token)) : oauth.at(new URL(url)).of(token),
        "The owner of the server makes a new one.",
      ),
      owner: guardOf(
        async (token) => ((await isOwner(token)) ? OWNER : null),
        "It is the one that the Worker has as OWNER_SECRET.",
        "SECRET",
      ),
      admin: openAdmin({
        members,
        workspace: (id) => this.workspace(id),
        newCode: oauth.newCode,
        bodies,
        now,
      }),
      oauth,
      bodies,
    };
    return this.#opened;
  }

  private hasOwner(): boolean {
    return (this.env.OWNER_SECRET ?? "").length >= SECRET_LEAST;
  }

  private async isOwner(secret: string): Promise<boolean> {
    const same = equalSecrets(await secretOf(secret), await secretOf(this.env.OWNER_SECRET ?? ""));
    return this.hasOwner() && same;
  }

  private workspace(id: string): WorkspaceCalls {
    return this.env.WORKSPACE.get(this.env.WORKSPACE.idFromName(id));
  }

  /** Ends the streams and sessions of somebody who is a member no more. */
  private forget({ vault, name, made }: Identity): void {
    const told = this.workspace(vault!).forget([{ name, made }]);
    this.ctx.waitUntil(
      told.catch((error: unknown) =>
        console.error(failureLine("A removed member's streams end by themselves, in five minutes.", error)),
      ),
    );
  }
}
