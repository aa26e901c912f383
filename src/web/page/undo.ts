/** Undo, as every screen does it: it answers with a line that offers redo. */

import type { Undoing } from "../wire.ts";
import type { App } from "./app.ts";
import { noteAddress } from "./route.ts";
import { whatOf, plural } from "./words.ts";

export type Undo = { revisions?: string[]; author?: string; since?: string; skip?: string[] };

export const undo = async (app: App, what: Undo): Promise<void> => {
  app.notice.value = null;
  try {
    tell(app, "Undone", await app.server.call<Undoing>("undo", what));
  } catch (error) {
    app.failed(error);
  }
};

export const restore = async (app: App, path: string, revision: string): Promise<boolean> => {
  app.notice.value = null;
  try {
    tell(app, "Set back", await app.server.call<Undoing>("restore", { path, revision }));
    return true;
  } catch (error) {
    app.failed(error);
    return false;
  }
};

/** Restores a note, and shows it. */
export const setBack = async (app: App, path: string, revision: string): Promise<void> => {
  if (await restore(app, path, revision)) app.go(noteAddress(path));
};

/** Undoing what was undone is redoing it. */
const tell = (app: App, words: string, { changed, touched, revision, stays, broken }: Undoing): void => {
  const kept = stays.length === 0 ? "" : " What was written since has stayed.";
  const rules = broken.length === 0 ? "" : ` ${plural(broken.length, "note")} now breaks a rule.`;
  app.notice.value =
    revision === null
      ? { words: "There was nothing left to undo." }
      : {
          words: `${words}: ${whatOf(touched, changed[0]?.path)}.${kept}${rules}`,
          to: words === "Set back" ? "note" : "home",
          act: {
            words: words === "Redone" ? "Undo" : "Redo",
            run: async () => {
              const next = words === "Redone" ? "Undone" : "Redone";
              tell(app, next, await app.server.call<Undoing>("undo", { revisions: [revision] }));
            },
          },
        };
};
