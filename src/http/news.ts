/** News of changes, published once for each notebook however many listen: to streams of the newer era, and to sessions of the older by their own subscriptions. */

import { sendNews, type NewsTarget, type Served } from "../protocol/subscriptions.ts";

export type NewsRoom = {
  /** Sends the target what is new in the notebook, until the function it gives is called. */
  add(notebook: Served, target: NewsTarget): () => void;
};

export const openNewsRoom = (): NewsRoom => {
  const publications = new Map<Served, { targets: Set<NewsTarget>; stop(): void }>();

  const begin = (notebook: Served) => {
    const targets = new Set<NewsTarget>();
    const all: NewsTarget = {
      updated: (path) => targets.forEach((target) => target.updated(path)),
      listChanged: () => targets.forEach((target) => target.listChanged()),
    };
    const publication = { targets, stop: sendNews(all, notebook) };
    publications.set(notebook, publication);
    return publication;
  };

  return {
    add(notebook, target) {
      const { targets, stop } = publications.get(notebook) ?? begin(notebook);
      targets.add(target);
      return () => {
        targets.delete(target);
        if (targets.size > 0 || publications.get(notebook)?.targets !== targets) return;
        publications.delete(notebook);
        stop();
      };
    },
  };
};
