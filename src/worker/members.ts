/** Workspaces and their members, in rows of the accounts: members are identities, each of one workspace. */

import { identityFrom, type Identity, type IdentityList } from "../identity/identity.ts";
import type { Sql } from "../sqlite/sql.ts";

export type Members = IdentityList & {
  hasWorkspace(id: string): boolean;
  /** False where there is one of that id already. */
  addWorkspace(id: string): boolean;
  /** False where the workspace has somebody of that name. */
  add(identity: Identity): boolean;
  /** Whom it removed; null where there is nobody of that name. */
  remove(workspace: string, name: string): Identity | null;
  /** Whose token has this SHA-256. */
  withSecret(secret: string): Identity | null;
};

const TABLES = `
  CREATE TABLE IF NOT EXISTS workspaces (id TEXT PRIMARY KEY, made TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS members (
    workspace TEXT NOT NULL, name TEXT NOT NULL, secret TEXT UNIQUE, identity TEXT NOT NULL,
    PRIMARY KEY (workspace, name)
  ) STRICT, WITHOUT ROWID`;

type Row = { identity: string };

/** `removed` is told of everybody who is a member no more, or has become another. */
export const openMembers = (sql: Sql, now: () => Date, removed: (identity: Identity) => void): Members => {
  for (const table of TABLES.split(";")) sql.exec(table);
  const identitiesIn = (rows: readonly Row[]): Identity[] =>
    rows.flatMap(({ identity }) => identityFrom(JSON.parse(identity)) ?? []);
  const nameOf = (workspace: string, name: string): Identity | null =>
    identitiesIn(
      sql.all<Row>("SELECT identity FROM members WHERE workspace = ? AND name = ?", workspace, name),
    )[0] ?? null;
  const insert = (identity: Identity): void => {
    known = null;
    sql.run(
      "INSERT INTO members (workspace, name, secret, identity) VALUES (?, ?, ?, ?)",
      identity.vault,
      identity.name,
      identity.secret,
      JSON.stringify(identity),
    );
  };
  const drop = ({ vault, name }: Identity): void => {
    known = null;
    sql.run("DELETE FROM members WHERE workspace = ? AND name = ?", vault, name);
  };
  // Nobody else writes these rows, and every request that signed in by OAuth asks for them.
  let known: Identity[] | null = null;
  const list = (): Identity[] =>
    (known ??= identitiesIn(sql.all<Row>("SELECT identity FROM members ORDER BY workspace, name")));
  const hasWorkspace = (id: string): boolean =>
    sql.get("SELECT 1 FROM workspaces WHERE id = ?", id) !== undefined;

  return {
    namedByVault: true,
    hasWorkspace,
    addWorkspace(id) {
      if (hasWorkspace(id)) return false;
      sql.run("INSERT INTO workspaces (id, made) VALUES (?, ?)", id, now().toISOString());
      return true;
    },
    add(identity) {
      if (nameOf(identity.vault!, identity.name)) return false;
      insert(identity);
      return true;
    },
    remove(workspace, name) {
      const gone = nameOf(workspace, name);
      if (!gone) return null;
      drop(gone);
      removed(gone);
      return gone;
    },
    withSecret: (secret) =>
      identitiesIn(sql.all<Row>("SELECT identity FROM members WHERE secret = ?", secret))[0] ?? null,
    list,
    async change(edit) {
      const before = list();
      const next = new Set(edit(before));
      const gone = before.filter((identity) => !next.has(identity));
      sql.transaction(() => {
        gone.forEach(drop);
        for (const identity of next) if (!before.includes(identity)) insert(identity);
      });
      gone.forEach(removed);
    },
  };
};
