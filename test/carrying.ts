/** A folder of notes pushed to a server, edited on both sides, pushed and pulled again: every byte where it belongs, and both histories know it. */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { openRemote, vaultAddress } from "../src/sync/remote.ts";
import { blobId } from "../src/disk/hash.ts";
import { encodeText } from "../src/notebook/note.ts";
import type { NotePath } from "../src/notebook/paths.ts";
import { runHere } from "./command.ts";
import type { Ended } from "./process.ts";

export type Carrier = {
  vault: string;
  run(...args: string[]): Promise<Ended>;
  push(...args: string[]): Promise<Ended>;
  pull(...args: string[]): Promise<Ended>;
  /** A note as another program leaves it here; null for gone. */
  here(path: string, text: string | Uint8Array | null): void;
  /** The same there, as another client leaves it. */
  there(path: string, text: string | null): Promise<void>;
  /** Every note of each side, by its bytes in latin1. */
  notes(): Record<string, string>;
  copy(): Promise<Record<string, string>>;
  remove(): void;
};

export const openCarrier = (url: string, token: string): Carrier => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-carrier-"));
  const vault = join(folder, "notes");
  mkdirSync(vault);
  const environment = {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_STATE_HOME: join(folder, "state"),
    NO_COLOR: "1",
    NOTEWRIGHT_TOKEN: token,
  };
  const run = (...args: string[]) => runHere(args, environment, folder);
  const side = openRemote(vaultAddress(url), token);
  const held = async () => {
    const found = new Map<string, string>();
    for await (const { notes } of side.held())
      for (const { path, version } of notes) found.set(path, version);
    return found;
  };
  return {
    vault,
    run,
    push: (...args) => run("push", vault, url, ...args),
    pull: (...args) => run("pull", vault, url, ...args),
    here(path, text) {
      const file = join(vault, path);
      if (text === null) return unlinkSync(file);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    async there(path, text) {
      const bytes = text === null ? null : encodeText(text);
      const expected = (await held()).get(path) ?? null;
      await side.apply([{ path: path as NotePath, bytes, expect: expected }], "Edit there");
    },
    notes: () =>
      Object.fromEntries(
        readdirSync(vault, { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(".md") && !name.startsWith("."))
          .toSorted()
          .map((name) => [name, readFileSync(join(vault, name), "latin1")]),
      ),
    async copy() {
      const all = [...(await held())].map(([path, version]) => ({ path: path as NotePath, version }));
      const found: Record<string, string> = {};
      for (let at = 0; at < all.length; at += 64) {
        const some = all.slice(at, at + 64);
        (await side.read(some)).forEach((bytes, index) => {
          const { path, version } = some[index]!;
          expect(blobId(bytes!)).toBe(version);
          found[path] = Buffer.from(bytes!).toString("latin1");
        });
      }
      return found;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const noteAt = (at: number): string => `Folder ${at % 20}/Note ${at}.md`;
const bodyOf = (at: number): string =>
  `---\ntags: [t${at % 7}]\n---\n# Note ${at}\n\nSee [[Note ${at + 1}]].\n\n${`Line of ${at}. `.repeat(at % 40)}\n\nThe end of ${at}.\n`;

/** `log`: who changed a note there, newest first. */
export const throughEverything = async (
  carrier: Carrier,
  count: number,
  log: (path: string) => Promise<string[]>,
): Promise<void> => {
  const { here, there, push, pull } = carrier;
  for (let at = 0; at < count; at++) here(noteAt(at), bodyOf(at));
  here("odd.md", new Uint8Array([0xff, 0x00, 0xfe]));
  here("crlf.md", "\ufeffone\r\ntwo\r\n");
  here("empty.md", "");
  expect(await push()).toMatchObject({ code: 0, stderr: expect.stringMatching(/created\.\n/) });
  expect(await carrier.copy()).toEqual(carrier.notes());

  const tenth = Math.floor(count / 10);
  const half = Math.floor(tenth / 2);
  for (let at = 0; at < tenth; at++) here(noteAt(at), bodyOf(at).replace("# Note", "# My note"));
  for (let at = half; at < tenth + 5; at++) await there(noteAt(at), bodyOf(at).replace("The end", "An end"));
  here(noteAt(count - 1), null);
  await there(noteAt(count - 2), null);
  here("Moved/there.md", bodyOf(count - 3));
  here(noteAt(count - 3), null);
  here("clash.md", "of here\n");
  await there("clash.md", "of there\n");
  expect((await push()).code).toBe(0);
  expect((await pull()).code).toBe(0);

  const notes = carrier.notes();
  expect(await carrier.copy()).toEqual(notes);
  for (let at = 0; at < count; at++) {
    const mine = at < tenth;
    const theirs = at >= half && at < tenth + 5;
    const text = bodyOf(at)
      .replace("# Note", mine ? "# My note" : "# Note")
      .replace("The end", theirs ? "An end" : "The end");
    expect(notes[noteAt(at)]).toBe(at >= count - 3 ? undefined : Buffer.from(text).toString("latin1"));
  }
  expect(notes["Moved/there.md"]).toBe(bodyOf(count - 3));
  expect(notes["odd.md"]).toBe("\xff\x00\xfe");
  expect(Buffer.from(notes["crlf.md"]!, "latin1").toString()).toBe("\ufeffone\r\ntwo\r\n");
  const copies = Object.keys(notes).filter((path) => path.startsWith("clash"));
  expect(copies.map((path) => notes[path])).toEqual(["of here\n", "of there\n"]);
  expect(Object.keys(notes)).toHaveLength(count - 2 + 3 + 2);

  // Both histories know it: who, and what was moved.
  expect((await log("Moved/there.md")).length).toBe(2);
  expect((await log(noteAt(tenth - 1))).length).toBe(3);
  const { stdout } = await carrier.run("history", noteAt(tenth - 1), carrier.vault, "--json");
  const mine = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { message: string });
  expect(mine[0]!.message).toMatch(/^Pull /);
  for (const verb of [push, pull])
    expect(await verb()).toMatchObject({ code: 0, stderr: expect.stringContaining("There is nothing to") });
};
