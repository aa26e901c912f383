/** A vault for tests: the real notebook over memory or over a folder on disk, with a clock that stands still and chance that repeats. */

import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  mkdirSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDisk } from "../src/disk/files.ts";
import { blobId } from "../src/disk/hash.ts";
import { openGit } from "../src/history/git.ts";
import { noHistory } from "../src/history/none.ts";
import { openProposalFolder } from "../src/history/proposal-folder.ts";
import { ruleReader } from "../src/knowledge/rule-edits.ts";
import type { Locale } from "../src/notebook/calendar/locales.ts";
import type { PdfReader } from "../src/notebook/files/pdf.ts";
import { LINES, type Lines } from "../src/notebook/folders/view.ts";
import { openNotebook, type OpenNotebook } from "../src/notebook/notebook.ts";
import { decodeText, encodeText } from "../src/notebook/note.ts";
import { NO_BACKGROUND, type NoteIndex, type NoteStore, type GivenParts } from "../src/notebook/parts.ts";
import { notePath, rulePath, type FilePath } from "../src/notebook/paths.ts";
import { DEADLINES } from "../src/notebook/waiting.ts";
import { lockOpener, openSql } from "../src/sqlite/node.ts";
import { openLedger } from "../src/index/ledger.ts";
import { openIndex } from "../src/index/note-index.ts";
import { openFolder } from "../src/stores/folder.ts";
import { openMemory } from "../src/stores/memory.ts";

export type TestVault = {
  notebook: OpenNotebook;
  /** What the notebook was opened over, for tests that look behind it. */
  parts: GivenParts;
  /** Null where the notes live in memory. */
  root: string | null;
  /** What the server reported as its own defects; a test that expects none says so. */
  logged: string[];
  /** A note as another program leaves it. */
  put(path: string, text: string | Uint8Array): Promise<void>;
  /** Every note and rule file, by path; on disk also what lies in the trash. */
  state(): Promise<Map<string, string>>;
  /** Once plain git sees every revision. */
  settled(): Promise<void>;
  setClock(now: Date): void;
  queueRandom(values: string[]): void;
  close(): Promise<void>;
};

/** The parts of a vault in which nothing goes on behind the calls. */
export const PLAIN = {
  semantic: null,
  pendingEdits: null,
  readOnly: false,
  background: NO_BACKGROUND,
  deadlines: DEADLINES,
  report: () => undefined,
} satisfies Partial<GivenParts>;

const START = new Date("2026-01-15T10:00:00Z");

export const openVault = async ({
  folder,
  readOnly = false,
  lines = LINES,
  locale,
  pdf,
}: {
  folder: boolean;
  readOnly?: boolean;
  /** What binds a caller who is kept to folders. */
  lines?: Lines;
  locale?: Locale;
  pdf?: PdfReader;
}): Promise<TestVault> => {
  let now = START;
  let random: string[] = [];
  let count = 0;
  const parts = {
    now: () => now,
    random: () => random.shift() ?? (++count).toString(16).padStart(8, "0"),
    versionOf: blobId,
    timeZone: "UTC",
    ...(locale === undefined ? {} : { locale }),
    rules: ruleReader,
  };
  const logged: string[] = [];
  const root = folder ? mkdtempSync(join(tmpdir(), "notewright-test-")) : null;
  const store: NoteStore = root
    ? await openFolder(root, { openLock: await lockOpener(), durability: "fast" })
    : openMemory({}, parts.now);
  const sql = await openSql(":memory:");
  const index = openIndex(sql, { clock: parts });
  const git = root
    ? openGit(openDisk(root), {
        ledger: openLedger(sql),
        durability: "fast",
        outsideAuthor: "someone",
        now: parts.now,
        alone: store.alone,
      })
    : null;
  const history = git ?? noHistory();
  const whole: GivenParts = {
    ...PLAIN,
    ...parts,
    readOnly,
    places: root ? [root] : [],
    ...(pdf === undefined ? {} : { pdf }),
    store,
    index,
    history,
    ...(root
      ? { proposals: openProposalFolder(openDisk(root), { durable: false, refused: (work) => work() }) }
      : {}),
    report: (what, error) => logged.push(`${what}: ${String(error)}`),
  };
  const notebook = openNotebook(whole, lines);
  await notebook.refresh();
  return {
    notebook,
    parts: whole,
    root,
    logged,
    async put(path, text) {
      if (root) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
        utimesSync(join(root, path), now, now);
      } else
        await store.alone(() =>
          store.apply([{ path: fileAt(path), bytes: typeof text === "string" ? encodeText(text) : text }]),
        );
      await notebook.refresh();
    },
    state: () => (root ? filesOf(root) : notesOf(store)),
    settled: async () => git?.flushRevisions(),
    setClock: (time) => (now = time),
    queueRandom: (values) => (random = [...values]),
    async close() {
      await notebook.close();
      if (root) rmSync(root, { recursive: true, force: true });
    },
  };
};

const fileAt = (path: string): FilePath => (path.startsWith(".") ? rulePath(path) : notePath(path));

const filesOf = async (root: string): Promise<Map<string, string>> => {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) =>
    name.replaceAll("\\", "/"),
  );
  const notes = names.filter((name) => name.endsWith(".md") && !name.startsWith(".notewright/"));
  return new Map(notes.map((name) => [name, readFileSync(join(root, name), "utf8")]));
};

const notesOf = async (store: NoteStore): Promise<Map<string, string>> => {
  const paths: FilePath[] = (await store.rules()).map((rule) => rule.path);
  for await (const { notes } of store.list()) paths.push(...notes.map((stat) => stat.path));
  const found = new Map<string, string>();
  for (const path of paths) {
    const file = await store.read(path);
    if (file) found.set(path, decodeText(file.bytes) ?? "(not UTF-8)");
  }
  return found;
};

/** A vault in memory with these notes, for as long as `work` takes. */
export const withVault = async (
  notes: Record<string, string>,
  work: (vault: TestVault) => Promise<void>,
): Promise<void> => {
  const vault = await openVault({ folder: false });
  try {
    for (const [path, text] of Object.entries(notes)) await vault.put(path, text);
    await work(vault);
  } finally {
    await vault.close();
  }
};

/** A notebook over notes in memory, of which nothing is indexed yet. */
export const unindexed = (
  notes: Record<string, string>,
  index: NoteIndex,
  more: Partial<GivenParts> = {},
): OpenNotebook =>
  openNotebook({
    ...PLAIN,
    store: openMemory(notes),
    index,
    history: noHistory(),
    rules: ruleReader,
    now: () => new Date(),
    timeZone: "UTC",
    random: () => "00000000",
    versionOf: blobId,
    ...more,
  });
