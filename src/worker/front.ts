/** The front of the Worker: from where a request comes, whose it is, and which object answers. It reads no body and keeps nothing (decision 31). */

import { notAllowed, notFound, refusal } from "../http/answers.ts";
import { corsOf, preflight } from "../http/cors.ts";
import { foreign } from "../http/guard.ts";
import { challengeOf, metadataAnswer } from "../http/metadata.ts";
import { documentOr, wantsPage } from "../http/router.ts";
import { routeOf, type PageRoute } from "../http/routes.ts";
import { failureLine } from "../protocol/failure.ts";
import { fromOurPage } from "../web/door.ts";
import { withHanded } from "./handed.ts";
import { isWorkspaceId } from "./ids.ts";
import { edgeDocument, edgeFile } from "./page-files.ts";
import { isPrivate, placeOf, ROUTING, type Place } from "./place.ts";
import { addressOf, type AccountsCalls, type Bindings } from "./runtime.ts";

export const front = async (request: Request, env: Bindings): Promise<Response> => {
  try {
    const place = placeOf(request, env);
    const answer = await answerOf(request, env, place);
    // A workspace has said so itself.
    if (answer.headers.has("access-control-allow-origin")) return answer;
    const own = new Response(answer.body, answer);
    corsOf(request, own, place.origins);
    return own;
  } catch (error) {
    console.error(failureLine("A request failed and was answered with an error.", error));
    return refusal(
      503,
      "The server cannot answer now. Try again in a moment.",
      { "retry-after": "1" },
      "busy",
    );
  }
};

const answerOf = async (request: Request, env: Bindings, place: Place): Promise<Response> => {
  const refused = foreign(request, place);
  if (refused) return refused;
  if (!isPrivate(place.base)) return refusal(403, "Call this server over https.");
  const { pathname } = new URL(request.url);
  if (request.method === "OPTIONS") return preflight(request, place.origins);
  if (pathname === "/" && request.method === "GET") return welcome();
  if (pathname.startsWith("/admin/")) return accountsOf(env).fetch(request);
  const bundle = BUNDLE.exec(pathname)?.[1];
  if (bundle !== undefined && isWorkspaceId(bundle))
    return inWorkspace(request, env, place, { vault: bundle, path: `/${bundle}/mcp` });
  const route = routeOf(pathname, ROUTING);
  switch (route?.kind) {
    case "health":
      return Response.json({ status: "ok" });
    case "metadata":
      return request.method === "GET"
        ? metadataAnswer(request, { base: place.base, path: route.path, signsIn: true })
        : notAllowed("GET");
    case "oauth":
      return accountsOf(env).fetch(request);
    case "page":
      return pageAnswer(request, env, place, route);
    case "mcp":
      return wantsPage(request, route)
        ? documentOr(request, () => edgeDocument(env.ASSETS))
        : inWorkspace(request, env, place, route);
    case "sync":
      return inWorkspace(request, env, place, route);
    default:
      return notFound();
  }
};

/** What whoever opens the bare address is told; it says nothing of which workspaces there are. */
const welcome = (): Response =>
  new Response("Notewright runs here. A workspace is at /ID/.\n", {
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  });

/** Files of the page, its door, and its calls, which the workspace answers to whoever is at it. */
const pageAnswer = async (
  request: Request,
  env: Bindings,
  { base }: Place,
  { vault, path }: PageRoute,
): Promise<Response> => {
  if (path.startsWith("assets/"))
    return request.method === "GET" ? edgeFile(env.ASSETS, path) : notAllowed("GET");
  if (!fromOurPage(request, base)) return refusal(403, "Only the page itself may call this.", {}, "foreign");
  if (path === "api/enter" || path === "api/leave") return accountsOf(env).fetch(request);
  const identity = await accountsOf(env).onPage({
    authorization: request.headers.get("authorization"),
    address: addressOf(request),
    challenge: 'realm="page"',
    base: base.href,
  });
  if (identity instanceof Response) return identity;
  if (identity.vault !== vault) return refusal(401, "This page has to be opened anew.", {}, "invalid_token");
  const { WORKSPACE } = env;
  const handed = { workspace: vault, identity, base: base.href, page: true };
  return WORKSPACE.get(WORKSPACE.idFromName(vault)).fetch(withHanded(request, handed));
};

const BUNDLE = /^\/([^/]+)\/history\.bundle$/;

/** Hands the request to the workspace, once its caller is known to be a member of it. */
const inWorkspace = async (
  request: Request,
  env: Bindings,
  { base }: Place,
  { vault, path }: { vault: string; path: string },
): Promise<Response> => {
  const identity = await accountsOf(env).who({
    authorization: request.headers.get("authorization"),
    address: addressOf(request),
    challenge: challengeOf(request, base, path),
    base: base.href,
  });
  if (identity instanceof Response) return identity;
  // One that is not there has no members: it is answered alike, and nothing is asked for it.
  if (identity.vault !== vault) return notFound();
  const { WORKSPACE } = env;
  const workspace = WORKSPACE.get(WORKSPACE.idFromName(vault));
  return workspace.fetch(withHanded(request, { workspace: vault, identity, base: base.href }));
};

const accountsOf = ({ ACCOUNTS }: Bindings): AccountsCalls => ACCOUNTS.get(ACCOUNTS.idFromName("accounts"));
