/** Two copies of a vault in this process, carried to and fro as `push` and `pull` do, and cut short where a test wants it. */

import { blobId } from "../src/disk/hash.ts";
import { readAgreed, writeLines } from "../src/sync/agreed.ts";
import { carry, type Done } from "../src/sync/carry.ts";
import { planCarrying } from "../src/sync/plan.ts";
import { notebookSide, wholeOf, type Side } from "../src/sync/side.ts";
import { openVault, type TestVault } from "./vault.ts";

export type Copies = {
  here: TestVault;
  there: TestVault;
  /** What was agreed on, as the file holds it. */
  text: string;
  close(): Promise<void>;
};

export const openCopies = async (): Promise<Copies> => {
  const [here, there] = [await openVault({ folder: true }), await openVault({ folder: true })];
  return {
    here,
    there,
    text: "",
    async close() {
      await here.close();
      await there.close();
    },
  };
};

const WHO = { client: "tester", surface: "sync", tool: "push", connection: "" };

/** Called before each step that a kill may fall on; throws to be killed there. */
export type Cut = () => void;

export const carried = async (
  copies: Copies,
  verb: "push" | "pull",
  cut: Cut = () => undefined,
): Promise<Done[]> => {
  const sides = [copies.here, copies.there].map(({ notebook }) => notebookSide(notebook.as(WHO)));
  const [here, there] = sides as [Side, Side];
  const [source, target] = verb === "push" ? [here, there] : [there, here];
  const to = verb === "push" ? "there" : "here";
  // As the file is: a line that was cut short does not swallow the next.
  copies.text = writeLines(readAgreed(copies.text).lines());
  const plan = planCarrying(await wholeOf(source), await wholeOf(target), readAgreed(copies.text), to);
  return carry(plan, {
    source,
    target: {
      ...target,
      async apply(brought, message) {
        cut();
        await target.apply(brought, message);
        cut();
      },
    },
    to,
    versionOf: blobId,
    dryRun: false,
    record(lines) {
      cut();
      copies.text += writeLines(lines);
      cut();
    },
    progress: () => undefined,
  });
};

/** The notes of a copy, without what lies in its trash. */
export const notesOf = async (vault: TestVault): Promise<Record<string, string>> =>
  Object.fromEntries([...(await vault.state())].filter(([path]) => !path.startsWith(".trash/")).toSorted());
