/** One vault with a client on each surface: what is set through one is seen through the others. */

import type { Client } from "@modelcontextprotocol/client";
import { expect } from "vitest";
import { surfaces } from "./surfaces.ts";
import { connect } from "./transcript.ts";
import { openVault, type TestVault } from "./vault.ts";

type Answered = { isError?: boolean; content: { text: string }[]; structuredContent?: unknown };
export type AllSurfaces = {
  vault: TestVault;
  call(surface: string, tool: string, input: object): Promise<Answered>;
  /** What it answered, which must be no refusal: the structured content where there is some, else the text. */
  done(surface: string, tool: string, input: object): Promise<any>;
  /** The words of the refusal, which must have left every file and the history as they were. */
  refused(surface: string, tool: string, input: object): Promise<string>;
  close(): Promise<void>;
};

export const openSurfaces = async ({ folder }: { folder: boolean }): Promise<AllSurfaces> => {
  const vault = await openVault({ folder });
  const clients = new Map<string, Client>();
  for (const surface of surfaces) clients.set(surface.name, await connect(surface, vault));
  const everything = async () => ({
    files: Object.fromEntries(await vault.state()),
    revisions: (await vault.notebook.log({ limit: 1000 })).map((revision) => revision.id),
  });
  const call = async (surface: string, name: string, input: object): Promise<Answered> =>
    (await clients
      .get(surface)!
      .callTool({ name, arguments: input as Record<string, unknown> })) as unknown as Answered;
  // The first answer on obsidian carries its opening block.
  await call("obsidian", "get_help", {});
  return {
    vault,
    call,
    async done(surface, tool, input) {
      const answer = await call(surface, tool, input);
      expect(answer.isError, answer.content[0]!.text).toBeFalsy();
      return answer.structuredContent ?? answer.content[0]!.text;
    },
    async refused(surface, tool, input) {
      const before = await everything();
      const answer = await call(surface, tool, input);
      expect(answer.isError, answer.content[0]!.text).toBe(true);
      expect(await everything()).toEqual(before);
      return answer.content[0]!.text;
    },
    async close() {
      expect(vault.logged).toEqual([]);
      for (const client of clients.values()) await client.close();
      await vault.close();
    },
  };
};

/** A rule file as a person writes it. */
export const ruleFile = (subfolder: string, yaml: string): string =>
  `---\nsubfolder: ${subfolder}\n---\n\n## Rules\n\n\`\`\`yaml\n${yaml}\n\`\`\`\n`;
