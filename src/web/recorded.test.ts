import { expect, test } from "vitest";
import type { Listener } from "../notebook/listeners.ts";
import type { Revision as Recorded } from "../notebook/parts.ts";
import { recordedSource } from "./recorded.ts";
import type { PageEvent, Revision } from "./wire.ts";

const recorded = (id: string): Recorded => ({ id }) as Recorded;

const opened = (lineOf: (one: Recorded) => Promise<Revision> = async ({ id }) => ({ id }) as Revision) => {
  const listeners = new Set<Listener>();
  const told: PageEvent[] = [];
  const onChange = (listener: Listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const stop = recordedSource({ onChange }, lineOf)((event) => told.push(event));
  const news = (ids: string[], elsewhere = false): void =>
    listeners.forEach((listener) =>
      listener({ notes: [], list: false, revisions: ids.map(recorded), elsewhere }),
    );
  const said = (): string[] =>
    told.map((event) => (event.kind === "revision" ? event.revision.id : event.kind));
  return { news, said, stop };
};
const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 40));

test("what is recorded is told in its order, after whoever made it was answered", async () => {
  const { news, said } = opened();
  news(["a", "b"]);
  expect(said()).toEqual([]);
  news(["c"]);
  await expect.poll(said).toEqual(["a", "b", "c"]);
  news(["d"]);
  await expect.poll(said).toEqual(["a", "b", "c", "d"]);
});

test("what cannot be told by itself is told as something new: of another process, too much, or without its texts", async () => {
  const { news, said } = opened(async ({ id }) => {
    if (id === "bad") throw new Error("no text");
    return { id } as Revision;
  });
  news([], true);
  news(Array.from({ length: 51 }, (_, at) => `many ${at}`));
  expect(said()).toEqual(["history", "history"]);
  news(["bad", "good"]);
  await expect.poll(said).toEqual(["history", "history", "history", "good"]);
});

test("nothing is told once it has stopped", async () => {
  const { news, said, stop } = opened();
  news(["a"]);
  stop();
  await pause();
  expect(said()).toEqual([]);
});
