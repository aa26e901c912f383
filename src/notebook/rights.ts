/** What a caller may change: checked for every change on its one path, whichever tool asked for it. */

import { NoteError } from "../markdown/errors.ts";
import type { Change, Who } from "./change.ts";
import { isRuleFile } from "./rulebook.ts";

/** Refuses a change that the caller has no right to. */
export function checkRights({ rights }: Who, changes: readonly Change[]): void {
  if (rights === "read")
    throw new NoteError(
      "read_only",
      "Your access is for reading only. Ask the owner for the right to write.",
    );
  if ((rights === "write" || rights === "propose") && changes.some(({ path }) => isRuleFile(path)))
    throw new NoteError(
      "read_only",
      "Your access does not include changing rules. Ask the owner for admin rights.",
    );
}
