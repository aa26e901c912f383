/** Keeps what Obsidian's settings files say, and reads them again when one has changed. */

import { NoteError } from "../../markdown/errors.ts";
import { decodeText } from "../note.ts";
import type { Parts } from "../parts.ts";
import {
  NO_SETTINGS,
  readSettings,
  type SettingsText,
  type SettingsTrouble,
  type VaultSettings,
} from "./vault-settings.ts";
import type { SettingsStat } from "./settings-files.ts";

/** Obsidian's own are a few kilobytes. */
const SETTINGS_LIMIT = 256 * 1024;
/** A file saved this shortly before it was read may be saved again under the same stamp. */
const RACY_MS = 2000;

export function settingsKeeper(parts: Pick<Parts, "store" | "rules" | "now">): () => Promise<VaultSettings> {
  let known: string | null = null;
  let settings = NO_SETTINGS;
  return async () => {
    const listed = await parts.store.settings();
    if (listed === null) return NO_SETTINGS;
    const state = listed.map(({ path, stamp }) => `${path}\n${stamp}`).join("\n");
    if (state === known) return settings;
    const troubles: SettingsTrouble[] = [];
    const texts: SettingsText[] = [];
    for (const stat of listed) {
      const text = await textOf(parts, stat);
      if (typeof text === "string") texts.push({ path: stat.path, text });
      else troubles.push({ file: stat.path, what: `${text.unread}, and is left out` });
    }
    settings = readSettings(texts, parts.rules, troubles);
    const sure = listed.every(({ changed }) => parts.now().getTime() - changed.getTime() >= RACY_MS);
    known = sure ? state : null;
    return settings;
  };
}

async function textOf(
  { store }: Pick<Parts, "store">,
  { path, size, unread }: SettingsStat,
): Promise<string | { unread: string }> {
  if (unread !== undefined) return { unread };
  if (size > SETTINGS_LIMIT) return { unread: `is larger than ${SETTINGS_LIMIT / 1024} KiB` };
  try {
    const file = await store.read(path);
    if (!file || file.bytes.length > SETTINGS_LIMIT) return { unread: "changed while it was read" };
    return decodeText(file.bytes) ?? { unread: "is not UTF-8 text" };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return { unread: "could not be read" };
  }
}
