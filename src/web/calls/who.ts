/** Who may call: identities and what the owner allowed to apps, when they last called, and an end to each. */

import { z } from "zod";
import { NoteError } from "../../markdown/errors.ts";
import type { Identity } from "../../identity/identity.ts";
import type { LastUse } from "../../identity/last-use.ts";
import { EDITS, READS, tool, type Tool } from "../../surfaces/surface.ts";
import type { Who } from "../wire.ts";

export type WhoParts = {
  /** Where the vault is: identities may be for others. */
  place: string;
  identities: PageIdentities;
  /** Null where nobody keeps them. */
  lastUses(): LastUse | null;
};

/** Who may call; they may be kept elsewhere. */
export type PageIdentities = {
  list(): readonly Identity[] | Promise<readonly Identity[]>;
  /** Whether there was one of that name. */
  remove(name: string): Promise<boolean>;
};

export const whoCalls = ({ place, identities, lastUses }: WhoParts): Tool[] => [
  tool({
    name: "who",
    description: "Who may call over HTTP, with which rights, and when they last did.",
    annotations: READS,
    input: z.object({}),
    async run(): Promise<{ who: Who[] }> {
      const uses = lastUses();
      const here = (await identities.list()).filter(({ vault }) => vault === null || vault === place);
      return {
        who: here.map(({ name, rights, folders, surfaces, made, consent, vault }) => ({
          name,
          rights,
          folders: folders === "all" ? null : [...folders],
          surfaces: surfaces === "all" ? null : [...surfaces],
          made: made === "" ? null : made,
          lastUse: uses && (uses[name] ?? "never"),
          signsIn: consent !== undefined,
          everywhere: vault === null,
        })),
      };
    },
  }),
  tool({
    name: "remove-identity",
    description: "Ends the access of one of them, from its next request on.",
    annotations: EDITS,
    input: z.object({ name: z.string() }),
    async run(_, { name }) {
      if (!(await identities.remove(name)))
        throw new NoteError("input_refused", `There is no identity "${name}" any more.`);
      return { removed: name };
    },
  }),
];
