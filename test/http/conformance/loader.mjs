/** A loader for the official suite: it imports `globSync` of `fs`, which Node 20 has not, and never calls it to test a server. `node --import` takes this file, which registers itself. */

import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const FILES = "suite:fs";
const SOURCE = `
  export * from "node:fs";
  export { default } from "node:fs";
  export const globSync = () => [];
`;

if (isMainThread) register(import.meta.url);

export const resolve = (name, context, next) => {
  const asked = (name === "fs" || name === "node:fs") && /conformance/.test(context.parentURL ?? "");
  return asked ? { url: FILES, shortCircuit: true } : next(name, context);
};

export const load = (url, context, next) =>
  url === FILES ? { format: "module", source: SOURCE, shortCircuit: true } : next(url, context);
