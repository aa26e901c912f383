/** The official conformance suite on every surface but native, in the older era; the newer is in `npm test`. */

import { afterAll, beforeAll, describe, test } from "vitest";
import { surfaceNames } from "../../src/surfaces/all.ts";
import { surfaceConforms } from "./conformance/expectations.ts";
import { RUNS } from "./conformance/suite.ts";
import { serveHttp, type HttpServed } from "./served.ts";

let served: HttpServed;
beforeAll(async () => {
  served = await serveHttp();
});
afterAll(async () => {
  await served.end();
  served.home.remove();
});

const older = RUNS.filter((run) => run.line === "released" || run.revision !== "2026-07-28");
const others = surfaceNames.filter((name) => name !== "native");

describe.concurrent("the official suite, older era", () => {
  test.each(others.flatMap((surface) => older.map((run) => ({ surface, run }))))(
    "$surface passes what needs no fixtures: $run",
    ({ run, surface }) => surfaceConforms(run, served, surface),
  );
});
