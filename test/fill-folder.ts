/** Files in a folder, as another program leaves them there. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const fillFolder = (root: string, texts: Record<string, string> = {}): void => {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
};
