/** The command `token`: who may call over HTTP. */

import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { NoteError } from "../markdown/errors.ts";
import { closestWord } from "../markdown/closest-word.ts";
import { escaped } from "../markdown/label.ts";
import { identitiesFile, readIdentities, changeIdentities } from "../identity/file.ts";
import { NAME, type Identity } from "../identity/identity.ts";
import { lastUseFile, readLastUse, type LastUse } from "../identity/last-use.ts";
import { newToken, secretOf } from "../identity/token.ts";
import { folderPath } from "../notebook/paths.ts";
import { surfaceNames } from "../surfaces/all.ts";
import { expandHome, usageError, type Environment, type Settings } from "./settings.ts";

type Wanted = Partial<Pick<Identity, "vault" | "folders" | "surfaces">> & Pick<Identity, "name" | "rights">;

/** Adds an identity to the file and gives its token, which is kept nowhere. */
export const addIdentity = async (file: string, wanted: Wanted): Promise<string> => {
  const token = newToken();
  const identity: Identity = {
    vault: null,
    folders: "all",
    surfaces: "all",
    ...wanted,
    secret: await secretOf(token),
    made: new Date().toISOString(),
  };
  await changeIdentities(file, (known) => {
    if (known.some(({ name }) => name === wanted.name))
      throw new NoteError(
        "input_refused",
        `There is an identity "${wanted.name}" already. Remove it first: notewright token remove ${wanted.name}.`,
      );
    return [...known, identity];
  });
  return token;
};

const add = async (file: string, name: string, values: Settings["values"]): Promise<void> => {
  if (!NAME.test(name))
    throw usageError(`"${name}" cannot be a name: letters, digits, blanks and ._@-, at most 63.`);
  const rights = values.rights as Identity["rights"] | undefined;
  if (rights === undefined) throw usageError("Say what it may do: --rights read, propose, write or admin.");
  const surfaces = values.tools?.split("\n");
  for (const each of surfaces ?? [])
    if (!surfaceNames.includes(each))
      throw usageError(`There are no tools called "${each}". The surfaces are: ${surfaceNames.join(", ")}.`);
  const vault = values.vault === undefined ? null : realpathSync(expandHome(values.vault));
  const folders = values.folder?.split("\n").map(folderPath);
  const token = await addIdentity(file, {
    name,
    rights,
    vault,
    folders: folders === undefined || folders.includes("") ? "all" : folders,
    surfaces: surfaces ?? "all",
  });
  for (const folder of folders ?? [])
    if (vault !== null && !existsSync(join(vault, folder)))
      process.stderr.write(`There is no folder "${folder}" in ${vault} yet.\n`);
  if (values.json) return void process.stdout.write(`${JSON.stringify({ name, token })}\n`);
  process.stdout.write(`${token}\n`);
  process.stderr.write(
    `This token of "${name}" is shown once. A client sends it as: Authorization: Bearer TOKEN\n`,
  );
};

const list = (file: string, values: Settings["values"], uses: LastUse): void => {
  for (const { secret: _, ...identity } of readIdentities(file)) {
    const { name, rights, vault, folders, surfaces, consent } = identity;
    const lastUse = uses[name] ?? null;
    const columns = [
      name.padEnd(20),
      rights.padEnd(7),
      lastUse === null ? "never called    " : lastUse.slice(0, 16).replace("T", " "),
      vault ?? "every vault",
      folders === "all" ? "all folders" : folders.join(", "),
      surfaces === "all" ? "all tools" : surfaces.join(", "),
      ...(consent === undefined ? [] : ["signed in by OAuth"]),
    ];
    const line = values.json ? JSON.stringify({ ...identity, lastUse }) : escaped(columns.join("  "));
    process.stdout.write(`${line}\n`);
  }
};

const remove = async (file: string, name: string): Promise<void> => {
  await changeIdentities(file, (known) => {
    const left = known.filter((identity) => identity.name !== name);
    if (left.length < known.length) return left;
    const closest = closestWord(
      name,
      known.map((identity) => identity.name),
    );
    throw new NoteError(
      "input_refused",
      `There is no identity "${name}".${closest ? ` Did you mean "${closest}"?` : ""} See notewright token list.`,
    );
  });
  process.stderr.write(`"${name}" is removed; its token is refused from the next request on.\n`);
};

export const run = async ({ values, rest }: Settings, environment: Environment): Promise<void> => {
  const [what = "", name, ...more] = rest;
  const file = identitiesFile(environment, homedir());
  if (more.length > 0) throw usageError(`token ${what} takes one name, not ${more.length + 1}.`);
  if (what === "list" && name === undefined)
    return list(file, values, readLastUse(lastUseFile(environment, homedir())));
  if (what !== "add" && what !== "remove")
    throw usageError(`token cannot "${what}". It is one of: add NAME, list, remove NAME.`);
  if (name === undefined) throw usageError(`Name the identity: notewright token ${what} NAME.`);
  return what === "add" ? add(file, name, values) : remove(file, name);
};
