/** Files in the user's state folder, each named after what it is about. */

import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { stateFolder } from "../identity/last-use.ts";
import type { Environment } from "./settings.ts";

export const stateFile = (environment: Environment, kind: string, about: string, ending: string): string => {
  const name = createHash("sha256").update(about).digest("hex").slice(0, 16);
  return join(stateFolder(environment, homedir()), kind, `${name}.${ending}`);
};
