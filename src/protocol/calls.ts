/** Calls of tools, of one connection: the one place that checks input, catches errors and wraps answers, however the request came in. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import { NoteError } from "../markdown/errors.ts";
import type { Who } from "../notebook/change.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { Answer, Surface } from "../surfaces/surface.ts";
import { bounded, defectResult, refusalOf, resultOf, withOpening } from "./answers.ts";
import { checkedArguments } from "./arguments.ts";
import { failureLine } from "./failure.ts";
import { entriesOf, type Entry } from "./entries.ts";
import { openSlots, type Room, type SlotLimits } from "./slots.ts";
import { turns } from "./write-queue.ts";

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
  /** Whether answers are read; always, where nothing is said. */
  room?: Room;
};

export type Caller = Pick<Who, "client" | "progress"> & { signal: AbortSignal };
export type Calls = {
  /** Those that clients are shown. */
  entries: Entry[];
  /** The tool of that name, shown or not. */
  called(name: string): Entry | undefined;
  /** Never rejects. */
  run(entry: Entry, given: Record<string, unknown>, caller: Caller): Promise<CallToolResult>;
  /** Whatever else is asked, beside the calls under way. */
  aside<T>(
    method: string,
    client: string,
    work: (bound: Notebook) => Promise<T> | T,
    how?: Pick<Who, "patience" | "progress" | "signal">,
  ): Promise<T>;
};

/** It goes into commits: one line, no brackets that would end an author's name early. */
export const clientName = (name: unknown): string => {
  const plain = typeof name === "string" ? name.replace(/[\p{Cc}\p{Cf}<>]/gu, " ").trim() : "";
  return plain.slice(0, 100) || "unknown client";
};

/** Progress is for a person's eye. */
const PROGRESS_PAUSE = 100;

type Progress = {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; total: number; message: string };
};

export const progressOf = (
  progressToken: string | number | undefined,
  notify: (notification: Progress) => Promise<void>,
): Who["progress"] => {
  if (progressToken === undefined) return undefined;
  let last = -Infinity;
  let highest = -1;
  let doing = "";
  let before = 0;
  return (done, total, message) => {
    const now = performance.now();
    // The protocol wants progress that rises, so what is done next is counted on top of what was done before.
    if (message !== doing) [doing, before] = [message, Math.max(0, highest)];
    const progress = before + done;
    if (progress <= highest || (now - last < PROGRESS_PAUSE && done < total)) return;
    [last, highest] = [now, progress];
    const params = { progressToken, progress, total: before + total, message };
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
};

/** Calls of one connection that may be under way at once; a client that sends more is told so. */
const CALL_LIMIT = 1000;

/** A call that only reads runs beside these many others; and holds so many bytes of notes, or is the one that holds more. */
const READING: SlotLimits = { calls: 8, bytes: 1024 * 1024 };

/** Whether a server that only reads has it. */
const reads = ({ tool }: Entry): boolean => tool.annotations.readOnlyHint || tool.readsToo === true;

export const toolCalls = (surface: Surface, notebook: Notebook, options: McpOptions): Calls => {
  const all = entriesOf(surface);
  const entries = options.readOnly ? all.filter(reads) : all;
  const byName = new Map(
    all.flatMap((entry) => [entry.tool.name, ...(entry.tool.aliases ?? [])].map((name) => [name, entry])),
  );
  const connection = options.connection ?? crypto.randomUUID();
  const queue = turns(CALL_LIMIT);
  const room = options.room ?? (() => null);
  const slots = openSlots(READING, room);
  const who = (tool: string, client: string): Who => ({
    client: options.author ?? client,
    surface: surface.name,
    tool,
    connection,
  });
  const building: Who = { ...who("opening", "notewright"), patience: "endless" };
  const opening = openingOf(surface, notebook.as(building), options.log);

  const answer = async (entry: Entry, bound: Notebook, input: unknown): Promise<CallToolResult> => {
    await opening.wait(bound);
    const value: Answer = await entry.tool.run(bound, input);
    return opening.add(bounded(entry.tool, resultOf(value)));
  };

  return {
    entries,
    called: (name) => byName.get(name),
    async run(entry, given, { client, signal, progress }) {
      const { tool } = entry;
      try {
        if (!entries.includes(entry))
          throw new NoteError("read_only", `${tool.name} writes, and this server was started to read only.`, {
            tool: tool.name,
          });
        const input = checkedArguments(entry, given);
        const asked: Who = { ...who(tool.name, client), signal, progress };
        if (tool.annotations.readOnlyHint) {
          const { run, ...slot } = slots.open(signal);
          const bound = notebook.as({ ...asked, ...slot });
          return await queue.aside(() => run(() => answer(entry, bound, input)));
        }
        const bound = notebook.as(asked);
        return await queue.inOrder(async () => {
          await room();
          return answer(entry, bound, input);
        }, signal);
      } catch (error) {
        if (error instanceof NoteError) return refusalOf(surface.explain(error));
        // The answer to a cancelled call is thrown away.
        if (!signal.aborted)
          options.log(
            failureLine(
              `A call of ${tool.name} failed; its client was told that it may or may not have been done.`,
              error,
            ),
          );
        return defectResult(tool.name);
      }
    },
    aside(method, client, work, how) {
      const { run, ...slot } = slots.open(how?.signal);
      const bound = notebook.as({ ...who(method, client), ...how, ...slot });
      return queue.aside(() => run(async () => work(bound)));
    },
  };
};

/** The surface's opening block: built now, once, and added to the first good answer. Where the vault cannot be read, the next call builds it. */
const openingOf = (surface: Surface, notebook: Notebook, log: McpOptions["log"]) => {
  let block: string | null = null;
  let building: Promise<void> | undefined;
  const build = async (): Promise<void> => {
    try {
      block = await surface.opening!(notebook);
    } catch (error) {
      building = undefined;
      if (error instanceof NoteError && ["disk_refused", "disk_failed"].includes(error.code)) return;
      log(failureLine("The opening block could not be made, so answers come without it.", error));
      block = "";
    }
  };
  let given = surface.opening === undefined;
  if (!given) building = build();
  return {
    /** Before a call is run, so that what waits for the index anyway is then answered from all of it. */
    async wait(caller: Notebook): Promise<void> {
      if (!given && block === null) await caller.patiently((building ??= build()));
    },
    add(result: CallToolResult): CallToolResult {
      if (given || block === null) return result;
      given = true;
      return block === "" ? result : withOpening(result, block);
    },
  };
};
