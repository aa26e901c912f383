/** The Worker as it is deployed, with workspaces whose clock and chance a test sets, and which can be looked into. `x-call` calls one of their methods. */

import { decodeText, encodeText } from "../../src/notebook/note.ts";
import { notePath, rulePath, RULES } from "../../src/notebook/paths.ts";
import { mcpServer, type ServerMaker } from "../../src/protocol/mcp.ts";
import { front } from "../../src/worker/front.ts";
import type { Bindings } from "../../src/worker/runtime.ts";
import { Workspace as Deployed } from "../../src/worker/workspace.ts";
import { openSettings } from "../../src/worker/settings.ts";
import { keyOf } from "../../src/stores/bucket.ts";
import { durableSql } from "../../src/sqlite/durable.ts";
import { forgetComparison } from "../../src/worker/engine.ts";
import { workSlice } from "../../src/worker/work.ts";

export { Accounts } from "../../src/worker/accounts.ts";

const START = "2026-01-15T10:00:00Z";

export class Workspace extends Deployed {
  #now: Date | null = null;
  #random: string[] = [];
  #count = 0;
  #streamMs: number | null = null;

  protected override how() {
    return {
      now: () => this.#now ?? new Date(),
      serverOf: asOnThePages,
      random: () => this.#random.shift() ?? (++this.#count).toString(16).padStart(8, "0"),
      ...(this.#streamMs === null ? {} : { streamMs: this.#streamMs }),
    };
  }

  /** Opens it, with its first index made; from now on its clock stands still. */
  async stage(name: string): Promise<void> {
    this.#now = new Date(START);
    openSettings(durableSql(this.ctx.storage)).set("workspace", name);
    const { engine, calls } = this.open(name);
    await workSlice(engine, calls);
  }

  async setClock(time: string): Promise<void> {
    this.#now = new Date(time);
  }

  /** Streams that are opened from now on end after so long. */
  async endStreamsAfter(milliseconds: number): Promise<void> {
    await this.shut();
    this.#streamMs = milliseconds;
  }

  async queueRandom(values: string[]): Promise<void> {
    this.#random = values;
  }

  /** A note as another program leaves it. */
  async put(name: string, path: string, text: string): Promise<void> {
    const { engine, calls } = this.open(name);
    const { store, notebook } = engine;
    if (path.startsWith(".") && !path.startsWith(RULES)) {
      const onlyIf = { etagDoesNotMatch: "*" } as const;
      await this.env.NOTES.put(keyOf(name, path), encodeText(text), { onlyIf, customMetadata: {} });
      forgetComparison(engine.settings);
      await workSlice(engine, calls);
      return;
    }
    const file = path.startsWith(".") ? rulePath(path) : notePath(path);
    await store.alone(() => store.apply([{ path: file, bytes: encodeText(text) }]));
    await notebook.refresh();
  }

  /** Every note and rule file by its path, and where it is asked for also what lies in the trash. */
  async state(name: string, trash: boolean): Promise<[string, string][]> {
    const { store } = this.open(name).engine;
    const rows = durableSql(this.ctx.storage).all<{ path: string }>("SELECT path FROM r2_files");
    const found: [string, string][] = [];
    for (const { path } of rows) {
      if (path.startsWith(".trash/") && !trash) continue;
      const file = await store.read(path as never);
      if (file) found.push([path, decodeText(file.bytes) ?? "(not UTF-8)"]);
    }
    return found;
  }

  /** Ends the object as the runtime does, in the middle of whatever it is doing. */
  async evict(): Promise<void> {
    (this.ctx as unknown as { abort(reason: string): void }).abort("evicted");
  }

  async end(): Promise<void> {
    await this.shut();
  }
}

/** On the pages of transcripts the author is the client, and the session has a name: both are in the ids of revisions. */
const asOnThePages: ServerMaker = (surface, notebook, { principal, session, ...options }) =>
  mcpServer(surface, notebook, {
    ...options,
    principal: { ...principal, name: null },
    session: { ...session, id: "transcript" },
  });

type Stub = Record<string, (...args: unknown[]) => Promise<unknown>>;

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const method = request.headers.get("x-call");
    if (method === null) return front(request, env);
    const { WORKSPACE } = env;
    const [, workspace = ""] = new URL(request.url).pathname.split("/");
    const stub = WORKSPACE.get(WORKSPACE.idFromName(workspace)) as unknown as Stub;
    const done = stub[method]!(...((await request.json()) as unknown[]));
    // Whoever is evicted does not answer.
    if (method === "evict") return Response.json({ done: await done.catch(() => null) });
    return Response.json({ done: (await done) ?? null });
  },
};
