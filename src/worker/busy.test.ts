import { expect, test } from "vitest";
import { openBusy } from "./busy.ts";

const soon = (): Promise<void> => new Promise((done) => setTimeout(done, 5));

test("it is quiet once the last of those at work has ended, and idle a while later", async () => {
  const told: string[] = [];
  const busy = openBusy(() => told.push("idle"), 20);
  const [one, other] = [busy.begin(), busy.begin()];
  void busy.quiet(60_000).then(() => told.push("quiet"));
  one();
  await soon();
  expect(told).toEqual([]);
  other();
  await expect.poll(() => told).toEqual(["quiet", "idle"]);
});

test("who comes before it is idle keeps it from that", async () => {
  const told: string[] = [];
  const busy = openBusy(() => told.push("idle"), 20);
  busy.begin()();
  const end = busy.begin();
  await new Promise((done) => setTimeout(done, 60));
  expect(told).toEqual([]);
  end();
});

test("where nobody is at work it is quiet at once; where somebody does not end, after its time", async () => {
  const busy = openBusy(() => undefined, 60_000);
  await busy.quiet(60_000);
  busy.begin();
  await busy.quiet(5);
});
