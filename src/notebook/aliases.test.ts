import { afterAll, beforeAll, expect, test } from "vitest";
import { openVault, type TestVault } from "../../test/vault.ts";
import { setField } from "../markdown/field-edits.ts";
import { withFreeAliases, type Claims } from "./aliases.ts";
import { notePath } from "./paths.ts";

let vault: TestVault;
beforeAll(async () => {
  vault = await openVault({ folder: false });
  // Another program may have given two notes one alias.
  await vault.notebook.write(notePath("a.md"), "---\naliases: [shared]\n---\n");
  await vault.notebook.write(notePath("b.md"), "---\naliases: [shared, own]\n---\n");
});
afterAll(() => vault.close());

const setAliases = (claims: Claims, aliases: string[]) =>
  withFreeAliases(vault.notebook, claims, (guard) =>
    vault.notebook.edit([{ path: notePath("b.md"), edits: [setField("aliases", aliases)] }], {
      guard,
      dryRun: true,
    }),
  );
const taken = { code: "alias_taken", details: { alias: "shared", path: "a.md" } };

test("an alias that the note has already is refused only where all must be free", async () => {
  await expect(setAliases("new", ["shared"])).resolves.toMatchObject({ dryRun: true });
  await expect(setAliases("all", ["shared"])).rejects.toMatchObject(taken);
});

test("an alias of another note is refused, a new one and the note's own are not", async () => {
  await expect(setAliases("all", ["own", "fresh"])).resolves.toMatchObject({ dryRun: true });
  await vault.notebook.write(notePath("b.md"), "");
  await expect(setAliases("new", ["fresh", "shared"])).rejects.toMatchObject(taken);
});
