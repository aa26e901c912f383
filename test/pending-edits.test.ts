/** Edits by other programs on their way into the history: nothing of them is forgotten when a process dies. */

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFolder as openVault, type Open } from "../src/vault/open.ts";
import { openDisk } from "../src/disk/files.ts";
import { blobId } from "../src/disk/hash.ts";
import { openGit } from "../src/history/git.ts";
import { ruleReader } from "../src/knowledge/rule-edits.ts";
import type { NoteError } from "../src/markdown/errors.ts";
import { openNotebook } from "../src/notebook/notebook.ts";
import type { History } from "../src/notebook/parts.ts";
import { TIMINGS } from "../src/notebook/pending-edits.ts";
import { notePath } from "../src/notebook/paths.ts";
import { openLedger } from "../src/index/ledger.ts";
import { openIndexFile } from "../src/sqlite/index-file.ts";
import { indexSchema } from "../src/index/schema.ts";
import { lockOpener } from "../src/sqlite/node.ts";
import { openIndex } from "../src/index/note-index.ts";
import { openPendingEdits } from "../src/index/pending-edits.ts";
import { openFolder } from "../src/stores/folder.ts";
import { PLAIN } from "./vault.ts";

let home: string;
let vault: string;
let index: string;
const opened: Open[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "notewright-pending-"));
  vault = join(home, "vault");
  index = join(home, "index.db");
  mkdirSync(vault);
});
afterEach(async () => {
  for (const open of opened.splice(0)) await open.close();
  rmSync(home, { recursive: true, force: true });
});

const save = (path: string, text: string): void => {
  mkdirSync(dirname(join(vault, path)), { recursive: true });
  writeFileSync(join(vault, path), text);
};

const open = async (timings = {}): Promise<Open> => {
  const one = await openVault(vault, {
    readOnly: false,
    index,
    durability: "fast",
    history: true,
    timeZone: undefined,
    timings,
    environment: {},
    report: (what, error) => {
      throw new Error(what, { cause: error });
    },
    tell: () => {},
  });
  opened.push(one);
  return one;
};

const end = async (one: Open): Promise<void> => {
  opened.splice(opened.indexOf(one), 1);
  await one.close();
};

/** A process on the same vault and index, whose history can be cut off. It is never closed: it has died. */
const dying = async (cut: (history: History) => Partial<History>) => {
  const sql = await openIndexFile(index, indexSchema);
  const store = await openFolder(vault, { openLock: await lockOpener(), durability: "fast" });
  // So much later that no file is taken for one that may be saved again under the same time: the index believes what it has read.
  const now = () => new Date(Date.now() + 3_600_000);
  const history = openGit(openDisk(vault), {
    ledger: openLedger(sql),
    durability: "fast",
    outsideAuthor: "someone",
    now,
    alone: store.alone,
  });
  return openNotebook({
    ...PLAIN,
    store,
    index: openIndex(sql),
    history: { ...history, ...cut(history) },
    pendingEdits: { edits: openPendingEdits(sql), timings: TIMINGS },
    rules: ruleReader,
    now,
    timeZone: "UTC",
    random: () => "00000000",
    versionOf: blobId,
  });
};

test("an edit that the index had learned when the process died is recorded at the next start", async () => {
  save("a.md", "one\n");
  const first = await open();
  await first.catchUp(() => {});
  await end(first);

  save("a.md", "two, longer\n");
  save("new.md", "new\n");
  const dead = await dying(() => ({
    version: async () => {
      throw new Error("killed");
    },
  }));
  await expect(dead.refresh()).rejects.toThrow("killed");

  const next = await open();
  await next.catchUp(() => {});
  const recorded = (await next.history.log({ limit: 10 })).slice(0, -1);
  expect(recorded.map(({ message }) => message).toSorted()).toEqual([
    "Added in another program: new",
    "Edited in another program: a",
  ]);
  const text = (await next.history.read(notePath("a.md"), recorded[0]!.id))!;
  expect(new TextDecoder().decode(text)).toBe("two, longer\n");
  await next.catchUp(() => {});
  expect((await next.history.log({ limit: 10 })).length).toBe(3);
});

/** Polls, because a watcher sees a save a moment later. */
const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await is()); tries++) {
    if (tries > 1000) throw new Error("It did not come about.");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

const A = notePath("a.md");
const serving = async (timings = {}): Promise<Open> => {
  save("a.md", "one\n");
  const one = await open(timings);
  one.start(() => {});
  await one.notebook.log({ limit: 1 });
  return one;
};
const found = async ({ notebook }: Open, words: string) =>
  (await notebook.find({ words }, { limit: 1, sort: "rank" })).total > 0;

test("saves are pending until one is handed out; the version that is told can be asked for again", async () => {
  const one = await serving();
  for (const words of ["first save", "second save", "third save"]) {
    save("a.md", `${words}\n`);
    await until(() => found(one, words));
  }
  expect(await one.history.log({ limit: 10 })).toHaveLength(1);
  const { version } = await one.notebook.read(A);
  save("a.md", "fourth save\n");
  await until(() => found(one, "fourth"));
  const log = await one.history.log({ limit: 10 });
  expect(log.map(({ message }) => message)).toEqual([
    "Edited in another program: a",
    "Record a note as found",
  ]);
  expect((await one.notebook.read(A, { version })).text).toBe("third save\n");
});

test("a question for the history, a change of ours and the end of the server record what is pending", async () => {
  const one = await serving();
  save("a.md", "asked about\n");
  await until(() => found(one, "asked"));
  expect(await one.notebook.log({ path: A, limit: 10 })).toHaveLength(2);
  save("a.md", "changed by us\n");
  await until(() => found(one, "changed"));
  await one.notebook.edit([{ path: A, edits: [(text) => `${text}more\n`] }]);
  expect((await one.history.log({ limit: 2 })).map(({ author }) => author)).toEqual([
    "notewright",
    "someone",
  ]);
  save("a.md", "at the end\n");
  await until(() => found(one, "end"));
  await end(one);
  const next = await open();
  const [newest] = await next.history.log({ limit: 1 });
  expect(new TextDecoder().decode((await next.history.read(A, newest!.id))!)).toBe("at the end\n");
});

test("whoever only looks at the history again leaves saves pending, and hears of them once they are recorded", async () => {
  const one = await serving();
  const heard: string[] = [];
  one.notebook.onChange(({ revisions }) => heard.push(...revisions.map(({ message }) => message)));
  for (const words of ["first save", "second save"]) {
    save("a.md", `${words}\n`);
    await until(() => found(one, words));
    expect(await one.notebook.log({ limit: 10 }, { pending: "leave" })).toHaveLength(1);
  }
  expect(heard).toEqual([]);
  expect(await one.notebook.log({ limit: 10 })).toHaveLength(2);
  expect(heard).toEqual(["Edited in another program: a"]);
});

test("a process hears of it when another has recorded what both have seen", async () => {
  const timings = { quiet: 600, standstill: 300 };
  const one = await serving(timings);
  const other = await open(timings);
  other.start(() => {});
  await other.notebook.log({ limit: 1 });
  const heard = { one: "", other: "" };
  const hearing = (name: "one" | "other", { notebook }: Open) =>
    notebook.onChange(({ revisions, elsewhere, notes }) => {
      heard[name] += revisions.length > 0 ? "recorded " : elsewhere && notes.length === 0 ? "elsewhere " : "";
    });
  hearing("one", one);
  hearing("other", other);
  for (const [path, text] of [
    ["a.md", "two, longer\n"],
    ["new.md", "new\n"],
  ] as const) {
    save(path, text);
    await until(() => heard.one !== "" && heard.other !== "");
    expect([heard.one, heard.other].toSorted(), path).toEqual(["elsewhere ", "recorded "]);
    Object.assign(heard, { one: "", other: "" });
  }
});

test("undo takes a block of saves back whole", async () => {
  const one = await serving();
  for (const words of ["save 1", "save 2", "save 3"]) {
    save("a.md", `${words}\n`);
    await until(() => found(one, words));
  }
  // Asking for the history records what is pending.
  const [block, ...older] = await one.notebook.log({ limit: 9 });
  expect(older).toHaveLength(1);
  await one.notebook.undo([block!]);
  expect((await one.notebook.read(A)).text).toBe("one\n");
});

test("a reader waits for nobody unless its note is pending, and then not for long", async () => {
  save("b.md", "other\n");
  const one = await serving();
  const other = await openFolder(vault, { openLock: await lockOpener(), durability: "fast" });
  save("a.md", "pending\n");
  await until(() => found(one, "pending"));
  let free = (): void => undefined;
  const held = other.alone(() => new Promise<void>((resolve) => (free = resolve)));
  expect((await one.notebook.read(notePath("b.md"))).text).toBe("other\n");
  // While it waits it holds none of the places that reading calls share.
  let rests = 0;
  const resting = async <T>(wait: () => Promise<T>): Promise<T> => {
    rests++;
    return wait();
  };
  const reader = one.notebook.as({ ...one.notebook.who, resting });
  expect((await reader.read(notePath("b.md"))).text).toBe("other\n");
  expect(rests).toBe(0);
  expect((await reader.read(A)).text).toBe("pending\n");
  expect(rests).toBe(1);
  free();
  await held;
  await until(async () => (await one.history.log({ limit: 9 })).length === 2);
  await other.close();
});

const renameFolder = (from: string, to: string): void => {
  mkdirSync(dirname(join(vault, to)), { recursive: true });
  renameSync(join(vault, from), join(vault, to));
};
const movesIn = async (one: Open): Promise<string[]> =>
  (await one.history.log({ limit: 1 }))[0]!.changes.map(({ from, path }) => `${from} → ${path}`);

test("a folder renamed by hand is moves, while a server runs and while none does", async () => {
  for (const name of ["1", "2", "in/3"]) save(`old/${name}.md`, `text ${name}\n`);
  save("old/4.md", "");
  save("old/in/4.md", "");
  const rest = ["1.md", "2.md", "4.md", "in/3.md", "in/4.md"];
  const one = await serving({ standstill: 300 });
  renameFolder("old", "new");
  await until(async () => (await one.history.log({ limit: 9 })).length === 2);
  expect(await movesIn(one)).toEqual(rest.map((name) => `old/${name} → new/${name}`));
  // Asked for by its old name before anything was recorded.
  renameFolder("new", "far/newer");
  const old = () => one.notebook.read(notePath("new/in/3.md")).catch((error: NoteError) => error.details);
  await until(async () => "movedTo" in (await old()));
  expect(await old()).toMatchObject({ movedTo: "far/newer/in/3.md" });
  await end(one);
  renameFolder("far/newer", "last");
  const next = await open();
  await next.catchUp(() => {});
  expect(await movesIn(next)).toEqual(rest.map((name) => `far/newer/${name} → last/${name}`));
  const log = await next.notebook.log({ path: notePath("last/1.md"), limit: 9 });
  expect(log.map(({ message }) => message)).toEqual([
    "Moved in another program: last/1 and 4 more",
    "Moved in another program: far/newer/1 and 4 more",
    "Moved in another program: new/1 and 4 more",
    "Record 6 notes as found",
  ]);
});
