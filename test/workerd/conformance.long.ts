/** The official conformance suite against the Worker, as it runs against the command on Node: on its fixtures, and on the surfaces of a workspace. */

import { afterAll, beforeAll, describe, test } from "vitest";
import { surfaceNames } from "../../src/surfaces/all.ts";
import { authorizationConforms, freePort } from "../http/conformance/authorization.ts";
import { fixturesConform, surfaceConforms } from "../http/conformance/expectations.ts";
import { RUNS, type Target } from "../http/conformance/suite.ts";
import { OWNER_SECRET, serveEdge, type Served } from "./served.ts";

/** The Worker must know its own address, as it does where it is deployed. */
const serve = async (entry: string): Promise<Served> => {
  const port = await freePort();
  const served = await serveEdge({ entry, port, bindings: { PUBLIC_URL: `http://127.0.0.1:${port}` } });
  await served.make("suite");
  return served;
};
const targetOf = async (served: Served): Promise<Target> => ({
  port: Number(served.address.port),
  token: await served.member("suite", "suite"),
  root: "/suite",
});

let [fixtures, surfaces]: Served[] = [];
let [onFixtures, onSurfaces]: Target[] = [];
beforeAll(async () => {
  [fixtures, surfaces] = await Promise.all([
    serve("test/workerd/fixtures-worker.ts"),
    serve("src/worker/main.ts"),
  ]);
  [onFixtures, onSurfaces] = await Promise.all([targetOf(fixtures), targetOf(surfaces)]);
});
afterAll(async () => {
  await Promise.all([fixtures?.stop(), surfaces?.stop()]);
});

// One after another: the suite waits for half a second at most, and a Worker has one thread.
describe("the official suite", () => {
  test.each(RUNS)("%j: the fixtures pass whatever is scored", (run) => fixturesConform(run, onFixtures!));
  test.each(RUNS)("%j: native passes whatever needs no fixtures", (run) =>
    surfaceConforms(run, onSurfaces!, "native"),
  );
  test.each(surfaceNames.filter((name) => name !== "native"))(
    "%s passes whatever needs no fixtures, in the newer era",
    (surface) => surfaceConforms({ line: "next", revision: "2026-07-28" }, onSurfaces!, surface),
  );
  test("both scenarios of an authorization server pass, nothing skipped", () =>
    authorizationConforms(surfaces!.base, {
      resource: `${surfaces!.base}/suite/mcp`,
      secret: OWNER_SECRET,
    }));
});
