/** Tokens of pages, in rows of the accounts: each is good for the page of one workspace, for twelve hours. Only their hashes are kept. */

import { newToken, secretOf } from "../identity/token.ts";
import type { Sql } from "../sqlite/sql.ts";
import { TOKEN_LIFE, type Entered } from "../web/page-tokens.ts";

export type EdgeTokens = {
  /** A token for whoever has shown to be the owner. */
  enter(workspace: string): Promise<Entered>;
  /** The workspace whose page it opens; null where it is none, or too old. */
  of(token: string): Promise<string | null>;
  leave(token: string): Promise<void>;
};

const TABLE = `CREATE TABLE IF NOT EXISTS page_tokens (
  secret TEXT PRIMARY KEY, workspace TEXT NOT NULL, until INTEGER NOT NULL
) STRICT, WITHOUT ROWID`;
/** So many are kept; the oldest go first. */
const MOST = 1000;

export const openEdgeTokens = (sql: Sql, now: () => Date): EdgeTokens => {
  sql.exec(TABLE);
  return {
    async enter(workspace) {
      const token = newToken();
      const until = now().getTime() + TOKEN_LIFE;
      sql.run("INSERT INTO page_tokens VALUES (?, ?, ?)", await secretOf(token), workspace, until);
      sql.run(
        "DELETE FROM page_tokens WHERE until <= ? OR secret NOT IN (SELECT secret FROM page_tokens ORDER BY until DESC LIMIT ?)",
        now().getTime(),
        MOST,
      );
      return { token, until: new Date(until).toISOString() };
    },
    async of(token) {
      const row = sql.get<{ workspace: string }>(
        "SELECT workspace FROM page_tokens WHERE secret = ? AND until > ?",
        await secretOf(token),
        now().getTime(),
      );
      return row?.workspace ?? null;
    },
    leave: async (token) => sql.run("DELETE FROM page_tokens WHERE secret = ?", await secretOf(token)),
  };
};
