import { afterEach, expect, test, vi } from "vitest";
import type { Listener } from "../notebook/listeners.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { NotePath } from "../notebook/paths.ts";
import { EVENT_LIMITS, openEvents } from "./events.ts";

afterEach(() => vi.useRealTimers());

/** As much of a notebook as events need, and a way to tell of a change. */
const changing = () => {
  const listeners = new Set<Listener>();
  const notebook = {
    onChange: (listener: Listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  } as unknown as Notebook;
  const change = (path: string, version: string | null = "1", listed = false): void =>
    listeners.forEach((listener) =>
      listener({
        notes: [{ path: path as NotePath, version, listed }],
        list: listed,
        revisions: [],
        elsewhere: false,
      }),
    );
  return { notebook, change, listeners };
};

/** The next events of a stream. */
const read = async (response: Response | null, count: number): Promise<string[]> => {
  const reader = response!.body!.getReader();
  let text = "";
  const events = (): string[] => text.split("\n\n").slice(0, -1);
  while (events().length < count) text += new TextDecoder().decode((await reader.read()).value);
  reader.releaseLock();
  return events();
};
const idOf = (text: string): string => /^id: (.*)$/m.exec(text)![1]!;

test("a page is told what changed, came and went, and nobody listens before the first page", async () => {
  const { notebook, change, listeners } = changing();
  const events = openEvents(notebook, "boot");
  expect(listeners.size).toBe(0);
  const stream = events.stream(null);
  change("a.md");
  change("b.md", "1", true);
  change("c.md", null, true);
  const texts = await read(stream, 4);
  expect(texts.map((text) => JSON.parse(text.split("data: ")[1]!))).toEqual([
    { kind: "open" },
    { kind: "note", path: "a.md", how: "changed" },
    { kind: "note", path: "b.md", how: "came" },
    { kind: "note", path: "c.md", how: "went" },
  ]);
  events.close();
  expect(listeners.size).toBe(0);
});

test("a page that lost its connection catches up, or is told to begin anew", async () => {
  const { notebook, change } = changing();
  const events = openEvents(notebook, "boot");
  const first = events.stream(null);
  change("a.md");
  const [, seen] = await read(first, 2);
  change("b.md");
  expect((await read(events.stream(idOf(seen!)), 2))[1]).toContain("b.md");
  for (let count = 0; count < EVENT_LIMITS.ring; count++) change(`${count}.md`);
  expect((await read(events.stream(idOf(seen!)), 2))[1]).toContain('"reset"');
  expect((await read(events.stream("other.3"), 2))[1]).toContain('"reset"');
  expect((await read(events.stream("boot.9999999"), 2))[1]).toContain('"reset"');
  events.close();
});

test("streams are counted, end after ten minutes, and end where nobody reads", async () => {
  vi.useFakeTimers();
  const { notebook, change } = changing();
  const limits = { ...EVENT_LIMITS, streams: 2, waiting: 300 };
  const events = openEvents(notebook, "boot", { limits });
  const stream = events.stream(null)!;
  events.stream(null);
  expect(events.stream(null)).toBeNull();
  vi.advanceTimersByTime(limits.life);
  expect(events.stream(null)).not.toBeNull();
  const ended = await stream.text();
  expect(ended.match(/^:$/gm)!.length).toBeGreaterThan(0);
  for (let count = 0; count < 20; count++) {
    change(`${count}.md`);
    vi.advanceTimersByTime(limits.gather);
  }
  expect(events.stream(null)).not.toBeNull();
  expect(events.stream(null)).not.toBeNull();
  events.close();
});

test("whoever leaves is told nothing any more; other pages go on", async () => {
  const { notebook, change } = changing();
  const events = openEvents(notebook, "boot");
  const left = events.stream(null, "one")!;
  const stays = events.stream(null, "other");
  events.endOf("one");
  change("a.md");
  expect(await left.text()).not.toContain("a.md");
  expect((await read(stays, 2))[1]).toContain("a.md");
  events.close();
});

test("what happens together is sent together; what is too much is one word to begin anew", async () => {
  const { notebook, change } = changing();
  const events = openEvents(notebook, "boot", { limits: { ...EVENT_LIMITS, ring: 3 } });
  const reader = events.stream(null)!.body!.getReader();
  const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  expect(await next()).toContain('"open"');
  for (const name of ["a", "b", "c"]) change(`${name}.md`);
  expect((await next()).match(/"note"/g)).toHaveLength(3);
  for (const name of ["a", "b", "c", "d"]) change(`${name}.md`);
  expect(await next()).toMatch(/^id: boot\.7\ndata: \{"kind":"reset"\}\n\n$/);
  events.close();
});

test("a page that comes while events are gathered hears of each once", async () => {
  const { notebook, change } = changing();
  const events = openEvents(notebook, "boot");
  events.stream(null);
  change("a.md");
  const second = events.stream("boot.0");
  change("b.md");
  const texts = await read(second, 3);
  expect(texts.map((text) => /\w\.md/.exec(text)?.[0])).toEqual([undefined, "a.md", "b.md"]);
  events.close();
});
