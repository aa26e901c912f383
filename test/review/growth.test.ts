/** Growth: what is proposed and accepted costs each note no more, however many there are. Processor time, held to that of fewer notes. */

import { afterEach, expect, it } from "vitest";
import { encodeText } from "../../src/notebook/note.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { openVault, type TestVault } from "../vault.ts";
import { onlyOne } from "./sides.ts";

const SIZES = [250, 1000] as const;
/** The notes grow fourfold: a cost that grows with them shows as 16, noise as 5 or 6. */
const SLACK = 8;
/** Under a few milliseconds, what is measured is the machine. */
const FLOOR = 20;

let vault: TestVault;
afterEach(() => vault.close());

/** As many notes in `moved`, in `gone`, and others that link to one of each. */
async function made(size: number): Promise<void> {
  vault = await openVault({ folder: false });
  const puts = Array.from({ length: size }, (_, at) => [
    { path: notePath(`moved/m${at}.md`), bytes: encodeText(`text ${at}\n`) },
    { path: notePath(`gone/g${at}.md`), bytes: encodeText(`text ${at}\n`) },
    {
      path: notePath(`linking ${at}.md`),
      bytes: encodeText(`See [[g${at}]] and [[moved/m${at}]].\n${"And more words.\n".repeat(20)}`),
    },
  ]).flat();
  await vault.parts.store.alone(() => vault.parts.store.apply(puts));
  await vault.notebook.refresh();
}

async function spent(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const who = { client: "claude", surface: "native", tool: "t", connection: "c", program: "p" };

/** Milliseconds to propose that notes move and go, and to accept it. */
async function costs(moves: boolean, size: number): Promise<{ propose: number; accept: number }> {
  await made(size);
  const { notebook } = vault;
  const assistant = notebook.as({ ...who, rights: "propose" });
  const propose = await spent(async () => {
    if (moves)
      await assistant.move(
        Array.from({ length: size }, (_, at) => ({
          from: notePath(`moved/m${at}.md`),
          to: notePath(`there/m${at}.md`),
        })),
      );
    await assistant.remove({ folder: "gone" }, { trash: true, backlinks: "mark" });
  });
  const id = await onlyOne({ vault });
  const accept = await spent(() => notebook.proposals.accept(id));
  const text = (await notebook.read(notePath("linking 7.md"))).text;
  expect(text?.split("\n")[0]).toBe(`See [[g7 (deleted)]] and [[${moves ? "there" : "moved"}/m7]].`);
  return { propose, accept };
}

it.each([
  ["the removal of a folder", false],
  ["the move of many notes and the removal of others", true],
])("%s costs each note no more", async (_, moves) => {
  await costs(moves, 50);
  await vault.close();
  const few = await costs(moves, SIZES[0]);
  await vault.close();
  const many = await costs(moves, SIZES[1]);
  for (const key of ["propose", "accept"] as const) {
    const said = `${key}, ms: ${few[key].toFixed(0)} → ${many[key].toFixed(0)}`;
    expect(many[key], said).toBeLessThan(Math.max(FLOOR, few[key]) * SLACK);
  }
});
