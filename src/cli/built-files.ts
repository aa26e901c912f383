/** Files that are built with this program and lie beside its bundle. */

import { dirname, join } from "node:path";

export const besideBundle = (name: string): string =>
  join(dirname(require.resolve(["./notewright", "cjs"].join("."))), name);
