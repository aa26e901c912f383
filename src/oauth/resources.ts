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

export type Resources = {
  /** What the library is to take, as it wants it. Where there are too many to list, those among `named` that could be one: nobody is told which there are. */
  addresses(named: readonly string[]): { resources: string[]; defaultResource?: string };
  /** What is at an address; null where nothing is. */
  at(address: string | undefined): Resource | null;
};

/** A list that is known beforehand. One vault may be left unnamed by a client; of several it must name one. */
export const listed = (resources: readonly Resource[]): Resources => ({
  addresses() {
    const alone = resources.every(({ place }) => place === resources[0]?.place);
    return {
      resources: resources.map(({ address }) => address),
      ...(alone && resources[0] ? { defaultResource: resources[0].address } : {}),
    };
  },
  at: (address) => resources.find((each) => each.address === address) ?? null,
});
