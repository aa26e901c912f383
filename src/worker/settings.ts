/** What a workspace knows of itself, in rows: its name, its time zone, and how far its work in slices has got. */

import type { ListingPlace } from "../stores/r2-listing.ts";
import type { Sql } from "../sqlite/sql.ts";

/** Where a comparison of the bucket with the index has got to: the listing first, then the notes after a path. */
export type Place = { listing: ListingPlace } | { after: string };
type Values = {
  workspace: string;
  timeZone: string;
  /** Null between two comparisons. */
  place: Place | null;
  /** When the bucket was last compared, in milliseconds; null where that is to be done soon. */
  compared: number | null;
};

const TABLE =
  "CREATE TABLE IF NOT EXISTS work_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID";

export type WorkspaceSettings = {
  get<Name extends keyof Values>(name: Name): Values[Name] | null;
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void;
};

export const openSettings = (sql: Sql): WorkspaceSettings => {
  sql.exec(TABLE);
  return {
    get: <Name extends keyof Values>(name: Name) => {
      const row = sql.get<{ value: string }>("SELECT value FROM work_settings WHERE name = ?", name);
      return row ? (JSON.parse(row.value) as Values[Name]) : null;
    },
    set: (name, value) =>
      sql.run(
        "INSERT INTO work_settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        JSON.stringify(value),
      ),
  };
};
