/** Proposals in rows of a database: each the record that a folder would hold as a file, in parts, and the lines of those that were declined (decision 24). */

import {
  headOf,
  nameOfProposal,
  PROPOSAL_NAME,
  type Proposal,
  type ProposalHead,
} from "../notebook/proposals/proposal.ts";
import { LINES_KEPT, listeners, type ProposalShelf } from "../notebook/proposals/shelf.ts";
import type { Sql } from "../sqlite/sql.ts";
import { joined } from "./bytes.ts";
import { decodeLine, decodeProposal, encodeLine, encodeProposal } from "./proposal-record.ts";

const TABLES = `
CREATE TABLE IF NOT EXISTS work_proposals (
  name TEXT NOT NULL,
  part INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (name, part)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS work_settled (number INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT`;
/** Bytes of one value: an object takes 2 MB for a row. */
const PART = 1_500_000;

/** `limit`: bytes of text it takes in all. Nobody else writes these rows. */
export function openProposalRows(sql: Sql, { limit }: { limit: number }): ProposalShelf {
  sql.exec(TABLES);
  const { listen, tell } = listeners();
  // Texts are read when they are asked for: an isolate has little memory.
  let known: readonly ProposalHead[] | null = null;
  const whole = (name: string): Proposal | null => {
    const [, id, state] = PROPOSAL_NAME.exec(name) ?? [];
    const parts = sql.all<{ body: Uint8Array }>(
      "SELECT body FROM work_proposals WHERE name = ? ORDER BY part",
      name,
    );
    return parts.length === 0 ? null : decodeProposal(joined(parts.map(({ body }) => body)), id!, state!);
  };
  const all = (): readonly ProposalHead[] =>
    (known ??= sql
      .all<{ name: string }>("SELECT name FROM work_proposals WHERE part = 0 ORDER BY name")
      .flatMap(({ name }) => {
        const proposal = whole(name);
        return proposal ? [headOf(proposal)] : [];
      }));
  /** What goes and what comes, at once. */
  const change = (gone: readonly string[], came: readonly Proposal[]): void => {
    const before = all();
    sql.transaction(() => {
      came.forEach(insert);
      for (const name of gone) sql.run("DELETE FROM work_proposals WHERE name = ?", name);
    });
    known = [...before.filter((head) => !gone.includes(nameOfProposal(head))), ...came.map(headOf)];
    tell();
  };
  const insert = (proposal: Proposal): void => {
    const [name, bytes] = [nameOfProposal(proposal), encodeProposal(proposal)];
    for (let part = 0; part * PART < bytes.length; part++)
      sql.run(
        "INSERT INTO work_proposals VALUES (?, ?, ?)",
        name,
        part,
        bytes.subarray(part * PART, (part + 1) * PART),
      );
  };
  return {
    limit,
    all,
    whole,
    put: (proposal) => change(proposal.replaces, [proposal]),
    drop: (names) => change(names, []),
    lines: () =>
      sql
        .all<{ line: string }>("SELECT line FROM work_settled ORDER BY number DESC")
        .flatMap(({ line }) => decodeLine(line) ?? []),
    addLine: (line) =>
      sql.transaction(() => {
        sql.run("INSERT INTO work_settled (line) VALUES (?)", encodeLine(line));
        sql.run(
          "DELETE FROM work_settled WHERE number <= (SELECT max(number) FROM work_settled) - ?",
          LINES_KEPT,
        );
      }),
    listen,
  };
}
