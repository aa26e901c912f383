/** The notes as objects of a bucket, for a workspace that is served from one place: a Durable Object, whose rows list what the bucket holds (decision 30). */

import { HEALTHY, type Listed, type NoteStore, type Stat } from "../notebook/parts.ts";
import {
  isNote,
  RULES,
  type AttachmentPath,
  type LinkedPath,
  type NotePath,
  type RulePath,
} from "../notebook/paths.ts";
import { SETTINGS } from "../notebook/settings/settings-files.ts";
import { freeInTrash } from "../notebook/vault-path.ts";
import type { Sql } from "../sqlite/sql.ts";
import { refusing, type Bucket } from "./bucket.ts";
import { countedBucket } from "./counted-bucket.ts";
import { folderAmong } from "./flat-keys.ts";
import { firstBytes, treeAmong } from "./r2-attachments.ts";
import { afterAll, openFiles, statOf, type FileRow } from "./r2-files.ts";
import { compareListing, type ListingPlace } from "./r2-listing.ts";
import { readFrom, trashedAmong } from "./r2-read.ts";
import type { Shelf } from "./r2-place.ts";
import { openTries } from "./r2-tries.ts";
import { openR2Writer } from "./r2-write.ts";

export type R2Options = {
  /** What the keys of this workspace begin with. */
  workspace: string;
  now(): Date;
  /** Takes the paths of notes that another program changed, or that a change which was cut short left behind; resolves to whether the index has them. */
  seen(paths: NotePath[]): Promise<boolean>;
  /** Something waits to be brought into the bucket: `flush` is to be called in so many milliseconds. */
  later(milliseconds: number): void;
};
type Page = Listed & { inOrder: Stat<LinkedPath>[]; last: string };
export type R2Store = NoteStore & {
  /** What is listed after a path; `inOrder` has all of it, in the order of paths. */
  listAfter(path: string, batch: number): AsyncIterable<Page>;
  count(): number;
  /** Brings a part of what waits into the bucket: whether nothing is left. */
  flush(): Promise<boolean>;
  /** Milliseconds until it is worth while to call `flush`; null where nothing waits. */
  due(): number | null;
  /** Compares the next page of the bucket's listing with the rows: what differs is known from then on. Null after the last. */
  compare(place: ListingPlace | null): Promise<ListingPlace | null>;
};

const BATCH = 1000;
const PENDING =
  "Some changes are kept beside the bucket, because it did not take them yet. They are tried again by themselves.";

export function openR2(given: Bucket, sql: Sql, options: R2Options): R2Store {
  const { workspace, now, later } = options;
  const files = openFiles(sql);
  const seen = (paths: string[]): Promise<boolean> =>
    options.seen(paths.filter((path) => !path.startsWith(".")) as NotePath[]);
  const shelf: Shelf = { ...countedBucket(given), workspace, files, tries: openTries(sql, now), now, seen };
  const { flush, due, isFailing, idle, background, ...writer } = openR2Writer(shelf, later);

  async function* listAfter(path: string, batch: number): AsyncGenerator<Page> {
    for (let from = path; ;) {
      const rows = files.after(from, afterAll(""), batch);
      if (rows.length === 0) return;
      from = rows.at(-1)!.path;
      yield { ...listedOf(rows), inOrder: rows.filter(isVisible).map(statOf), last: from };
    }
  }

  return {
    list: () => listAfter("", BATCH),
    listAfter,
    count: files.count,
    async folder(folder) {
      const begin = folder === "" ? "" : `${folder}/`;
      const rows = new Map(
        files
          .after(begin, afterAll(begin), 1e9)
          .filter(isVisible)
          .map((row) => [row.path, row]),
      );
      const found = folderAmong([...rows.keys()], folder);
      return found && { ...listedOf(found.files.map((path) => rows.get(path)!)), folders: found.folders };
    },
    stat: async <Path extends LinkedPath>(path: Path) => {
      const row = files.get(path);
      return row ? (statOf(row) as Stat<string> as Stat<Path>) : null;
    },
    read: (path) => readFrom(shelf, path),
    bytes: (path, most) => firstBytes(shelf, path, most),
    hasFolder: async (folder) => files.after(`${folder}/`, afterAll(`${folder}/`), 1).length > 0,
    tree: async (folder, most) => {
      if (folder.startsWith(".")) return null;
      return treeAmong(files.after(`${folder}/`, afterAll(`${folder}/`), most + 1), folder);
    },
    trashed: (wanted) => trashedAmong(shelf, wanted),
    rules: async () =>
      files
        .after(RULES, afterAll(RULES), 1e9)
        .map((row) => ({ path: row.path as RulePath, stamp: statOf(row).stamp })),
    settings: async () => {
      const home = ".obsidian/";
      if (files.after(home, afterAll(home), 1).length === 0) return null;
      return SETTINGS.flatMap((path) => {
        const row = files.get(path);
        return row ? [{ ...statOf(row), path }] : [];
      });
    },
    ...writer,
    background,
    present: () => workspace,
    trashPlaces: async (paths) => freeInTrash(paths, files.taken),
    health: {
      ...HEALTHY,
      async *oddities() {
        yield files.twinsIn().map(({ path, other }) => ({
          path,
          kind: "twin" as const,
          detail: `differs from ${JSON.stringify(other)} only by case or Unicode form`,
        }));
      },
      troubles: () => (isFailing() ? [PENDING] : []),
    },
    flush,
    due,
    compare: (from) => background(() => refusing(() => compareListing(shelf, from))),
    close: async () => void (await idle()),
  };
}

const isVisible = ({ path }: FileRow): boolean => !path.startsWith(".");

const listedOf = (rows: readonly FileRow[]): Listed => {
  const seen = rows.filter(isVisible);
  const others: Stat<string>[] = seen.filter(({ path }) => !isNote(path)).map(statOf);
  return {
    notes: seen.filter(({ path }) => isNote(path)).map(statOf),
    attachments: others as Stat<AttachmentPath>[],
  };
};
