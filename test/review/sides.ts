/** A small vault with calls on it by somebody who proposes, or by somebody who writes at once. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { toolCalls } from "../../src/protocol/calls.ts";
import type { Principal } from "../../src/protocol/principal.ts";
import { openSession } from "../../src/protocol/session.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { EARLIER, LATEST, NOTES } from "../faults/tools.ts";
import { surfaces } from "../surfaces.ts";
import { openVault, type TestVault } from "../vault.ts";

export type Side = {
  vault: TestVault;
  call(surface: string, tool: string, input: object): Promise<CallToolResult>;
  /** The same as another client; where it has no name, by the one that its program gives. */
  as(principal: Partial<Principal>, client?: string): Side["call"];
  /** The ids of all revisions, oldest last. */
  revisions(): Promise<string[]>;
};

const NOBODY: Principal = { name: "claude", rights: "admin", folders: "all", surfaces: "all" };

export async function openSide(
  rights: Principal["rights"],
  { folder = true, notes = NOTES }: { folder?: boolean; notes?: Record<string, string> } = {},
): Promise<Side> {
  const vault = await openVault({ folder });
  for (const [path, text] of Object.entries(notes)) {
    if (vault.root === null) await vault.put(path, text);
    else {
      mkdirSync(dirname(join(vault.root, path)), { recursive: true });
      writeFileSync(join(vault.root, path), text);
    }
  }
  await vault.notebook.refresh();
  const gamma = notePath("folder/Gamma.md");
  if (folder && notes === NOTES) {
    await vault.notebook.record(vault.parts.store, new AbortController().signal);
    await vault.notebook.edit([{ path: gamma, edits: [(text) => `${text}\nA second version.\n`] }]);
  }
  const [latest, earlier] =
    folder && notes === NOTES ? await vault.notebook.log({ path: gamma, limit: 2 }) : [];
  const log = (line: string): void => void vault.logged.push(line);
  const as =
    (more: Partial<Principal>, client = "Claude"): Side["call"] =>
    async (name, tool, input) => {
      const principal = { ...NOBODY, rights, ...more };
      const surface = surfaces.find((each) => each.name === name)!;
      const session = openSession(surface, vault.notebook, principal, { id: "c", log });
      const calls = toolCalls(surface, vault.notebook, { session, principal, log });
      const said = JSON.stringify(input)
        .replace(EARLIER, earlier?.id ?? "")
        .replace(LATEST, latest?.id ?? "");
      return calls.run(calls.called(tool)!, JSON.parse(said), {
        client,
        signal: new AbortController().signal,
        log: async () => undefined,
      });
    };
  return {
    vault,
    as,
    call: as({}),
    revisions: async () => (await vault.notebook.log({ limit: 1000 })).map(({ id }) => id),
  };
}

/** Every note, rule file and other file by its path, and in a folder also what lies in the trash. */
export async function everythingIn({ vault }: Pick<Side, "vault">): Promise<Record<string, string>> {
  const { notebook, root } = vault;
  const texts = Object.fromEntries(await vault.state());
  const { attachments } = await notebook.files({ folder: "", limit: 100 });
  for (const { path } of attachments) {
    const { bytes } = await notebook.file(path, 1000);
    texts[path] = new TextDecoder().decode(bytes);
  }
  const trash = join(root ?? "", ".trash");
  if (root === null || !existsSync(trash)) return texts;
  for (const name of readdirSync(trash, { recursive: true, withFileTypes: true }))
    if (name.isFile()) {
      const place = join(name.parentPath, name.name);
      texts[relative(root, place)] = readFileSync(place, "utf8");
    }
  return texts;
}

export const textsOf = (answer: CallToolResult): string[] =>
  answer.content.map((block) => (block.type === "text" ? block.text : ""));

/** The id of the one proposal that waits. */
export async function onlyOne({ vault }: Pick<Side, "vault">): Promise<string> {
  const open = await vault.notebook.proposals.list();
  if (open.length !== 1) throw new Error(`${open.length} proposals wait.`);
  return open[0]!.id;
}
