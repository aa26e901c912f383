/** A history that records nothing: for `--history off`, and for notes that live in memory. */

import { NoteError } from "../markdown/errors.ts";
import type { History } from "../notebook/parts.ts";

export function noHistory(): History {
  return {
    prepare: async () => null,
    prepareOutside: async () => null,
    version: async () => null,
    catchUp: async () => null,
    log: async () => [],
    async revision(id) {
      throw new NoteError("revision_missing", "History is turned off, so there is no such revision.", {
        revision: id,
      });
    },
    read: async () => null,
    nameAt: async () => null,
    movedTo: async () => null,
    blob: async () => null,
    within() {
      return this;
    },
    troubles: () => [],
    close: async () => {},
  };
}
