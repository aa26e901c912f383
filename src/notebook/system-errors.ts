/** Errors in the shape of the system's: an error with a code. A store throws them, and stores/refusals.ts puts them into words. */

export function diskError(code: string, message: string): Error & { code: string } {
  return Object.assign(new Error(message), { code });
}

export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** For tidying after a failure, where a second failure must not hide the first. */
export function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
