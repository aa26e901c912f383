/** Keys: Ctrl-K everywhere; single keys where nothing is typed into, unless they are switched off. */

import { actOf } from "./acts.ts";
import type { App } from "./app.ts";

/** Keys that step go on while they are held; no other does anything twice. */
const STEPS = new Set(["j", "k", "[", "]"]);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

export const listenForKeys = (app: App): void =>
  addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, repeat } = event;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") {
      event.preventDefault();
      app.above.value = app.above.value === "switcher" ? null : "switcher";
      return;
    }
    if (ctrlKey || metaKey || altKey || event.defaultPrevented || (repeat && !STEPS.has(key))) return;
    if (!app.keys.value || isTyping(event.target) || app.above.value !== null || !app.entered.value) return;
    const act = actOf(app, key);
    if (!act) return;
    event.preventDefault();
    act();
  });
