/** Callers kept to folders, by example: twins, rules of larger bases, texts by version, notes that came inside, changes that reached further. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { NoteError } from "../src/markdown/errors.ts";
import type { Who } from "../src/notebook/change.ts";
import { insideOf } from "../src/notebook/folders/inside.ts";
import { LINES } from "../src/notebook/folders/view.ts";
import type { Notebook } from "../src/notebook/notebook.ts";
import { notePath, type NotePath } from "../src/notebook/paths.ts";
import { firstIndexing } from "../src/notebook/waiting.ts";
import { ruleFile } from "./all-surfaces.ts";
import { openVault, type TestVault } from "./vault.ts";

let vault: TestVault;
let owner: Notebook;
let kept: Notebook;
let remarks: string[];

const WHO: Who = { client: "owner", surface: "native", tool: "test", connection: "1" };
const at = (path: string): NotePath => notePath(path);
const write = (path: string, text: string) => owner.write(at(path), text);
const refusalOf = async (work: Promise<unknown>): Promise<NoteError> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(NoteError);
  return error as NoteError;
};

beforeEach(async () => {
  vault = await openVault({ folder: true });
  remarks = [];
  owner = vault.notebook.as(WHO);
  kept = vault.notebook.as({
    ...WHO,
    client: "ada",
    folders: ["F"],
    remark: (sentence) => void remarks.push(sentence),
  });
});
afterEach(async () => {
  expect(vault.logged).toEqual([]);
  await vault.close();
});

test("with a twin outside, a link means what it means in the whole vault, or nothing; a rewritten one gets its path", async () => {
  await write("Name.md", "outside");
  await write("F/Low/Deep/Name.md", "inside");
  await write("F/From.md", "[[Name]] and [[F/Low/Deep/Name]]");
  await write("F/Low/Other.md", "Other");
  await write("F/Linking.md", "[[Other]]");
  expect((await owner.links({ from: at("F/From.md") })).map(({ path }) => path)).toEqual([
    "Name.md",
    "F/Low/Deep/Name.md",
  ]);
  expect((await kept.links({ from: at("F/From.md") })).map(({ path }) => path)).toEqual([
    null,
    "F/Low/Deep/Name.md",
  ]);
  expect(await kept.locate("Name")).toBe("F/Low/Deep/Name.md");
  await write("Twin.md", "outside");
  await kept.move([{ from: at("F/Low/Other.md"), to: at("F/Low/Twin.md") }]);
  expect((await kept.read(at("F/Linking.md"))).text).toMatch(/^\[\[(F\/Low\/Twin|Low\/Twin)\]\]$/);
});

test("attack 65: folders that only look alike are outside", async () => {
  await write("F/x.md", "zeppelin");
  for (const path of ["f/z.md", "Fx/x.md", "F.md", "G/F/x.md"]) await vault.put(path, "zeppelin");
  const found = await kept.find({ words: "zeppelin" }, { limit: 10, sort: "path" });
  expect(found.notes.map(({ path }) => path)).toEqual(["F/x.md"]);
  expect((await refusalOf(kept.write(at("f/y.md"), "x"))).code).toBe("path_refused");
  expect(insideOf(["Über"])("U\u0308ber/x.md")).toBe(true);
});

test("rules of a base that contains the folder bind; their texts are shown for bases inside", async () => {
  const base = (name: string, folder: string) =>
    `---\nname: ${name}\ndescription: d\nsubfolder: ${folder}\ncreate_time: 2026-01-01T00:00:00Z\n---\n\n## Organization rules\n\nx\n`;
  const rules = ".llm_bridges/knowledge_base";
  await vault.put(`${rules}/large/meta.md`, base("large", "F"));
  await vault.put(
    `${rules}/large/folder_constraints/sub.md`,
    ruleFile("F/Sub", "content:\n  min_length: 20"),
  );
  const below = vault.notebook.as({ ...WHO, folders: ["F/Sub"] });
  expect((await below.bases.book()).bases).toEqual([]);
  expect((await below.bases.book()).constraints).toEqual([]);
  expect((await kept.bases.book()).bases.map(({ name }) => name)).toEqual(["large"]);
  expect((await refusalOf(below.write(at("F/Sub/short.md"), "short"))).code).toBe("rule_broken");
  const add = kept.bases.add({ name: "mine", description: "", subfolder: "F/Mine", organizationRules: "" });
  expect((await refusalOf(add)).code).toBe("path_refused");
});

test("an alias or a name claimed outside refuses nothing", async () => {
  await write("Taken.md", "---\naliases: [Nick]\n---\n");
  await kept.write(at("F/Taken.md"), "---\naliases: [Nick]\n---\n", {
    expect: "absent",
    guard: async (changes) => {
      const found = await kept.find({ alias: "Nick" }, { limit: 5, sort: "path" });
      expect([changes.length, found.total]).toEqual([1, 0]);
    },
  });
});

test("attack 67: a note's past begins when it came inside, and texts of others are given by no version or revision", async () => {
  await write("Secret.md", "first\n");
  const secret = await write("Secret.md", "second\n");
  await owner.move([{ from: at("Secret.md"), to: at("F/Known.md") }]);
  await kept.edit([{ path: at("F/Known.md"), edits: [(text) => `${text}third\n`] }]);
  const log = await kept.log({ path: at("F/Known.md"), limit: 10 });
  expect(log.map(({ author }) => author)).toEqual(["ada", "owner"]);
  expect(await owner.log({ path: at("F/Known.md"), limit: 10 })).toHaveLength(4);
  expect(
    (await kept.log({ limit: 10 })).every(({ changes }) =>
      changes.every(({ path }) => path.startsWith("F/")),
    ),
  ).toBe(true);
  const first = (await owner.log({ limit: 10 })).at(-1)!;
  expect((await refusalOf(kept.revision(first.id))).code).toBe("revision_missing");
  expect((await refusalOf(kept.read(at("F/Known.md"), { revision: secret.revision! }))).code).toBe(
    "revision_missing",
  );
  const version = first.changes[0]!.version!;
  expect((await owner.read(at("F/Known.md"), { version })).text).toBe("first\n");
  for (const path of ["F/Known.md", "Secret.md"])
    expect((await refusalOf(kept.read(at(path), { version }))).code).toBe("revision_missing");
  expect((await refusalOf(kept.restore(at("Secret.md"), first.id))).code).toBe("revision_missing");
  expect((await refusalOf(kept.read(at("Secret.md")))).details["movedTo"]).toBeUndefined();
});

test("attack 68: a change that reached further is taken back in its part inside, and that is said without a name", async () => {
  await write("F/Plan.md", "one\n");
  await write("Far.md", "one\n");
  const both = await owner.edit(
    ["F/Plan.md", "Far.md"].map((path) => ({ path: at(path), edits: [() => "two\n"] })),
  );
  const revision = await kept.revision(both.revision!);
  expect(revision).toMatchObject({ touched: 1, message: "Change notes, some of them outside your folders" });
  const undone = await kept.undo([revision]);
  expect(undone.changes.map(({ path }) => path)).toEqual(["F/Plan.md"]);
  expect(Object.fromEntries(await vault.state())).toMatchObject({ "F/Plan.md": "one\n", "Far.md": "two\n" });
  expect(remarks).toEqual(["These changes also reached outside your folders; what they did there stays."]);
});

test("a note that is moved back takes links elsewhere with it", async () => {
  await write("F/Plan.md", "one\n");
  await write("Far.md", "[[Plan]]\n");
  const moved = await kept.move([{ from: at("F/Plan.md"), to: at("F/Scheme.md") }]);
  expect(moved.backlinkers).toEqual([]);
  expect((await vault.state()).get("Far.md")).toBe("[[Scheme]]\n");
  await kept.undo([await kept.revision(moved.revision!)]);
  expect((await vault.state()).get("Far.md")).toBe("[[Plan]]\n");
  const removed = await kept.remove(at("F/Plan.md"), { backlinks: "mark" });
  expect(removed.changes).toHaveLength(1);
  expect((await vault.state()).get("Far.md")).toBe("[[Plan (deleted)]]\n");
  expect(new Set(remarks)).toContain("Links in notes outside your folders were changed with it.");
});

test("attack 68: how far a first indexing has come is told without numbers", () => {
  const first = firstIndexing({ ...vault.parts.index, complete: () => false }, async () => undefined);
  first.progress(7, 9);
  expect(first.soFar()).toEqual({ done: 7, total: 9 });
  expect(LINES.first(first).soFar()).toEqual({ done: 0, total: 0 });
});
