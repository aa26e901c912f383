/** A vault opened for one command of the terminal, and closed when that is done. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { escaped } from "../markdown/label.ts";
import { HOME } from "../notebook/vault-path.ts";
import { failureLine } from "../protocol/failure.ts";
import { openFolder, type FolderSettings, type Open } from "../vault/open.ts";
import { progressOn } from "./progress.ts";
import { checkedTimeZone, placesOf, type Environment, type Settings } from "./settings.ts";
import { noVault, sayVault, vaultOf, type Vault } from "./which-vault.ts";

export type Opened = Open & { vault: Vault };

export type Opening = {
  /** How the command is called with a vault, for whoever named none. */
  call: string;
  /** The folder that was given, if any. */
  folder: string | undefined;
  /**
   * `look`: nothing is written. `recorded`: to change what the history holds, so where nothing of ours is there nothing is written either. `change`: to
   * write.
   */
  to: "look" | "recorded" | "change";
};

export const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

/** How a command of the terminal opens a vault, whatever it is for. */
export const folderSettings = (
  { values }: Settings,
  environment: Environment,
  { readOnly }: { readOnly: boolean },
): FolderSettings => ({
  readOnly,
  ...placesOf(values),
  durability: "full",
  history: true,
  outsideAuthor: values["outside-author"],
  timeZone: checkedTimeZone(values["time-zone"]),
  locale: values.locale,
  environment,
  report: (what, error) => say(`notewright: ${failureLine(what, error)}`),
  tell: (sentence) => say(`notewright: ${escaped(sentence)}`),
});

/** The vault that the command is about, said where the call did not name it. */
export const chosenVault = ({ call, folder }: Omit<Opening, "to">, environment: Environment): Vault => {
  const vault = vaultOf(folder, { environment });
  if (vault === null) throw noVault(call);
  sayVault(vault, environment);
  return vault;
};

/** Opens the vault, does the work, closes it. To write, it is first brought up to date with what others wrote. */
export async function withVault<T>(
  opening: Opening,
  settings: Settings,
  environment: Environment,
  work: (open: Opened) => Promise<T>,
): Promise<T> {
  return inVault(chosenVault(opening, environment), opening.to, settings, environment, work);
}

export async function inVault<T>(
  vault: Vault,
  to: Opening["to"],
  settings: Settings,
  environment: Environment,
  work: (open: Opened) => Promise<T>,
): Promise<T> {
  const nothingYet = settings.values["history-dir"] === undefined && !existsSync(join(vault.root, HOME));
  const readOnly = to === "look" || (to === "recorded" && nothingYet);
  const open = await openFolder(vault.root, folderSettings(settings, environment, { readOnly }));
  try {
    if (!readOnly) await open.catchUp(progressOn(process.stderr, environment));
    return await work({ ...open, vault });
  } finally {
    await open.close();
  }
}
