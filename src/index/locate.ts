/** Which notes a name or a path means, whatever its case and Unicode form; exact spelling first. */

import type { NotePath } from "../notebook/paths.ts";
import { foldKey, linkKey, locateAmong } from "../notebook/resolve.ts";
import { indexLookup } from "./link-lookup.ts";
import type { Sql } from "../sqlite/sql.ts";

export const locate = (sql: Sql, name: string): NotePath[] => locateAmong(indexLookup(sql).byName, name);

/** The note at a path: spelled so, else in another Unicode form, else in another case. */
export function standing(sql: Sql, path: NotePath): number[] {
  const rows = sql.all<{ id: number; path: string }>(
    "SELECT id, path FROM notes WHERE name_key = ? AND path_key = ?",
    linkKey(path),
    foldKey(path),
  );
  const composed = path.normalize("NFC");
  const best =
    rows.find((row) => row.path === path) ??
    rows.find((row) => row.path.normalize("NFC") === composed) ??
    rows[0];
  return best ? [best.id] : [];
}
