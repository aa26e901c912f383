/** When somebody was last here. Only a page that is seen counts; whoever comes back after half an hour begins another visit. */

import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { useApp, type App } from "./app.ts";

/** When the page was last seen, and when it was before this visit. */
const [SEEN, BEFORE] = ["last here", "here before"];
const VISIT = 30 * 60_000;
/** Milliseconds between two looks at the clock. */
const TICK = 30_000;

const timeIn = (app: App, name: string): number | null => {
  const kept = Number(app.remembered(name) ?? Number.NaN);
  return Number.isNaN(kept) ? null : kept;
};

/** When somebody was here before this visit; null for the first one. */
const lastHere = (app: App): number | null => {
  const last = timeIn(app, SEEN);
  return last !== null && Date.now() - last > VISIT ? last : timeIn(app, BEFORE);
};

/** For the page as a whole, whichever screen is shown. */
export const useBeingHere = (): void => {
  const app = useApp();
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState !== "visible") return;
      const before = lastHere(app);
      if (before !== null) app.remember(BEFORE, String(before));
      app.remember(SEEN, String(Date.now()));
    };
    look();
    const timer = setInterval(look, TICK);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
};

export const useLastHere = (): number | null => {
  const app = useApp();
  const last = useSignal(lastHere(app));
  useEffect(() => {
    const look = (): void => void (last.value = lastHere(app));
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return last.value;
};
