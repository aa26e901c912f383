/** The official conformance suite, both lines of it: on its fixtures in our HTTP stack, and on the surfaces of the real command. */

import { afterAll, beforeAll, describe, test } from "vitest";
import { surfaceNames } from "../../../src/surfaces/all.ts";
import { named, serveInProcess, type InProcess } from "../in-process.ts";
import { serveHttp, type HttpServed } from "../served.ts";
import { fixturesConform, surfaceConforms } from "./expectations.ts";
import { fixtureServers } from "./fixtures/server.ts";
import { RUNS } from "./suite.ts";

let fixtures: InProcess;
let served: HttpServed;
beforeAll(async () => {
  [fixtures, served] = await Promise.all([
    serveInProcess({}, [named("suite")], fixtureServers()),
    serveHttp(),
  ]);
});
afterAll(async () => {
  await Promise.all([fixtures.close(), served.end()]);
  served.home.remove();
});

// The suite waits more than it works, so the runs go beside each other.
describe.concurrent("the official suite", () => {
  test.each(RUNS)("%j: the fixtures pass whatever is scored", (run) =>
    fixturesConform(run, { port: fixtures.port, token: "suite" }),
  );
  test.each(RUNS)("%j: native passes whatever needs no fixtures", (run) =>
    surfaceConforms(run, served, "native"),
  );
  test.each(surfaceNames.filter((name) => name !== "native"))(
    "%s passes whatever needs no fixtures, in the newer era",
    (surface) => surfaceConforms({ line: "next", revision: "2026-07-28" }, served, surface),
  );
});
