/** A constraint that is added tells how the notes that are there already stand to it, within bounds. */

import { memoryShelf } from "../src/notebook/proposals/shelf.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { blobId } from "../src/disk/hash.ts";
import { noHistory } from "../src/history/none.ts";
import { ruleReader } from "../src/knowledge/rule-edits.ts";
import { noteOpener } from "../src/notebook/note.ts";
import { openNotebook } from "../src/notebook/notebook.ts";
import { notePath, rulePath } from "../src/notebook/paths.ts";
import { standingUnder } from "../src/notebook/rulebook.ts";
import { openSql } from "../src/sqlite/node.ts";
import { openIndex } from "../src/index/note-index.ts";
import { openMemory } from "../src/stores/memory.ts";
import * as say from "../src/surfaces/bridges/say.ts";
import { openSurfaces, ruleFile, type AllSurfaces } from "./all-surfaces.ts";
import { PLAIN } from "./vault.ts";

const RULE_FILE = ".llm_bridges/knowledge_base/research/folder_constraints/papers.md";
const RULES = { content: { required_sections: ["Summary"] } };
const WHO = { client: "t", surface: "bridges", tool: "t", connection: "t" };
const now = () => new Date("2026-01-15T10:00:00Z");

let here: AllSurfaces;
const constrained = (subfolder: string, rules: object) =>
  here.done("bridges", "add_knowledge_base_folder_constraint", { kb_name: "research", subfolder, rules });

beforeEach(async () => {
  here = await openSurfaces({ folder: false });
  await here.vault.put("papers/a.md", "# Summary\n");
  await here.done("bridges", "add_knowledge_base", {
    name: "research",
    description: "Papers",
    subfolder: "papers",
    organization_rules: "",
  });
});
afterEach(() => here.close());

describe("the notes that are there when a constraint is added", () => {
  test("are counted where they fail it, and not where deeper rules bind them", async () => {
    await constrained("papers/free", {});
    for (let at = 10; at < 35; at++) await here.vault.put(`papers/n${at}.md`, "x\n");
    await here.vault.put("papers/free/x.md", "x\n");
    const { failing_notes: failing } = await constrained("papers", RULES);
    expect(failing.total).toBe(25);
    expect(failing.first).toEqual(Array.from({ length: 20 }, (_, at) => `papers/n${at + 10}.md`));
  });

  test("are looked at with progress, until the caller gives up", async () => {
    const paths = Array.from({ length: 250 }, (_, at) => notePath(`papers/n${at + 100}.md`));
    await here.vault.notebook.edit(paths.map((path) => ({ path, edits: [], orCreate: "x\n" })));
    const told: number[] = [];
    const wanted = { base: "research", subfolder: "papers", rules: RULES };
    const asking = here.vault.notebook.as({ ...WHO, progress: (done) => told.push(done) });
    const { standing } = await asking.bases.constrain(wanted);
    expect(standing).toMatchObject({ failing: 250, checked: 251, below: 251 });
    expect(standing.first.length).toBe(20);
    expect(told).toEqual([0, 100, 200]);

    const cancel = new AbortController();
    const impatient = here.vault.notebook.as({
      ...WHO,
      signal: cancel.signal,
      progress: () => cancel.abort(),
    });
    const stricter = impatient.bases.constrain({ ...wanted, rules: { content: { max_length: 1 } } });
    await expect(stricter).rejects.toThrowError("aborted");
    await here.refused("cairn", "cairn_patch", { path: "papers/a", op: "append", content: "x" });
  });

  test("are looked at up to a limit, and the rest is told", async () => {
    const texts = Array.from({ length: 30 }, (_, at) => [`papers/n${at + 10}.md`, at % 2 ? "xx" : "x"]);
    const sql = await openSql(":memory:");
    const parts = {
      ...PLAIN,
      now,
      timeZone: "UTC",
      random: () => "00000000",
      versionOf: blobId,
      rules: ruleReader,
      store: openMemory(Object.fromEntries(texts), now),
      index: openIndex(sql),
      history: noHistory(),
    };
    const notebook = openNotebook(parts);
    await notebook.refresh();
    const book = ruleReader.read([
      { path: rulePath(RULE_FILE), text: ruleFile("papers", "content: {max_length: 1}") },
    ]);
    const standing = await standingUnder(
      { ...parts, openNote: noteOpener(), proposals: memoryShelf() },
      book,
      book.constraints[0]!,
      WHO,
      10,
    );
    expect(standing).toMatchObject({ failing: 5, checked: 10, below: 30 });
    expect(say.constrained(book.constraints[0]!, standing)).toMatchObject({
      failing_notes: { total: 5, checked: 10, of: 30, first: standing.first.map(({ path }) => path) },
    });
    await notebook.close();
  });
});
