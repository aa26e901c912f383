/** Inside: which paths lie in the folders that a caller is kept to. Case counts, so that of two folders that differ by case only one is meant; Unicode form does not. */

/** Tells whether a path lies in one of the folders. */
export type Inside = (path: string) => boolean;

/** What the paths inside begin with. */
export const prefixesOf = (folders: readonly string[]): string[] => [
  ...new Set(folders.flatMap((folder) => [`${folder.normalize("NFC")}/`, `${folder.normalize("NFD")}/`])),
];

export function insideOf(folders: readonly string[]): Inside {
  const prefixes = prefixesOf(folders);
  return (path) => prefixes.some((prefix) => path.startsWith(prefix));
}
