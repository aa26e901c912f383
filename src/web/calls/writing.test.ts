import { afterEach, expect, test } from "vitest";
import { openVault, type TestVault } from "../../../test/vault.ts";
import { NoteError } from "../../markdown/errors.ts";
import { bounded, resultOf } from "../../protocol/answers.ts";
import type { Brought, Saved } from "../wire.ts";
import { writingCalls } from "./writing.ts";

const [save] = writingCalls;
const WHO = { client: "someone", surface: "page", tool: "save", connection: "" };
const MiB = 1024 * 1024;

const closing: TestVault[] = [];
afterEach(async () => {
  for (const vault of closing.splice(0)) await vault.close();
});
const openedWith = async (notes: Record<string, string>, { folder = false } = {}) => {
  const vault = await openVault({ folder });
  closing.push(vault);
  const notebook = vault.notebook.as(WHO);
  for (const [path, text] of Object.entries(notes)) await notebook.write(path as never, text);
  return {
    notebook,
    vault,
    versionOf: async (path: string) => (await notebook.read(path as never)).version,
    textOf: async (path: string) => (await notebook.read(path as never)).text,
    /** As it goes out: an answer too large for the wire is refused. */
    async save(path: string, text: string, version: string | null): Promise<Saved> {
      const answer = await save!.run(notebook, { path, text, version });
      bounded(save!, resultOf(answer));
      return answer as Saved;
    },
  };
};

const put = (text: string, brought: Brought[]): string =>
  brought
    .toReversed()
    .reduce((made, { from, to, text: it }) => made.slice(0, from) + it + made.slice(to), text);

test("a note of 8 MiB is saved, and the answer says so", async () => {
  const { save, textOf, versionOf } = await openedWith({ "Long.md": "Short.\n" });
  const text = "Words of a long note.\n".repeat((7.9 * MiB) / 22);
  const saved = await save("Long.md", text, await versionOf("Long.md"));
  expect(saved).toMatchObject({ kind: "saved", version: await versionOf("Long.md") });
  expect(await textOf("Long.md")).toBe(text);
  expect(await save("Long.md", text, await versionOf("Long.md"))).toMatchObject({
    kind: "saved",
    version: await versionOf("Long.md"),
  });
});

test("what others wrote comes as places of the text that was sent; too much of it is left out", async () => {
  const text = "# Pond\r\n\r\nIt is deep.\r\n\r\nIt is cold.\r\n";
  const { save, textOf, versionOf, vault } = await openedWith({ "Pond.md": text }, { folder: true });
  const version = await versionOf("Pond.md");
  await vault.put("Pond.md", text.replace("deep", "very deep").replace("# Pond", "# A pond"));
  const mine = `${text}Mine.\r\n`;
  const saved = await save("Pond.md", mine, version);
  if (saved.kind !== "merged") throw new Error(saved.kind);
  expect(saved.brought!.length).toBe(2);
  expect(put(mine, saved.brought!)).toBe(await textOf("Pond.md"));
  expect(saved.version).toBe(await versionOf("Pond.md"));

  await vault.put("Pond.md", `${"Theirs.\r\n".repeat(300_000)}${await textOf("Pond.md")}`);
  const more = await save("Pond.md", `${put(mine, saved.brought!)}More.\r\n`, saved.version);
  expect(more).toMatchObject({ kind: "merged", brought: null, version: await versionOf("Pond.md") });
  expect(await textOf("Pond.md")).toContain("More.");
});

test("both sides of a long note are told of in an answer that goes out", async () => {
  const { save, textOf, versionOf, vault } = await openedWith({ "Long.md": "One.\n" });
  const version = await versionOf("Long.md");
  const theirs = "Их слова.\n".repeat(200_000);
  await vault.put("Long.md", theirs);
  const saved = await save("Long.md", "Мои слова.\n".repeat(200_000), version);
  expect(saved).toMatchObject({ kind: "conflict", version: await versionOf("Long.md") });
  expect(await textOf("Long.md")).toBe(theirs);
});

test("a new note whose name is taken is shown beside what is there", async () => {
  const { save, textOf } = await openedWith({ "Pond.md": "Theirs.\n" });
  expect((await save("Pond.md", "Mine.\n", null)).kind).toBe("conflict");
  expect(await textOf("Pond.md")).toBe("Theirs.\n");
});

test("a note that is not there any more is refused, with its new name where it has one", async () => {
  const { notebook, save, versionOf } = await openedWith(
    { "Pond.md": "It is deep.\n", "Gone.md": "It goes.\n" },
    { folder: true },
  );
  const refused = (path: string, version: string) =>
    save(path, "Mine.\n", version).catch((error: NoteError) => error);
  const [pond, gone] = [await versionOf("Pond.md"), await versionOf("Gone.md")];
  await notebook.move([{ from: "Pond.md" as never, to: "Lake.md" as never }]);
  await notebook.remove("Gone.md" as never);
  expect(await refused("Pond.md", pond)).toMatchObject({
    code: "note_missing",
    details: { movedTo: "Lake.md" },
  });
  expect(await refused("Gone.md", gone)).toMatchObject({ code: "note_missing" });
  expect(await save("Lake.md", "It is deep.\nMine.\n", pond)).toMatchObject({ kind: "saved" });
});
