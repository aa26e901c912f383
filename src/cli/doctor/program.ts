/** What runs: the version, Node, and which SQLite. */

import manifest from "../../../package.json" with { type: "json" };
import { NoteError } from "../../markdown/errors.ts";
import { driver, hasOwnSqlite } from "../../sqlite/node.ts";
import { programHere } from "../install/here.ts";
import { isFromNpx } from "../install/program.ts";
import { wrong, type Finding } from "./finding.ts";

const sqlite = async (): Promise<Finding> => {
  const none = `Node ${process.versions.node} has no SQLite of its own that can search text`;
  if (hasOwnSqlite())
    return { part: "program", what: "SQLite", is: "node:sqlite, which this Node brings along" };
  try {
    await driver();
    return { part: "program", what: "SQLite", is: `@photostructure/sqlite, because ${none}` };
  } catch (error) {
    if (!(error instanceof NoteError))
      return wrong(
        "program",
        "SQLite",
        `@photostructure/sqlite cannot be loaded: ${(error as Error).message}`,
        "Use Node 22.16 or later, which needs no such package.",
      );
    return wrong("program", "SQLite", "none", error.message);
  }
};

export const programFindings = async (): Promise<Finding[]> => {
  const program = programHere();
  const from = isFromNpx(program) ? "run by npx" : program.script;
  return [
    { part: "program", what: "version", is: `${manifest.version} (${from})` },
    {
      part: "program",
      what: "Node",
      is: `${process.versions.node} (${program.node}) on ${process.platform} ${process.arch}`,
    },
    await sqlite(),
  ];
};
