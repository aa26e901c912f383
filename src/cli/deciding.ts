/** What accepting and declining a proposal have in common: which one, which notes of it, by whom, and what its proposer may still do. */

import { homedir } from "node:os";
import { identitiesFile, readIdentities } from "../identity/file.ts";
import type { Who } from "../notebook/change.ts";
import { endingOfOther, linkedPath, namedNote, notePath, type NotePath } from "../notebook/paths.ts";
import type { Proposals } from "../notebook/proposals/proposals.ts";
import { vaultLast } from "./recorded.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";

export type Decision = { id: string; vault: string | undefined; notes: NotePath[] | undefined };

export function decisionIn(command: string, { values, rest }: Settings): Decision {
  const { words, vault } = vaultLast(rest);
  const [id, ...more] = words;
  if (id === undefined)
    throw usageError(`Say which: notewright ${command} ID. notewright proposals lists what waits.`);
  if (more.length > 0) throw usageError(`${command} takes one id. There is no folder "${rest.at(-1)}".`);
  const notes = values["note"]
    ?.split("\n")
    .map((written) => (written.endsWith(".md") ? notePath(written) : fileOrNote(written)));
  return { id, vault, notes };
}

/** Words without `.md` mean a note, unless they end as another kind of file does. */
const fileOrNote = (written: string): NotePath =>
  endingOfOther(written) === null ? namedNote(written) : (linkedPath(written) as NotePath);

/** The owner, at a terminal of their own. */
export const ownerAt = (tool: string, { values }: Settings): Who => ({
  client: values["outside-author"] ?? "someone",
  surface: "cli",
  tool,
  connection: "",
  patience: "endless",
});

/** The folders that an identity is kept to by now; undefined where it may use all, or is none of ours. */
export async function foldersOf(
  { one }: Proposals,
  id: string,
  environment: Environment,
): Promise<readonly string[] | undefined> {
  const { by } = await one(id);
  if (!by.named) return undefined;
  const identity = readIdentities(identitiesFile(environment, homedir())).find(
    ({ name }) => name === by.client,
  );
  return identity === undefined || identity.folders === "all" ? undefined : identity.folders;
}
