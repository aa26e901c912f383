/** One time: what is shown of when a note was modified is what it is sorted and filtered by, on every surface, in every process, however the index came to be. */

import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFolder, type Open } from "../src/vault/open.ts";
import type { Who } from "../src/notebook/change.ts";
import { notePath } from "../src/notebook/paths.ts";
import { surfaces } from "./surfaces.ts";

let folder: string;
let opened: Open[] = [];
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "notewright-time-"))));
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
  rmSync(folder, { recursive: true, force: true });
});
const root = () => join(folder, "vault");

const save = (path: string, text: string, time: string | Date = new Date()): void => {
  const file = join(root(), path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, new Date(time), new Date(time));
};
const touch = (path: string, time: string | Date): void =>
  utimesSync(join(root(), path), new Date(time), new Date(time));

type How = { index?: string; history?: boolean; readOnly?: boolean; timeZone?: string };
/** A process of its own, as far as an index file goes. */
const open = async ({ index = "index.db", history = true, readOnly = false, timeZone = "UTC" }: How = {}) => {
  mkdirSync(root(), { recursive: true });
  const one = await openFolder(root(), {
    index: join(folder, index),
    history,
    readOnly,
    timeZone,
    durability: "fast",
    environment: {},
    report: (what, error) => {
      throw new Error(what, { cause: error });
    },
    tell: () => undefined,
  });
  opened.push(one);
  await one.catchUp(() => undefined);
  return one;
};
const close = async (one: Open): Promise<void> => {
  opened = opened.filter((other) => other !== one);
  await one.close();
};

const who: Who = { client: "test", surface: "native", tool: "test", connection: "one" };
const append = (one: Open, path: string) =>
  one.notebook.as(who).edit([{ path: notePath(path), edits: [(text) => `${text}more\n`] }]);

/** By path, as lists have it; and the same as reading, sorting and filtering have it. */
const modified = async ({ notebook }: Open): Promise<Record<string, string>> => {
  const { notes } = await notebook.find({ all: [] }, { limit: 100, sort: "modified" });
  const times = notes.map((note) => note.modified.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  for (const { path, modified: time } of notes) {
    expect((await notebook.read(path)).lastModified, path).toEqual(time);
    const since = async (date: Date) =>
      (await notebook.find({ since: date }, { limit: 100, sort: "path" })).notes.some(
        (note) => note.path === path,
      );
    expect(await since(time)).toBe(true);
    expect(await since(new Date(time.getTime() + 1))).toBe(false);
  }
  return Object.fromEntries(notes.map((note) => [note.path, note.modified.toISOString().slice(0, 19)]));
};

/** The times, which an index made anew, one of another process and one that only reads must have too. */
const settledTimes = async (one: Open): Promise<Record<string, string>> => {
  const times = await modified(one);
  const [anew, reader] = [
    await open({ index: "anew.db" }),
    await open({ index: "reader.db", readOnly: true }),
  ];
  for (const other of [anew, reader]) {
    expect(await modified(other)).toEqual(times);
    await close(other);
  }
  for (const name of ["anew.db", "reader.db"]) rmSync(join(folder, name), { force: true });
  return times;
};

const today = (): string => new Date().toISOString().slice(0, 10);

test("a note that was only found has the time of its field, else of its file; touching it or moving it changes nothing in a text", async () => {
  save("field.md", "---\nupdated: 2024-05-01T10:00:00Z\n---\nx\n", "2025-01-01T00:00:00Z");
  save("file.md", "x\n", "2025-02-02T02:02:02Z");
  const one = await open();
  expect(await settledTimes(one)).toEqual({
    "field.md": "2024-05-01T10:00:00",
    "file.md": "2025-02-02T02:02:02",
  });
  await one.notebook.as(who).move([{ from: notePath("field.md"), to: notePath("moved/field.md") }]);
  touch("file.md", "2025-03-03T03:03:03Z");
  await one.notebook.refresh();
  expect(await settledTimes(one)).toEqual({
    "moved/field.md": "2024-05-01T10:00:00",
    "file.md": "2025-03-03T03:03:03",
  });
});

test("a change of ours counts by its revision, whatever the file's time becomes, and under every name", async () => {
  save("a.md", "---\nupdated: 2024-05-01\n---\nx\n", "2024-05-01T00:00:00Z");
  const one = await open();
  const { revision } = await append(one, "a.md");
  const date = (await one.notebook.revision(revision!)).date.toISOString().slice(0, 19);
  await one.notebook.as(who).move([{ from: notePath("a.md"), to: notePath("b/c.md") }]);
  // As a clone or a sync tool leaves it.
  for (const time of ["2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"]) {
    touch("b/c.md", time);
    await one.notebook.refresh();
    expect(await settledTimes(one)).toEqual({ "b/c.md": date });
  }
});

test("a change by another program counts by the file's time then, each note by its own, at most when it was recorded", async () => {
  for (const name of ["a", "b", "future"]) save(`${name}.md`, "x\n", "2024-01-01T00:00:00Z");
  const one = await open();
  save("a.md", "y\n", "2025-01-01T10:00:00Z");
  save("b.md", "y\n", "2025-02-02T10:00:00Z");
  save("future.md", "y\n", "2031-01-01T00:00:00Z");
  await one.notebook.refresh();
  await close(one);
  const two = await open();
  for (const name of ["a", "b", "future"]) touch(`${name}.md`, "2026-01-01T00:00:00Z");
  await two.notebook.refresh();
  const times = await settledTimes(two);
  expect(times).toMatchObject({ "a.md": "2025-01-01T10:00:00", "b.md": "2025-02-02T10:00:00" });
  expect(times["future.md"]! < "2030").toBe(true);
});

test("so do changes made while no server ran", async () => {
  for (const name of ["a", "b", "c"]) save(`${name}.md`, "x\n", "2024-01-01T00:00:00Z");
  const one = await open();
  await close(one);
  save("a.md", "y\n", "2025-01-01T10:00:00Z");
  save("b.md", "y\n", "2025-02-02T10:00:00Z");
  renameSync(join(root(), "c.md"), join(root(), "d.md"));
  const two = await open();
  expect(await settledTimes(two)).toEqual({
    "a.md": "2025-01-01T10:00:00",
    "b.md": "2025-02-02T10:00:00",
    "d.md": "2024-01-01T00:00:00",
  });
});

test("undo and restore are changes, also where no byte differs", async () => {
  save("a.md", "---\nupdated: 2024-05-01T10:00:00Z\n---\nx\n", "2024-05-01T10:00:00Z");
  save("b.md", "x\n", "2024-05-01T10:00:00Z");
  const one = await open();
  const made = await append(one, "a.md");
  await one.notebook.as(who).undo([await one.notebook.revision(made.revision!)]);
  const [first] = (await one.notebook.log({ path: notePath("b.md"), limit: 10 })).toReversed();
  await one.notebook.as(who).restore(notePath("b.md"), first!.id);
  for (const path of ["a.md", "b.md"]) touch(path, "2024-01-01T00:00:00Z");
  await one.notebook.refresh();
  const times = await settledTimes(one);
  expect(Object.values(times).map((time) => time.slice(0, 4))).toEqual([
    today().slice(0, 4),
    today().slice(0, 4),
  ]);
});

test("wiki: a restored note shows the time of its restoring", async () => {
  save("note.md", "---\ntitle: T\nupdated: 2024-05-01T10:00:00Z\n---\nold\n", "2024-05-01T10:00:00Z");
  const one = await open();
  const wiki = surfaces.find(({ name }) => name === "wiki")!;
  const call = (name: string, input: object) =>
    wiki.tools.find((tool) => tool.name === name)!.run(one.notebook.as(who), input) as Promise<string>;
  const [found] = await one.notebook.log({ path: notePath("note.md"), limit: 1 });
  await append(one, "note.md");
  await call("restore_note_version", { path: "note", version: found!.id });
  const [restored] = await one.notebook.log({ path: notePath("note.md"), limit: 1 });
  const shown = `${restored!.date.toISOString().slice(0, 19)}Z`;
  expect(await call("get_note", { path: "note" })).toContain(`**Updated:** ${shown}`);
  expect(await call("recent_notes", {})).toContain(`Updated: ${shown}`);
  expect(await call("get_note_version", { path: "note", version: restored!.id })).toContain(
    `**Updated:** ${shown}`,
  );
  expect(await call("get_note_version", { path: "note", version: found!.id })).toContain(
    "**Updated:** 2024-05-01T10:00:00Z",
  );
});

test("with history off: the field, else the file's time, also where there was a history before", async () => {
  save("field.md", "---\nmodified: 2024-05-01T10:00:00Z\n---\nx\n", "2024-05-01T00:00:00Z");
  save("file.md", "x\n", "2024-05-01T00:00:00Z");
  const one = await open();
  for (const path of ["field.md", "file.md"]) await append(one, path);
  await close(one);
  touch("file.md", "2025-01-01T00:00:00Z");
  const off = await open({ history: false });
  expect(await modified(off)).toEqual({
    "field.md": "2024-05-01T10:00:00",
    "file.md": "2025-01-01T00:00:00",
  });
  await close(off);
  const on = await open();
  expect((await settledTimes(on))["field.md"]!.slice(0, 4)).toBe(today().slice(0, 4));
});

test("a change that a read-only process sees and cannot record has the file's time", async () => {
  save("a.md", "x\n", "2024-01-01T00:00:00Z");
  const one = await open();
  await append(one, "a.md");
  await close(one);
  save("a.md", "y\n", "2024-06-01T10:00:00Z");
  expect(await modified(await open({ readOnly: true }))).toEqual({ "a.md": "2024-06-01T10:00:00" });
});

test("a day in a field begins when it does in the vault's time zone, also where the index was made in another", async () => {
  save("a.md", "---\nupdated: 2025-02-01\n---\nx\n", "2024-01-01T00:00:00Z");
  await close(await open({ timeZone: "UTC" }));
  const vienna = await open({ timeZone: "Europe/Vienna" });
  expect(await modified(vienna)).toEqual({ "a.md": "2025-01-31T23:00:00" });
});
