/** The official suite's `authorization` command against `--oauth` of the real command. */

import { test } from "vitest";
import { serveOAuth } from "../signing-in.ts";
import { authorizationConforms } from "./authorization.ts";

test("the official suite: --oauth passes both scenarios of an authorization server, nothing skipped", async () => {
  const served = await serveOAuth();
  try {
    await authorizationConforms(served.base, { resource: `${served.base}/mcp` });
  } finally {
    await served.end();
    served.home.remove();
  }
});
