/** What a surface offers besides tools: notes as resources, prompts, completion. */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { NoteError } from "../markdown/errors.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { Surface } from "../surfaces/surface.ts";
import { complete } from "./completion.ts";
import { failureLine } from "./failure.ts";
import { listResources, readResource, TEMPLATE, tellOfChanges, type Served } from "./resources.ts";
import { getPrompt, listPrompts } from "./prompts.ts";

/** Runs work on behalf of whoever asked. */
type Asked = <T>(method: string, ctx: ServerContext, work: (bound: Notebook) => Promise<T> | T) => Promise<T>;

export const offerBesides = (
  server: Server,
  surface: Surface,
  notebook: Served,
  log: (line: string) => void,
  asked: Asked,
): void => {
  const answered: Asked = async (method, ctx, work) => {
    try {
      return await asked(method, ctx, work);
    } catch (error) {
      throw refusalOf(surface, log, method, error);
    }
  };
  const { prompts } = surface;
  if (surface.resources) offerResources(server, notebook, answered);
  if (prompts) {
    server.setRequestHandler("prompts/list", () => listPrompts(prompts));
    server.setRequestHandler("prompts/get", ({ params }) =>
      getPrompt(prompts, params.name, params.arguments),
    );
  }
  if (surface.resources || prompts)
    server.setRequestHandler("completion/complete", ({ params }, ctx) =>
      answered("completion/complete", ctx, (bound) => complete(surface, bound, params)),
    );
};

const offerResources = (server: Server, notebook: Served, answered: Asked): void => {
  const subscriptions = tellOfChanges(server, notebook);
  Object.assign(server, { onclose: subscriptions.stop });
  server.setRequestHandler("resources/list", ({ params }, ctx) =>
    answered("resources/list", ctx, (bound) => listResources(bound, params?.cursor)),
  );
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        uriTemplate: TEMPLATE,
        name: "note",
        title: "Note",
        description: "A note by its path, or one of its sections as path#Heading.",
        mimeType: "text/markdown",
      },
    ],
  }));
  server.setRequestHandler("resources/read", ({ params }, ctx) =>
    answered("resources/read", ctx, (bound) => readResource(bound, params.uri)),
  );
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    subscriptions.subscribe(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscriptions.unsubscribe(params.uri);
    return {};
  });
};

/** Here no result can say what went wrong: a refusal is an error of the protocol, a defect one without words. */
const refusalOf = (
  surface: Surface,
  log: (line: string) => void,
  method: string,
  error: unknown,
): ProtocolError => {
  if (error instanceof ProtocolError) return error;
  if (error instanceof NoteError) {
    const worded = surface.explain(error);
    const words = typeof worded === "string" ? worded : error.message;
    return new ProtocolError(ProtocolErrorCode.InvalidParams, words);
  }
  log(failureLine(`A request of the client (${method}) failed and was answered with an error.`, error));
  return new ProtocolError(
    ProtocolErrorCode.InternalError,
    `Internal error in ${method}. The server's log says more.`,
  );
};
