/** A word as a shell takes it: quoted where it needs to be, so that what we print can be pasted. */

export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A command to be pasted. It names the vault where the call did. */
export const pasted = (words: readonly string[], vault: { root: string; by: string }): string =>
  ["notewright", ...words, ...(vault.by === "argument" ? [vault.root] : [])].map(shellWord).join(" ");
