/** What tokens are for: each vault is one audience, under every address that serves it; and the two scopes. */

export const READ = "notes:read";
export const WRITE = "notes:write";
export const SCOPES: readonly string[] = [READ, WRITE];

export type Resource = {
  /** The address, as the metadata of the resource has it. */
  address: string;
  /** The real path of the vault, which identities are bound to. */
  place: string;
  /** What the owner calls it. */
  title: string;
};
