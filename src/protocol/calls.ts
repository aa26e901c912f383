/** Calls of tools: the one place that checks input, catches errors and wraps answers, however the request came in. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import { NoteError } from "../markdown/errors.ts";
import type { Who } from "../notebook/change.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { LinkedPath } from "../notebook/paths.ts";
import type { Answer, Surface } from "../surfaces/surface.ts";
import { naming, type Activities } from "./activity.ts";
import { bounded, defectResult, refusalOf, resultOf, withRemarks } from "./answers.ts";
import { checkedArguments } from "./arguments.ts";
import { lineAbout } from "./client-log.ts";
import { entriesOf, type Entry } from "./entries.ts";
import { failureLine } from "./failure.ts";
import { mayCall, type Principal, whyNot } from "./principal.ts";
import { whoAsks, type Session } from "./session.ts";

export type CallOptions = {
  session: Session;
  principal: Principal;
  /** Is told of each call, where somebody may want to see them. */
  activity?: Activities | undefined;
  /** Takes one line, for people, which never goes to stdout. */
  log(line: string): void;
};

export type Caller = Pick<Who, "client" | "progress"> & {
  signal: AbortSignal;
  /** Sends the client a log line. */
  log(level: "warning" | "error", line: string): Promise<void>;
};
export type Calls = {
  /** The tools that clients are shown. */
  entries(): Entry[];
  /** The tool of that name, shown or not. */
  called(name: string): Entry | undefined;
  /** Never rejects. */
  run(entry: Entry, given: Record<string, unknown>, caller: Caller): Promise<CallToolResult>;
  /** Runs any other request, all of which only read. */
  read<T>(
    method: string,
    client: string,
    work: (bound: Notebook) => Promise<T> | T,
    how?: Pick<Who, "patience" | "progress" | "signal">,
  ): Promise<T>;
};

/** It keeps nothing between two calls: that is the session's, so it may be made for each request. */
export const toolCalls = (
  surface: Surface,
  notebook: Notebook,
  { session, principal, activity, log }: CallOptions,
): Calls => {
  const { queue, slots, room, opening } = session;
  const all = entriesOf(surface);
  const who = (tool: string, client: string): Who =>
    whoAsks(surface, principal, session.id, { tool, client });

  const telling = tellingOf(surface, principal, activity);
  const answer = async (entry: Entry, bound: Notebook, input: unknown): Promise<CallToolResult> => {
    await opening.wait(bound);
    const value: Answer = await entry.tool.run(bound, input);
    return opening.add(bounded(entry.tool, resultOf(value)));
  };

  return {
    entries: () => all.filter((entry) => mayCall(principal, entry)),
    called: (name) => all.find(({ tool }) => tool.name === name || tool.aliases?.includes(name)),
    async run(entry, given, { client, signal, progress, log: tell }) {
      const { tool } = entry;
      const told = telling(tool.name, client);
      try {
        if (!mayCall(principal, entry))
          throw new NoteError("read_only", `${tool.name} ${whyNot(principal)}.`, { tool: tool.name });
        const input = checkedArguments(entry, given);
        const remarks = new Set<string>();
        const remark = (sentence: string): void => void remarks.add(sentence);
        const asked: Who = { ...who(tool.name, client), signal, progress, remark };
        if (tool.annotations.readOnlyHint) {
          const { run, ...slot } = slots.open(signal);
          const bound = told.of(notebook.as({ ...asked, ...slot, notice: remark }));
          return told.done(
            await queue.read(() => run(async () => withRemarks(await answer(entry, bound, input), remarks))),
          );
        }
        const bound = told.of(notebook.as(asked));
        return told.done(
          await queue.write(async () => {
            await room();
            return withRemarks(await answer(entry, bound, input), remarks);
          }, signal),
        );
      } catch (error) {
        told.failed(error, signal);
        if (error instanceof NoteError) {
          const line = lineAbout(error);
          if (line !== null) await tell("warning", line);
          return refusalOf(surface.explain(error));
        }
        // The answer to a cancelled call is thrown away.
        if (signal.aborted) return defectResult(tool.name);
        log(
          failureLine(
            `A call of ${tool.name} failed; its client was told that it may or may not have been done.`,
            error,
          ),
        );
        await tell(
          "error",
          `A call of ${tool.name} failed by a mistake in Notewright. The server's log says more.`,
        );
        return defectResult(tool.name);
      }
    },
    read(method, client, work, how) {
      const { run, ...slot } = slots.open(how?.signal);
      const told = telling(method, client, { readsOnly: true });
      const bound = told.of(notebook.as({ ...who(method, client), ...how, ...slot }));
      return queue
        .read(() => run(async () => work(bound)))
        .then(told.done, (error: unknown) => {
          told.failed(error, how?.signal);
          throw error;
        });
    },
  };
};

/** One call, as it is told of when it has ended. A request that is no tool is told of where it read a note. */
const tellingOf =
  (surface: Surface, { name }: Principal, activity: Activities | undefined) =>
  (tool: string, client: string, { readsOnly = false } = {}) => {
    const [at, began] = [new Date(), performance.now()];
    let paths: () => LinkedPath[] = () => [];
    const end = (outcome: string): void => {
      const named = paths();
      if (!activity || (readsOnly && named.length === 0)) return;
      const milliseconds = Math.round(performance.now() - began);
      activity.add({
        at,
        identity: name,
        client,
        surface: surface.name,
        tool,
        paths: named,
        outcome,
        milliseconds,
      });
    };
    return {
      of(notebook: Notebook): Notebook {
        if (!activity) return notebook;
        const { bound, paths: named } = naming(notebook);
        paths = named;
        return bound;
      },
      done<T>(value: T): T {
        end("done");
        return value;
      },
      failed(error: unknown, signal?: AbortSignal): void {
        end(error instanceof NoteError ? error.code : signal?.aborted ? "cancelled" : "failed");
      },
    };
  };
