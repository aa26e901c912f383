/** The Worker as it is deployed: started once for all that is tried with it. */

import { afterAll, beforeAll } from "vitest";
import { serveEdge, type Served } from "./served.ts";

export let served: Served;

beforeAll(async () => {
  served = await serveEdge();
}, 60_000);
afterAll(() => served.stop());
