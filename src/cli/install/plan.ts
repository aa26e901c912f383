/** What connecting or disconnecting does to a configuration: pure, from its text to its text. */

import { getNodeValue } from "jsonc-parser";
import type { Client, Entry } from "./clients.ts";
import { changesTo, freeName, oursIn, type Ours } from "./entries.ts";
import { treeOf, withValue } from "./json-edits.ts";

/** `after` is null where the file goes; the same as before where nothing changes. */
export type Plan = { name: string; after: string | null; keep: "copy" | "as it is" | "no copy" };

const isEmpty = (text: string | null): boolean => text === null || text.trim() === "";

/** The servers that a configuration lists; none where it is empty. */
export const serversIn = (text: string | null, { key }: Pick<Client, "key">): Entry => {
  if (isEmpty(text)) return {};
  const root = getNodeValue(treeOf(text!, [key])) as Entry;
  return (root[key] ?? {}) as Entry;
};

const withEntry = (text: string | null, path: [string, string], entry: Entry): string => {
  const [key, name] = path;
  if (!isEmpty(text)) return withValue(text!, path, entry);
  const eol = text?.includes("\r\n") ? "\r\n" : "\n";
  return `${JSON.stringify({ [key]: { [name]: entry } }, null, 2)}\n`.replaceAll("\n", eol);
};

/** Whether `copy` is what the configuration was before our entry came, and nothing else has changed since. */
const isOnlyOurs = (text: string, copy: string | null, path: [string, string], entry: Entry): boolean => {
  try {
    return (
      !Object.hasOwn(serversIn(copy, { key: path[0] }), path[1]) && withEntry(copy, path, entry) === text
    );
  } catch {
    return false;
  }
};

/** Connects: `found` is the entry that is renewed, if there is one; `called` names a new one after what it serves. */
export const planInstall = (
  text: string | null,
  client: Pick<Client, "key">,
  { entry, found, called }: { entry: Entry; found: Ours | undefined; called: string },
  copy: string | undefined,
): Plan => {
  const servers = serversIn(text, client);
  if (!found) {
    const name = freeName(servers, called);
    return { name, after: withEntry(text, [client.key, name], entry), keep: "copy" };
  }
  const { name } = found;
  const after = Object.entries(changesTo(found.entry, entry)).reduce(
    (each, [key, value]) => withValue(each, [client.key, name, key], value),
    text!,
  );
  // A copy from before the first entry serves longer than one that has it.
  const older = copy !== undefined && isOnlyOurs(text!, copy, [client.key, name], found.entry);
  return { name, after, keep: older ? "as it is" : "copy" };
};

/** Disconnects. Where nothing but our entry came since it was connected, the configuration is again what it was, byte for byte. */
export const planUninstall = (
  text: string,
  { key }: Pick<Client, "key">,
  { name, entry }: Ours,
  copy: string | undefined,
): Plan => {
  const path: [string, string] = [key, name];
  const earlier = copy ?? null;
  if (isOnlyOurs(text, earlier, path, entry)) return { name, after: earlier, keep: "no copy" };
  return { name, after: withValue(text, path, undefined), keep: "copy" };
};

export const oursFor = (
  text: string | null,
  client: Pick<Client, "key">,
  matches: (ours: Ours) => boolean,
): Ours[] => oursIn(serversIn(text, client)).filter(matches);
