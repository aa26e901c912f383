/** Keys: Ctrl-K everywhere; single keys where nothing is typed into, unless they are switched off. A screen says what its keys do. */

import { useEffect } from "preact/hooks";
import type { App } from "./app.ts";
import { useApp } from "./app.ts";

type Keys = Record<string, () => unknown>;
/** The keys of screens, the last one first. */
const SCREENS = Symbol("keys");
type Keyed = App & { [SCREENS]?: Keys[] };

/** Keys that step go on while they are held; no other does anything twice. */
const STEPS = new Set(["j", "k", "[", "]"]);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

export const listenForKeys = (app: Keyed): void => {
  app[SCREENS] = [];
  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      app.above.value = app.above.value === "switcher" ? null : "switcher";
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.repeat && !STEPS.has(event.key)) return;
    if (!app.keys.value || isTyping(event.target) || app.above.value !== null || !app.entered.value) return;
    const act = app[SCREENS]!.findLast((keys) => keys[event.key])?.[event.key] ?? ANYWHERE[event.key]?.(app);
    if (!act) return;
    event.preventDefault();
    act();
  });
};

const ANYWHERE: Record<string, (app: App) => () => void> = {
  "/": (app) => () => {
    const search = document.getElementById("search");
    if (search) search.focus();
    else app.go("#/");
  },
  g: (app) => () => app.go("#/"),
  "?": (app) => () => app.go("#/help"),
  n: (app) => () => app.go("#/new/"),
};

/** The keys of the screen that calls it, while it is shown. */
export const useKeys = (keys: Keys): void => {
  const app: Keyed = useApp();
  useEffect(() => {
    app[SCREENS]!.push(keys);
    return () => void app[SCREENS]!.splice(app[SCREENS]!.indexOf(keys), 1);
  });
};
