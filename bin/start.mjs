/** Starts a built command; a fresh clone whose install ran no scripts is built first. */

import { existsSync } from "node:fs";
import module from "node:module";

export const start = async (name) => {
  module.enableCompileCache?.();
  const entry = new URL(`../dist/${name}.mjs`, import.meta.url);
  if (!existsSync(entry)) {
    const { build } = await import("../scripts/build.mjs");
    await build();
  }
  await import(entry.href);
};
