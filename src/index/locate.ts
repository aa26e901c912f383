/** Which notes a name or a path means, whatever its case and Unicode form; exact spelling first. */

import type { NotePath } from "../notebook/paths.ts";
import { foldKey, linkKey } from "../notebook/resolve.ts";
import { indexLookup } from "./link-lookup.ts";
import type { Sql } from "../sqlite/sql.ts";

/** The notes of that path; else the notes of that name, or whose path ends so. */
export function locate(sql: Sql, name: string): NotePath[] {
  const key = foldKey(name);
  const { byName } = indexLookup(sql);
  const ending = byName(linkKey(name)).filter((path) => `/${foldKey(path)}`.endsWith(`/${key}`));
  const exact = ending.filter((path) => foldKey(path) === key);
  const named = exact.length > 0 ? exact : ending;
  const written = `/${name.normalize("NFC").replace(/\.md$/i, "")}.md`;
  const spelled = named.filter((path) => `/${path.normalize("NFC")}`.endsWith(written));
  return spelled.length > 0 ? spelled : named;
}

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
