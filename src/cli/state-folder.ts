/** The user's state folder: what is kept between two runs, and is neither a setting nor a cache. */

import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "./settings.ts";

/** A file there, named after what it is about. */
export const stateFile = (environment: Environment, kind: string, about: string, ending: string): string => {
  const base = environment["XDG_STATE_HOME"];
  const state = base?.startsWith("/") ? base : join(homedir(), ".local/state");
  const name = createHash("sha256").update(about).digest("hex").slice(0, 16);
  return join(state, "notewright", kind, `${name}.${ending}`);
};
