/** The built page: the files of dist/web, which lie beside the bundle, read once. */

import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { PageFiles } from "../web/document.ts";
import { besideBundle } from "./built-files.ts";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** `folder` is where dist/web is; names have been checked to hold no way out of it. */
export const pageFiles = (folder = besideBundle("web")): PageFiles => {
  const read = new Map<string, { bytes: Uint8Array; type: string } | null>();
  const fromDisk = (name: string): { bytes: Uint8Array; type: string } | null => {
    const type = TYPES[extname(name)];
    if (type === undefined) return null;
    try {
      return { bytes: readFileSync(join(folder, name)), type };
    } catch {
      return null;
    }
  };
  return {
    read(name) {
      const known = read.get(name) ?? fromDisk(name);
      if (known) read.set(name, known);
      return known;
    },
  };
};
