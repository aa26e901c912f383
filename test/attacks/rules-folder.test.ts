/** Attacks by what stands in `.llm_bridges`: links, pipes, files for folders, folders for files, folders without end, folders that may not be read. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openFolder } from "../../src/vault/open.ts";
import { diskError } from "../../src/notebook/system-errors.ts";
import { openDisk } from "../../src/disk/files.ts";
import { readBook } from "../../src/knowledge/bases.ts";
import { notePath } from "../../src/notebook/paths.ts";
import type { RuleFile } from "../../src/notebook/rules.ts";
import { listRules } from "../../src/stores/rule-listing.ts";
import { ruleFile } from "../all-surfaces.ts";
import { openGround, type Ground } from "./ground.ts";

const HOME = ".llm_bridges";
const RULES = `${HOME}/knowledge_base`;
const STRICT = ruleFile("papers", "frontmatter:\n  required_fields:\n    - name: year\n      type: number");

let ground: Ground;
beforeAll(async () => (ground = await openGround()));
afterAll(() => ground.close());
const at = (path: string): string => join(ground.root, path);

/** A base `papers` with a rule, sound before each attack. */
beforeEach(() => {
  rmSync(at(HOME), { recursive: true, force: true });
  mkdirSync(at(`${RULES}/papers/folder_constraints`), { recursive: true });
  writeFileSync(at(`${RULES}/papers/meta.md`), "---\ndescription: d\nsubfolder: papers\n---\n\nr\n");
  writeFileSync(at(`${RULES}/papers/folder_constraints/papers.md`), STRICT);
});
afterEach(() => rmSync(at(HOME), { recursive: true, force: true }));

const THINGS: Record<string, (path: string) => void> = {
  "a link to a folder outside": (path) => symlinkSync(ground.outside, path),
  "a link to itself": (path) => symlinkSync(path, path),
  "a link to nothing": (path) => symlinkSync("nowhere", path),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a file": (path) => writeFileSync(path, "x"),
  "a folder": (path) => mkdirSync(path),
};
const put = (path: string, thing: string): void => {
  rmSync(at(path), { recursive: true, force: true });
  mkdirSync(dirname(at(path)), { recursive: true });
  THINGS[thing]!(at(path));
};

let count = 0;
const write = (folder: string): Promise<{ isError?: boolean; content: { text: string }[] }> =>
  ground.call("native", "write_note", { path: `${folder}/n${++count}.md`, text: "x\n" });
const isOpen = async (folder: string): Promise<boolean> => {
  const { isError, content } = await write(folder);
  if (isError) expect(content[0]!.text).toMatch(/^constraint_malformed: .* \.llm_bridges/);
  return !isError;
};
/** Everywhere that rules are told of. */
const expectNamed = async (path: string): Promise<void> => {
  const { findings } = await ground.done("native", "check_vault", {});
  const damaged = findings.find(({ kind }: { kind: string }) => kind === "damaged_rules");
  expect(damaged.first.join("\n")).toContain(`${path}: `);
  expect((await ground.done("native", "manage_rules", { do: "list" })).troubles.join("\n")).toContain(path);
  const { problems } = await ground.done("bridges", "list_knowledge_bases", {});
  expect(problems.map(({ file }: { file: string }) => file)).toContain(path);
};

describe("attack 56: what is odd in the rules' folder is named, and closes only what depends on it", () => {
  describe.each(["a link to a folder outside", "a link to itself", "a link to nothing", "a pipe", "a file"])(
    "%s",
    (thing) => {
      test.each([HOME, RULES])(
        "in the place of %s: no rules, every folder open, no base can be added",
        async (path) => {
          put(path, thing);
          expect(await isOpen("free")).toBe(true);
          expect(await isOpen("papers")).toBe(true);
          await expectNamed(path);
          const add = { do: "add_base", base: "new", folder: "new", description: "d", guide: "g" };
          const { isError, content } = await ground.call("native", "manage_rules", add);
          expect(isError).toBe(true);
          expect(content[0]!.text).toContain(`${path} is`);
        },
      );

      test("in the place of the folder of a base's rules: the base is closed, nothing else", async () => {
        put(`${RULES}/papers/folder_constraints`, thing);
        expect(await isOpen("free")).toBe(true);
        expect(await isOpen("papers")).toBe(false);
        await expectNamed(`${RULES}/papers/folder_constraints`);
      });
    },
  );

  test.each(["a link to a folder outside", "a link to nothing", "a pipe", "a folder"])(
    "%s in the place of a rule file: the base is closed, nothing else",
    async (thing) => {
      put(`${RULES}/papers/folder_constraints/papers.md`, thing);
      expect(await isOpen("free")).toBe(true);
      expect(await isOpen("papers")).toBe(false);
      await expectNamed(`${RULES}/papers/folder_constraints/papers.md`);
    },
  );

  test.each(["a link to a folder outside", "a pipe"])("%s beside the bases closes nothing", async (thing) => {
    put(`${RULES}/other`, thing);
    expect(await isOpen("free")).toBe(true);
    await expectNamed(`${RULES}/other`);
    // The rules that can be read hold all the same.
    const { isError, content } = await write("papers");
    expect(isError).toBe(true);
    expect(content[0]!.text).toMatch(/^rule_broken: /);
  });

  test("folders without end among a base's rules close the base, elsewhere nothing", async () => {
    const deep = "d/".repeat(300);
    for (const [place, papers] of [
      [`${RULES}/papers/folder_constraints`, false],
      [`${RULES}/elsewhere/x`, true],
    ] as const) {
      mkdirSync(at(`${place}/${deep}`), { recursive: true });
      expect(await isOpen("free")).toBe(true);
      const refusal = await write("papers");
      expect(refusal.content[0]!.text).toMatch(papers ? /^rule_broken: / : /too deep to be read/);
      const { findings } = await ground.done("native", "check_vault", {});
      expect(JSON.stringify(findings)).toContain(`${place}/d/`);
      rmSync(at(`${place}/d`), { recursive: true });
    }
  });
});

test("attack 56: rules that cannot be listed are not recorded as deleted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-rules-"));
  const vault = join(folder, "vault");
  const opened = async (index: string) => {
    const one = await openFolder(vault, {
      index: join(folder, index),
      history: true,
      readOnly: false,
      timeZone: "UTC",
      durability: "fast",
      environment: {},
      report: (what, error) => {
        throw new Error(what, { cause: error });
      },
      tell: () => undefined,
    });
    await one.catchUp(() => undefined);
    const log = await one.notebook.log({ limit: 100 });
    await one.close();
    return log.flatMap(({ changes }) => changes.map(({ path, version }) => [path, version !== null]));
  };
  try {
    cpSync(at(HOME), join(vault, HOME), { recursive: true });
    const recorded = [
      [`${RULES}/papers/folder_constraints/papers.md`, true],
      [`${RULES}/papers/meta.md`, true],
    ];
    expect(await opened("one.db")).toEqual(recorded);
    rmSync(join(vault, HOME), { recursive: true });
    symlinkSync(ground.outside, join(vault, HOME));
    expect(await opened("two.db")).toEqual(recorded);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("attack 56: a folder that may not be read closes what it may have protected", () => {
  /** As the system answers for a folder of somebody else. */
  const listing = (closed: string, code: string): RuleFile[] => {
    const disk = openDisk(ground.root);
    const names = (folder: string) => {
      if (folder === closed) throw diskError(code, "closed");
      return disk.names(folder);
    };
    return listRules({ ...disk, names }).map(({ path, unread, foreign }) => ({
      path,
      text: path.endsWith("meta.md") ? "---\nsubfolder: papers\n---\n" : STRICT,
      ...(unread === undefined ? {} : { unread }),
      ...(foreign ? { foreign } : {}),
    }));
  };
  test.each([
    [RULES, "EACCES", "may not be read", ["papers", "free"]],
    [`${RULES}/papers`, "EPERM", "may not be read", ["papers", "free"]],
    [`${RULES}/papers/folder_constraints`, "EACCES", "may not be read", ["papers"]],
    [`${RULES}/papers/folder_constraints`, "EPATH", "lies too deep to be read", ["papers"]],
  ])("%s, %s", (closed, code, reason, folders) => {
    const book = readBook(listing(closed, code));
    expect(book.troubles).toEqual([expect.objectContaining({ file: closed, reason })]);
    const bound = ["papers", "free"].filter((folder) => book.bindingOn(notePath(`${folder}/n.md`)) !== null);
    expect(bound).toEqual(folders);
  });

  test("what is no word about the folder is no word about rules", () => {
    expect(() => listing(RULES, "EIO")).toThrow(expect.objectContaining({ code: "EIO" }));
  });
});
