/** A Worker for tests: the real workspaces, behind a front that believes whoever calls. `x-as` names the caller, as an identity. */

import { withHanded } from "../../src/worker/handed.ts";

export { Workspace } from "../../src/worker/workspace.ts";

type Stub = { fetch(request: Request): Promise<Response> } & Record<
  string,
  (...args: unknown[]) => Promise<unknown>
>;
type Env = { WORKSPACE: { idFromName(name: string): unknown; get(id: unknown): Stub } };

const ADMIN = {
  name: "tester",
  rights: "admin",
  folders: "all",
  surfaces: "all",
  vault: null,
  secret: null,
  made: "",
};

export default {
  async fetch(request: Request, { WORKSPACE }: Env): Promise<Response> {
    const url = new URL(request.url);
    const workspace = url.pathname.split("/")[1]!;
    const stub = WORKSPACE.get(WORKSPACE.idFromName(workspace));
    const method = request.headers.get("x-call");
    if (method !== null) {
      const done = await stub[method]!(...((await request.json()) as unknown[]));
      return Response.json({ done: done ?? null });
    }
    const identity = { ...ADMIN, ...JSON.parse(request.headers.get("x-as") ?? "{}") };
    return stub.fetch(withHanded(request, { workspace, identity, base: url.origin }));
  },
};
