import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withVault, type TestVault } from "../../test/vault.ts";
import { runs } from "../../test/soak-size.ts";
import { notePath } from "./paths.ts";

const move = (vault: TestVault, from: string, to: string, backlinks: "rewrite" | "leave" = "rewrite") =>
  vault.notebook.move([{ from: notePath(from), to: notePath(to) }], { backlinks });

describe("laws", () => {
  const names = ["a", "b", "c", "d"];
  const folders = ["", "f/", "f/g/", "h/"];
  const place = fc
    .tuple(fc.constantFrom(...folders), fc.constantFrom(...names))
    .map(([folder, name]) => `${folder}${name}.md`);
  const target = fc.oneof(
    fc.constantFrom(...names),
    place.map((path) => path.slice(0, -3)),
  );
  const link = fc.oneof(
    target.map((to) => `[[${to}]]`),
    target.map((to) => `[[${to}|x]]`),
    target.map((to) => `[x](${to}.md)`),
    target.map((to) => `[x](../${to}.md#h)`),
    fc.constant("`[[a]]` text"),
  );
  const text = fc.array(link, { maxLength: 5 }).map((links) => `${links.join(" and ")}\n`);
  const vaults = fc.dictionary(place, text, { minKeys: 2, maxKeys: 8 });

  const meanings = async (
    vault: TestVault,
    rename: (path: string | null) => string | null,
  ): Promise<string[]> => {
    const all: string[] = [];
    for (const path of (await vault.state()).keys())
      for (const link of await vault.notebook.links({ from: notePath(path) }))
        all.push(`${rename(path)} > ${rename(link.path)}`);
    return all.toSorted();
  };

  test("after a move every link that meant a note means that note", async () => {
    await fc.assert(
      fc.asyncProperty(vaults, place, fc.nat(), async (notes, to, pick) => {
        const from = Object.keys(notes).toSorted()[pick % Object.keys(notes).length]!;
        fc.pre(!(to in notes));
        await withVault(notes, async (vault) => {
          const before = (await meanings(vault, (path) => (path === from ? to : path))).filter(
            (line) => !line.endsWith("> null"),
          );
          await move(vault, from, to);
          const after = await meanings(vault, (path) => path);
          for (const line of new Set(before))
            expect(after.filter((other) => other === line).length).toBeGreaterThanOrEqual(
              before.filter((other) => other === line).length,
            );
        });
      }),
      runs(120),
    );
  });

  test("there and back gives every byte back, where names are unlike, relative links the shortest, and it is not through the root", async () => {
    const unlike = fc.uniqueArray(place, {
      minLength: 2,
      maxLength: 4,
      selector: (path) => path.split("/").at(-1),
    });
    const forms = fc.array(
      fc.tuple(fc.nat(), fc.constantFrom("name", "path", "relative", "label", "embed")),
      { maxLength: 6 },
    );
    const written = (from: string, to: string, form: string): string => {
      const full = to.slice(0, -3);
      const name = posix.basename(full);
      if (form === "path") return `[[${full}]]`;
      if (form === "relative") return `[x](${posix.relative(posix.dirname(from), to)}#h)`;
      return form === "name" ? `[[${name}]]` : form === "label" ? `[[${name}|x]]` : `![[${name}#h]]`;
    };
    await fc.assert(
      fc.asyncProperty(
        unlike,
        fc.array(forms, { minLength: 4, maxLength: 4 }),
        fc.constantFrom("f/", "z/"),
        async (paths, all, folder) => {
          const notes = Object.fromEntries(
            paths.map((path, at) => [
              path,
              all[at]!.map(([pick, form]) => written(path, paths[pick % paths.length]!, form)).join(" "),
            ]),
          );
          await withVault(notes, async (vault) => {
            const before = await vault.state();
            await move(vault, paths[0]!, `${folder}new name.md`);
            await move(vault, `${folder}new name.md`, paths[0]!);
            expect(await vault.state()).toEqual(before);
          });
        },
      ),
      runs(120),
    );
  });
});
