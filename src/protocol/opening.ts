/** The opening block of a session: built once, when the session begins, and added to its first good answer. Where the vault cannot be read, the next call builds it. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import { NoteError } from "../markdown/errors.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { Surface } from "../surfaces/surface.ts";
import { withOpening } from "./answers.ts";
import { failureLine } from "./failure.ts";

export type Opening = {
  /** A call waits here before it runs, so that what waits for the index anyway is then answered from all of it. */
  wait(caller: Notebook): Promise<void>;
  add(result: CallToolResult): CallToolResult;
};

export const openingOf = (surface: Surface, notebook: Notebook, log: (line: string) => void): Opening => {
  let block: string | null = null;
  let building: Promise<void> | undefined;
  const build = async (): Promise<void> => {
    try {
      block = await surface.opening!(notebook);
    } catch (error) {
      building = undefined;
      if (error instanceof NoteError && ["disk_refused", "disk_failed"].includes(error.code)) return;
      log(failureLine("The opening block could not be made, so answers come without it.", error));
      block = "";
    }
  };
  let given = surface.opening === undefined;
  if (!given) building = build();
  return {
    async wait(caller) {
      if (!given && block === null) await caller.patiently((building ??= build()));
    },
    add(result) {
      if (given || block === null) return result;
      given = true;
      return block === "" ? result : withOpening(result, block);
    },
  };
};
