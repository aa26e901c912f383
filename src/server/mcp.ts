/** A surface and a notebook as an MCP server: the one place that checks input, catches errors and wraps answers. */

import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallToolResult, ServerContext, Tool as WireTool } from "@modelcontextprotocol/server";
import { NoteError } from "../markdown/errors.ts";
import type { Who } from "../notebook/change.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { Answer, Surface, Tool } from "../surfaces/surface.ts";
import { bounded, defectResult, refusalOf, resultOf, withOpening } from "./answers.ts";
import { checkedArguments, jsonSchema, strictInput, type Schema } from "./arguments.ts";
import { defectLine } from "./defect.ts";
import { capabilitiesOf, offerBesides } from "./besides.ts";
import { nearest } from "./nearest.ts";
import type { Served } from "./notes-as-resources.ts";
import { turns } from "./turns.ts";

export type McpOptions = {
  version: string;
  /** Leaves out every tool that writes. */
  readOnly?: boolean;
  /** Whom the history names instead of the client. */
  author?: string;
  /** What the history calls this connection; a name of its own where none is given. */
  connection?: string;
  /** One line, for people, never on stdout. */
  log(line: string): void;
};

/** Calls of one connection that may be under way at once; a client that sends more is told so. */
const CALL_LIMIT = 1000;
/** How long the first call waits for the opening block; then the block comes with a later one. */
const OPENING_WAIT = 20_000;
/** Progress is for a person's eye. */
const PROGRESS_PAUSE = 100;

export type Entry = { tool: Tool; input: Tool["input"]; schema: Schema; wire: WireTool };

/** `read_note` → `Read note`, `AddNote` → `Add note`. */
const titleOf = (tool: Tool): string => {
  if (tool.annotations.title) return tool.annotations.title;
  const words = tool.name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The title stands beside them; and whether a call may be repeated is not asked of one that only reads. */
const hintsOf = ({ annotations }: Tool): WireTool["annotations"] => {
  const { title: _, idempotentHint, ...hints } = annotations;
  return hints.readOnlyHint || !idempotentHint ? hints : { ...hints, idempotentHint };
};

// Made when they are first asked for: a client that calls before it lists does not wait for the schemas of all tools.
const entryOf = (tool: Tool): Entry => {
  const known: Partial<Omit<Entry, "tool">> = {};
  return {
    tool,
    get input() {
      return (known.input ??= strictInput(tool, tool.input));
    },
    get schema() {
      return (known.schema ??= jsonSchema(strictInput(tool, tool.advertised ?? tool.input)));
    },
    get wire() {
      return (known.wire ??= wireOf(tool, this.schema));
    },
  };
};

const wireOf = (tool: Tool, schema: Schema): WireTool => ({
  name: tool.name,
  title: titleOf(tool),
  description: tool.description,
  inputSchema: schema as WireTool["inputSchema"],
  annotations: hintsOf(tool),
  ...(tool.output ? { outputSchema: jsonSchema(tool.output) as WireTool["outputSchema"] } : {}),
});

// Schemas are made once for a surface, not for each connection.
const made = new WeakMap<Surface, Entry[]>();
export const entriesOf = (surface: Surface): Entry[] => {
  let entries = made.get(surface);
  if (!entries) made.set(surface, (entries = surface.tools.map(entryOf)));
  return entries;
};

/** Each request names its client in the newer protocol; the older names it once, at the start. */
const clientOf = (server: Server, ctx: ServerContext): string => {
  const envelope = ctx.mcpReq.envelope as Record<string, { name?: unknown }> | undefined;
  const name = envelope?.[CLIENT_INFO_META_KEY]?.name ?? server.getClientVersion()?.name;
  // It goes into commits: one line, no brackets that would end an author's name early.
  const plain = typeof name === "string" ? name.replace(/[\p{Cc}\p{Cf}<>]/gu, " ").trim() : "";
  return plain.slice(0, 100) || "unknown client";
};

const progressOf = (ctx: ServerContext): Who["progress"] => {
  const { _meta: meta } = ctx.mcpReq;
  const token = meta?.progressToken;
  if (token === undefined) return undefined;
  let last = -Infinity;
  let highest = -1;
  return (done, total, message) => {
    const now = performance.now();
    // The protocol wants progress that rises.
    if (done <= highest || (now - last < PROGRESS_PAUSE && done < total)) return;
    [last, highest] = [now, done];
    const params = { progressToken: token, progress: done, total, message };
    ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
};

const unknownTool = (name: string, entries: readonly Entry[]): ProtocolError => {
  const names = entries.map((entry) => entry.tool.name);
  const meant = nearest(name, names);
  const hint = meant ? ` Did you mean "${meant}"?` : "";
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool "${name.slice(0, 100)}".${hint} The tools are: ${names.join(", ")}.`,
  );
};

/** Whether a server that only reads has it. */
const reads = ({ tool }: Entry): boolean => tool.annotations.readOnlyHint || tool.readsToo === true;

export const mcpServer = (surface: Surface, notebook: Served, options: McpOptions): Server => {
  const all = entriesOf(surface);
  const entries = options.readOnly ? all.filter(reads) : all;
  const byName = new Map(
    all.flatMap((entry) => [entry.tool.name, ...(entry.tool.aliases ?? [])].map((name) => [name, entry])),
  );
  const connection = options.connection ?? crypto.randomUUID();
  const queue = turns(CALL_LIMIT);
  const server = new Server(
    { name: "notewright", title: "Notewright", version: options.version },
    {
      capabilities: { tools: {}, ...capabilitiesOf(surface) },
      instructions: surface.instructions,
      cacheHints: { "tools/list": { ttlMs: 60_000, cacheScope: "public" } },
    },
  );

  const who = (tool: string, client: string): Who => ({
    client: options.author ?? client,
    surface: surface.name,
    tool,
    connection,
  });
  const opening = openingOf(surface, notebook.as(who("opening", "notewright")), options.log);

  const answer = async (entry: Entry, bound: Notebook, input: unknown): Promise<CallToolResult> => {
    await opening.wait(bound);
    const value: Answer = await entry.tool.run(bound, input);
    return opening.add(bounded(entry.tool, resultOf(value)));
  };

  server.setRequestHandler("tools/list", () => ({ tools: entries.map((entry) => entry.wire) }));
  server.setRequestHandler("tools/call", async (request, ctx): Promise<CallToolResult> => {
    const { name } = request.params;
    const entry = byName.get(name);
    if (!entry) throw unknownTool(name, entries);
    const { tool } = entry;
    try {
      if (!entries.includes(entry))
        throw new NoteError("read_only", `${tool.name} writes, and this server was started to read only.`, {
          tool: tool.name,
        });
      const input = checkedArguments(entry, request.params.arguments ?? {});
      const { signal } = ctx.mcpReq;
      const bound = notebook.as({
        ...who(tool.name, clientOf(server, ctx)),
        signal,
        progress: progressOf(ctx),
      });
      const run = async () => {
        signal.throwIfAborted();
        return answer(entry, bound, input);
      };
      return await (tool.annotations.readOnlyHint ? queue.aside(run) : queue.inOrder(run));
    } catch (error) {
      if (error instanceof NoteError) return refusalOf(surface.explain(error));
      // The answer to a cancelled call is thrown away by the protocol.
      if (!ctx.mcpReq.signal.aborted) options.log(`defect in ${tool.name}: ${defectLine(error)}`);
      return defectResult(tool.name);
    }
  });
  offerBesides(server, surface, notebook, options.log, (method, ctx, work) =>
    queue.aside(async () => work(notebook.as(who(method, clientOf(server, ctx))))),
  );
  return server;
};

/** The surface's opening block: built now, once, and added to the first good answer. */
const openingOf = (surface: Surface, notebook: Notebook, log: McpOptions["log"]) => {
  let block: string | null = null;
  const building = surface.opening?.(notebook).then(
    (built) => (block = built),
    (error: unknown) => {
      log(`defect in the opening block: ${defectLine(error)}`);
      block = "";
    },
  );
  let given = building === undefined;
  return {
    /** Before a call is run, so that what waits for the index anyway is then answered from all of it. */
    async wait(caller: Notebook): Promise<void> {
      if (given || block !== null) return;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, OPENING_WAIT)));
      // Asked on behalf of the caller, so that a wait for the index shows as progress.
      await Promise.race([caller.ready().then(() => building), late]);
      clearTimeout(timer);
    },
    add(result: CallToolResult): CallToolResult {
      if (given || block === null) return result;
      given = true;
      return block === "" ? result : withOpening(result, block);
    },
  };
};
