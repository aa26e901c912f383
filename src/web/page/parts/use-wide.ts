/** Whether there is room beside a text; screens that put something there hear when that changes. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** The same width as in reading.css. */
const WIDE = "(min-width: 60rem)";

export const useWide = (): boolean => {
  const wide = useSignal(matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const hear = (): void => void (wide.value = query.matches);
    query.addEventListener("change", hear);
    return () => query.removeEventListener("change", hear);
  }, []);
  return wide.value;
};
