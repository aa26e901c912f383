/** Workspace: the Durable Object of one workspace. It opens the engine once, serves every request from it, works in its alarms, and shuts what is idle (decision 31). */

import { DurableObject } from "cloudflare:workers";
import { notAllowed, notFound, refusal } from "../http/answers.ts";
import { whenEnded } from "../http/streams.ts";
import type { Identity } from "../identity/identity.ts";
import { mcpServer, type ServerMaker } from "../protocol/mcp.ts";
import { durableSql } from "../sqlite/durable.ts";
import type { PageIdentities } from "../web/calls/who.ts";
import type { Sql } from "../sqlite/sql.ts";
import { openBusy } from "./busy.ts";
import { forgetIndex, openEngine, type Engine, type EngineParts } from "./engine.ts";
import { handedWith } from "./handed.ts";
import { bundleResponse } from "./export.ts";
import { packing } from "./packing.ts";
import type { AccountsCalls, Bindings, Member, WorkspaceCalls } from "./runtime.ts";
import { openServing, reportTo, type Serving } from "./serving.ts";
import { openSettings } from "./settings.ts";
import { countedBucket } from "../stores/counted-bucket.ts";
import { untilCompared, workSlice } from "./work.ts";

/** After a failure it is tried again in so long. */
const RETRY_MS = 60_000;
/** An engine that nobody has called for so long is shut: what it holds in memory is for others. */
const IDLE_MS = 60_000;
/** What is under way when an engine is shut for another reason has so long to end. */
const ENDING_MS = 5000;

type Opened = { engine: Engine; serving: Serving; calls(): number };

/** Members that are gone and may still have a request on its way here. */
const GONE_LIMIT = 1000;

export class Workspace extends DurableObject<Pick<Bindings, "NOTES" | "ACCOUNTS">> implements WorkspaceCalls {
  #opened: Opened | null = null;
  #sql: Sql | null = null;
  #working: Promise<unknown> | null = null;
  #shutting: Promise<void> | null = null;
  #waking: Promise<unknown> = Promise.resolve();
  #busy = openBusy(() => void this.shut(), IDLE_MS);
  #base = "https://workspace.invalid";
  #gone = new Set<string>();

  /** Answers what the Worker in front hands over, with the caller it has checked. */
  async fetch(request: Request): Promise<Response> {
    const handed = handedWith(request);
    if (!handed) return refusal(403, "This object answers to the Worker in front of it only.");
    const { workspace, identity, base, page = false } = handed;
    if (this.#gone.has(lifeOf(identity))) return refusal(401, "The token was removed.", {}, "invalid_token");
    this.#base = base;
    const settings = openSettings(this.sql());
    if (settings.get("workspace") !== workspace) settings.set("workspace", workspace);
    return this.during(async () => {
      const { serving, engine } = this.open(workspace);
      if (new URL(request.url).pathname === `/${workspace}/history.bundle`)
        return bundleFor(request, identity, engine);
      return serving.fetch(request, identity, page);
    });
  }

  /** Goes on with what is to be done, and says when it is next. */
  async alarm(): Promise<void> {
    const workspace = openSettings(this.sql()).get("workspace");
    if (workspace !== null) await this.during(() => this.work(this.open(workspace, { byAlarm: true })));
  }

  /** Compares everything with the bucket, in an index that is made anew. */
  async rebuildIndex(): Promise<void> {
    await this.shut(() => forgetIndex(this.sql()));
    await this.wake(0);
  }

  async setTimeZone(timeZone: string): Promise<void> {
    await this.shut(() => openSettings(this.sql()).set("timeZone", timeZone));
  }

  /** Ends the sessions and streams of members that were removed, and refuses what they asked just before. */
  async forget(members: readonly Member[]): Promise<void> {
    for (const member of members) this.#gone.add(lifeOf(member));
    for (const life of this.#gone) if (this.#gone.size > GONE_LIMIT) this.#gone.delete(life);
    this.#opened?.serving.forget(new Set(members.map(({ name }) => name)));
  }

  private sql(): Sql {
    return (this.#sql ??= durableSql(this.ctx.storage, packing));
  }

  /** The clock, and what else a test may have its own of. */
  protected how(): Pick<EngineParts, "now" | "random"> & { serverOf?: ServerMaker; streamMs?: number } {
    return { now: () => new Date() };
  }

  protected open(workspace: string, { byAlarm } = { byAlarm: false }): Opened {
    if (this.#opened) return this.#opened;
    const { bucket, calls } = countedBucket(this.env.NOTES);
    const log = (line: string): void => console.error(`${workspace}: ${line}`);
    const { serverOf = mcpServer, streamMs, ...how } = this.how();
    const wake = (milliseconds: number): void => void this.wake(milliseconds);
    const engine = openEngine({ sql: this.sql(), bucket, workspace, ...how, wake, report: reportTo(log) });
    const base = (): URL => new URL(this.#base);
    const serving = openServing(workspace, engine.notebook, {
      base,
      log,
      now: how.now,
      serverOf,
      identities: this.identities(workspace),
      ...(streamMs === undefined ? {} : { streamMs }),
    });
    const opened: Opened = { engine, serving, calls };
    this.#opened = opened;
    // Alarms may be lost; whatever opens the engine sees to it that there is one.
    const isWhole = engine.index.complete() && engine.ledger.whole();
    this.wake(isWhole ? untilCompared(engine) : RETRY_MS);
    // A first index and recording begin at once, and go on in alarms; so does what an earlier life of the object has left.
    if (!isWhole) this.ctx.waitUntil(this.during(() => this.work(opened)));
    else if (!byAlarm) this.ctx.waitUntil(engine.store.flush().catch(() => this.wake(RETRY_MS)));
    return opened;
  }

  /** Members, who are kept in the accounts. */
  private identities(workspace: string): PageIdentities {
    const accounts = (): AccountsCalls => this.env.ACCOUNTS.get(this.env.ACCOUNTS.idFromName("accounts"));
    return {
      list: () => accounts().membersOf(workspace),
      remove: (name) => accounts().removeMember(workspace, name),
    };
  }

  private work(opened: Opened): Promise<unknown> {
    return (this.#working ??= workSlice(opened.engine, opened.calls)
      .catch((error: unknown) => {
        console.error(error);
        return RETRY_MS;
      })
      .then((next) => this.wake(next))
      .finally(() => (this.#working = null)));
  }

  /** Sets the alarm, if there is no earlier one: one after another, so that the earliest stays. */
  private wake(milliseconds: number): Promise<unknown> {
    const time = Date.now() + milliseconds;
    this.#waking = this.#waking
      .then(() => this.ctx.storage.getAlarm())
      .then((set) => (set === null || set > time ? this.ctx.storage.setAlarm(time) : undefined))
      .catch((error: unknown) => console.error(error));
    this.ctx.waitUntil(this.#waking);
    return this.#waking;
  }

  /** Keeps the engine open while work is under way, and for a while after it. */
  private async during<T>(work: () => Promise<T>): Promise<T> {
    while (this.#shutting) await this.#shutting;
    const end = this.#busy.begin();
    try {
      const done = await work();
      // What streams is under way until its stream has ended.
      if (done instanceof Response && done.body) return whenEnded(done, end) as T;
      end();
      return done;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Shuts the engine, then does what needs it to be shut. Whoever comes meanwhile waits, so that there are never two. */
  protected shut(then = (): void => undefined): Promise<void> {
    const shutting = (this.#shutting ?? Promise.resolve()).then(() => this.shutEngine()).then(then);
    const settled = shutting
      .catch(() => undefined)
      .finally(() => {
        if (this.#shutting === settled) this.#shutting = null;
      });
    this.#shutting = settled;
    return shutting;
  }

  private async shutEngine(): Promise<void> {
    const opened = this.#opened;
    if (!opened) return;
    await this.#busy.quiet(ENDING_MS);
    this.#opened = null;
    await this.#working;
    await opened.serving.close();
    await opened.engine.close();
  }
}

const lifeOf = ({ name, made }: Member): string => `${made} ${name}`;

/** All of the history, to whoever may see all of the notes and decides over them. */
const bundleFor = async (request: Request, identity: Identity, engine: Engine): Promise<Response> => {
  if (identity.rights !== "admin" || identity.folders !== "all") return notFound();
  if (request.method !== "GET") return notAllowed("GET");
  return bundleResponse(engine.history);
};
