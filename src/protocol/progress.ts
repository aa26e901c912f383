/** Progress of a call, as notifications to the client that asked for them. */

import type { Who } from "../notebook/change.ts";

/** Milliseconds between two notifications: progress is for a person's eye. */
const PAUSE = 100;

type Notification = {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; total: number; message: string };
};

export const progressOf = (
  progressToken: string | number | undefined,
  notify: (notification: Notification) => Promise<void>,
): Who["progress"] => {
  if (progressToken === undefined) return undefined;
  let last = -Infinity;
  let highest = -1;
  let doing = "";
  let before = 0;
  return (done, total, message) => {
    const now = performance.now();
    // The protocol wants progress that rises, so what is done next is counted on top of what was done before.
    if (message !== doing) [doing, before] = [message, Math.max(0, highest)];
    const progress = before + done;
    if (progress <= highest || (now - last < PAUSE && done < total)) return;
    [last, highest] = [now, progress];
    const params = { progressToken, progress, total: before + total, message };
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
};
