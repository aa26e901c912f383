/** T6: real limits of a real system: a disk that is full, one that cannot be written, a file that cannot be changed, few handles, a quota. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, type TestContext } from "vitest";
import { NoteError } from "../../src/markdown/errors.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { openTestFolder, type TestFolder } from "../faults/notebook.ts";
import { straysIn } from "../faults/point.ts";
import { startSession } from "../faults/clients.ts";
import { makeHome } from "../process.ts";
import { tell } from "./figures.ts";

let folder: string;
let mounted: boolean;
const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: "pipe" });
const NOTE = notePath("note.md");
const OLD = "old text\n".repeat(1000);

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "notewright-limits-"));
  fs.mkdirSync(join(folder, "vault"));
  mounted = false;
});
afterEach(() => {
  if (mounted) run("umount", join(folder, "vault"));
  fs.rmSync(folder, { recursive: true, force: true });
});

function mount(context: TestContext, ...args: string[]): void {
  try {
    run("mount", ...args, join(folder, "vault"));
    mounted = true;
  } catch {
    context.skip("this machine does not let us mount a disk");
  }
}

async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    return error instanceof NoteError ? error.code : `a defect: ${String(error)}`;
  }
}
const text = () => fs.readFileSync(join(folder, "vault/note.md"), "utf8");
const open = () => openTestFolder(join(folder, "vault"), { index: join(folder, "index.db") });
const edit = (it: TestFolder, after: string) =>
  outcome(it.notebook.edit([{ path: NOTE, edits: [() => after] }]));

test("a disk of 6 MB that is full to some bytes or other", async (context) => {
  mount(context, "-t", "tmpfs", "-o", "size=6m", "tmpfs");
  fs.writeFileSync(join(folder, "vault/note.md"), OLD);
  const it = await open();
  const filler = join(folder, "vault/filler.bin");
  const counts = { tries: 0, done: 0, refused: 0, notIntact: 0 };
  let now = OLD;
  // From nothing left to room for everything, the size of a page at a time.
  for (let room = 0; room <= 160; room += 2) {
    fs.writeFileSync(filler, "");
    const { bavail, bsize } = fs.statfsSync(join(folder, "vault"));
    fs.writeFileSync(filler, Buffer.alloc(Math.max(0, (bavail - room) * bsize)));
    // Unlike itself, so that no compression makes room.
    const after = Array.from({ length: 2000 }, () => Math.random().toString(36)).join("\n");
    counts.tries++;
    const result = await edit(it, after);
    if (result === "done") now = after;
    counts[result === "done" ? "done" : "refused"]++;
    expect(["done", "disk_full"]).toContain(result);
    if (text() !== now) counts.notIntact++;
    fs.unlinkSync(filler);
    // The bytes of those that were replaced are kept for a moment.
    await new Promise((done) => setTimeout(done, 60));
  }
  expect(await edit(it, "room again\n")).toBe("done");
  await it.close();
  tell("T6, full disk", { ...counts, strays: straysIn(folder) });
  expect(counts.notIntact).toBe(0);
  expect(Math.min(counts.done, counts.refused)).toBeGreaterThan(0);
  expect(text()).toBe("room again\n");
  expect(straysIn(folder)).toEqual([]);
});

test("a disk that becomes read-only, and writable again", async (context) => {
  mount(context, "-t", "tmpfs", "-o", "size=6m", "tmpfs");
  fs.writeFileSync(join(folder, "vault/note.md"), OLD);
  const first = await open();
  expect(await edit(first, "first\n")).toBe("done");
  // As long as somebody has a file open to write to, the kernel does not let it become so.
  await first.close();
  run("mount", "-o", "remount,ro", join(folder, "vault"));
  const it = await open();
  expect(await edit(it, "second\n")).toBe("disk_refused");
  expect(await outcome(it.notebook.write(notePath("new.md"), "new\n"))).toBe("disk_refused");
  expect((await it.notebook.read(NOTE)).text).toBe("first\n");
  run("mount", "-o", "remount,rw", join(folder, "vault"));
  expect(await edit(it, "third\n")).toBe("done");
  expect(text()).toBe("third\n");
  await it.close();
  expect(straysIn(folder)).toEqual([]);
  tell("T6, read-only disk", { intact: true, worksAgain: true });
});

test("a note and a folder that are immutable", async (context) => {
  const image = join(folder, "image");
  fs.writeFileSync(image, "");
  fs.truncateSync(image, 32 * 1024 * 1024);
  try {
    run("mkfs.ext4", "-q", image);
  } catch {
    context.skip("this machine has no mkfs.ext4");
  }
  mount(context, "-o", "loop", image);
  const vault = join(folder, "vault");
  fs.writeFileSync(join(vault, "note.md"), OLD);
  fs.mkdirSync(join(vault, "fixed"));
  fs.writeFileSync(join(vault, "fixed/other.md"), OLD);
  const it = await open();
  run("chattr", "+i", join(vault, "note.md"), join(vault, "fixed"));
  const other = notePath("fixed/other.md");
  const refused = [
    await edit(it, "new\n"),
    await outcome(it.notebook.remove(NOTE, { trash: true })),
    await outcome(it.notebook.move([{ from: NOTE, to: notePath("moved.md") }])),
    await outcome(it.notebook.edit([{ path: other, edits: [() => "new\n"] }])),
    await outcome(it.notebook.edit([NOTE, other].map((path) => ({ path, edits: [() => "new\n"] })))),
  ];
  const intact = text() === OLD && fs.readFileSync(join(vault, "fixed/other.md"), "utf8") === OLD;
  run("chattr", "-i", join(vault, "note.md"), join(vault, "fixed"));
  expect(refused).toEqual(refused.map(() => "disk_refused"));
  expect(intact).toBe(true);
  expect(fs.existsSync(join(vault, "moved.md"))).toBe(false);
  expect(await edit(it, "new\n")).toBe("done");
  await it.close();
  expect(straysIn(folder)).toEqual([]);
  tell("T6, immutable", { refused: refused.length, intact, worksAgain: true });
});

test("64 handles for a whole server", async () => {
  const home = makeHome();
  fs.writeFileSync(join(home.vault, "log.md"), "# Log\n");
  for (let number = 0; number < 300; number++) {
    fs.mkdirSync(join(home.vault, `folder ${number}`));
    fs.writeFileSync(join(home.vault, `folder ${number}/note.md`), "text\n");
  }
  const session = await startSession(home, "obsidian", ["bash", "-c", 'ulimit -n 64; exec "$0" "$@"']);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      at % 2 === 0
        ? session.call("append_note", { name: "log", text: `line ${at}` })
        : session.call("search_notes", { query: "text", mode: "content" }),
    ),
  );
  await session.close();
  const refused = answers.filter((answer) => answer.refused).map((answer) => answer.text);
  const lines = fs.readFileSync(join(home.vault, "log.md"), "utf8").match(/^line \d+$/gm) ?? [];
  tell("T6, 64 handles", { calls: answers.length, refused, lines: lines.length });
  expect(refused).toEqual([]);
  expect(lines).toEqual(Array.from({ length: 100 }, (_, at) => `line ${at * 2}`));
  home.remove();
});

test("a quota", (context) => {
  try {
    run("setquota", "--version");
  } catch {
    tell("T6, quota", { skipped: "this machine has no setquota" });
    context.skip("this machine has no setquota; EDQUOT is told like a full disk");
  }
});
