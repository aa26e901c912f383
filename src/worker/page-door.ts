/** The door of the page at the edge, in the accounts: the owner's secret, or a code of theirs, for a token of the page of one workspace. */

import { notAllowed, notFound, refusal } from "../http/answers.ts";
import { parsedJson, type Bodies } from "../http/body.ts";
import { json } from "../http/named-calls.ts";
import { tokenOf } from "../web/door.ts";
import type { EdgeTokens } from "./page-tokens.ts";

export type PageDoorParts = {
  tokens: EdgeTokens;
  bodies: Bodies;
  hasWorkspace(id: string): boolean;
  signIn(secret: string): Promise<boolean>;
};

/** `enter` and `leave` of the page of a workspace. */
export const PAGE_DOOR = /^\/([^/]+)\/api\/(enter|leave)$/;

export const pageDoor = async (
  request: Request,
  { tokens, bodies, hasWorkspace, signIn }: PageDoorParts,
): Promise<Response> => {
  const [, workspace = "", what] = PAGE_DOOR.exec(new URL(request.url).pathname) ?? [];
  if (request.method !== "POST") return notAllowed("POST");
  if (what === "leave") {
    await tokens.leave(tokenOf(request));
    return json("{}", 200);
  }
  const taken = await bodies.read(request, { address: "" });
  if (taken instanceof Response) return taken;
  const parsed = parsedJson(taken.bytes);
  taken.done();
  if (parsed instanceof Response) return parsed;
  const { passphrase } = (parsed.value ?? {}) as { passphrase?: unknown };
  if (typeof passphrase !== "string")
    return refusal(400, "Give the secret of the owner.", {}, "input_refused");
  if (!(await signIn(passphrase))) return refusal(401, "That is not the secret of the owner.");
  // Only the owner learns which workspaces there are.
  return hasWorkspace(workspace) ? json(JSON.stringify(await tokens.enter(workspace)), 200) : notFound();
};
