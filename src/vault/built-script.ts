/** Scripts of threads, which lie beside the bundle. */

/** Null where there is none, as when the sources are run. */
export function builtScript(name: string): string | null {
  try {
    return require.resolve([`./${name}`, "cjs"].join("."));
  } catch {
    return null;
  }
}
