import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openBodies } from "./body.ts";
import { LIMITS } from "./limits.ts";
import type { Pieces } from "./parts.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const REQUEST = new Request("http://127.0.0.1/mcp", {
  method: "POST",
  headers: { "content-type": "application/json" },
});

/** A body of which so many bytes come each second, for ever. Gives the status that ends it and when, in seconds. */
const dripping = async (bytes: number): Promise<{ status: number; after: number }> => {
  let wanted = true;
  const body: Pieces = (take) =>
    new Promise((resolve) => {
      const drip = setInterval(() => {
        wanted = take(new Uint8Array(bytes));
        if (wanted) return;
        clearInterval(drip);
        resolve();
      }, 1000);
    });
  let answer: { status: number; after: number } | undefined;
  void openBodies(LIMITS)
    .read(REQUEST, { address: "", body })
    .then((taken) => {
      if (taken instanceof Response) answer = { status: taken.status, after: performance.now() / 1000 };
    });
  const begun = performance.now() / 1000;
  await vi.advanceTimersByTimeAsync(130_000);
  expect(wanted, "whoever sends is told that it is enough").toBe(false);
  return { status: answer!.status, after: answer!.after - begun };
};

test("a body that drips is refused so soon that its socket is closed within 15 s", async () => {
  const { status, after } = await dripping(1);
  expect(status).toBe(408);
  expect(after).toBeGreaterThan(14);
  expect(after).toBeLessThanOrEqual(14.5);
});

test("a body that keeps coming at the rate has up to 120 s, and no more than 32 MiB", async () => {
  const slow = await dripping(80_000);
  expect(slow.status).toBe(408);
  expect(slow.after).toBeGreaterThan(110);
  expect(slow.after).toBeLessThanOrEqual(120);
  expect((await dripping(4 * 1024 * 1024)).status).toBe(413);
});

test("a body that breaks off is refused", async () => {
  const body: Pieces = () => Promise.reject(new Error("gone"));
  const taken = await openBodies(LIMITS).read(REQUEST, { address: "", body });
  expect((taken as Response).status).toBe(400);
});

test("where the runtime hands over no pieces, the stream of the request is read", async () => {
  vi.useRealTimers();
  const request = new Request(REQUEST.url, { method: "POST", headers: REQUEST.headers, body: "[1]" });
  const taken = await openBodies(LIMITS).read(request, { address: "" });
  expect(new TextDecoder().decode((taken as { bytes: Uint8Array }).bytes)).toBe("[1]");
});
