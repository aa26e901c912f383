/** A vault with a client on each surface, in a folder of its own that has neighbours: what happens outside is seen. */

import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { openSurfaces, type AllSurfaces } from "../all-surfaces.ts";
import { BASE, type Call, type Dialect } from "./dialects.ts";

export const SECRET = "what lies outside";

export type Ground = AllSurfaces & {
  root: string;
  /** A folder beside the vault whose name begins like the vault's. */
  sibling: string;
  outside: string;
  /** Puts a file into the vault as another program does, and lets it be noticed. */
  plant(path: string, content: string | Uint8Array): Promise<void>;
  noticed(): Promise<void>;
  /** Every file and link of the vault but our own folder, and everything beside it. */
  everything(): Record<string, string>;
  /** Asked in this dialect, it is refused, and nothing anywhere has changed. Gives the words of the refusal. */
  turnedAway(dialect: Dialect, call: Call): Promise<string>;
  /** Whatever is answered, nothing outside has changed and nothing of it is told. */
  unharmed(dialect: Dialect, call: Call): Promise<string>;
};

/** Of what is too large to be compared, its size and time. */
const contentOf = (at: string): string => {
  const { size, mtimeMs } = lstatSync(at);
  return size > 16 * 1024 * 1024 ? `${size} ${mtimeMs}` : readFileSync(at, "latin1");
};

const treeOf = (folder: string, found: Record<string, string> = {}): Record<string, string> => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = join(folder, entry.name);
    if (entry.name === ".notewright") continue;
    if (entry.isDirectory()) treeOf(at, found);
    else if (entry.isSymbolicLink()) found[at] = `-> ${readlinkSync(at)}`;
    else found[at] = entry.isFile() ? contentOf(at) : `special ${lstatSync(at).mode}`;
  }
  return found;
};

export const openGround = async (): Promise<Ground> => {
  const all = await openSurfaces({ folder: true });
  const root = all.vault.root!;
  const [sibling, outside] = [`${root}-evil`, `${root}.outside`];
  for (const folder of [sibling, outside]) {
    mkdirSync(join(folder, "inner"), { recursive: true });
    writeFileSync(join(folder, "secret.md"), `# Secret\n\n${SECRET}\n`);
    writeFileSync(join(folder, "inner/secret.md"), `${SECRET}\n`);
  }
  const noticed = async () => void (await all.vault.notebook.refresh());
  const plant = async (path: string, content: string | Uint8Array): Promise<void> => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    await noticed();
  };
  await plant(
    `.llm_bridges/knowledge_base/${BASE}/meta.md`,
    `---\ndescription: d\nsubfolder: ${BASE}\n---\n\nr\n`,
  );
  await plant(`${BASE}/there.md`, "# There\n\nWords.\n");
  await plant("there.md", "# There\n\nWords.\n");
  const outsideNow = () => ({ ...treeOf(sibling), ...treeOf(outside) });
  const everything = () => ({ ...treeOf(root), ...outsideNow() });
  const said = async (surface: string, [tool, input]: Call) => {
    const answer = await all.call(surface, tool, input);
    const text = answer.content.map((block) => block.text).join("\n");
    expect(text).not.toContain(SECRET);
    // What the caller said himself may be said back.
    if (!JSON.stringify(input).includes(root)) expect(text).not.toContain(root);
    expect(text).not.toMatch(/^Internal error/);
    return { text, isError: answer.isError === true };
  };
  return {
    ...all,
    root,
    sibling,
    outside,
    plant,
    noticed,
    everything,
    async turnedAway({ surface }, call) {
      const before = everything();
      const { text, isError } = await said(surface, call);
      expect(isError, text).toBe(true);
      expect(everything()).toEqual(before);
      return text;
    },
    async unharmed({ surface }, call) {
      const before = outsideNow();
      const { text } = await said(surface, call);
      expect(outsideNow()).toEqual(before);
      return text;
    },
    async close() {
      await all.close();
      for (const folder of [sibling, outside]) rmSync(folder, { recursive: true, force: true });
    },
  };
};
