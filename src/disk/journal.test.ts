import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { realCalls } from "./calls.ts";
import { openDisk, type Disk } from "./files.ts";
import { blobId } from "./hash.ts";
import { machineOf, makeHome } from "./home.ts";
import { copyName, pendingJournals, recover } from "./journal.ts";

let root: string;
let disk: Disk;
let machine: string;

const version = (text: string) => blobId(new TextEncoder().encode(text));
const read = (path: string) => fs.readFileSync(join(root, path), "utf8");
const write = (path: string, text: string) => {
  fs.mkdirSync(join(root, path, ".."), { recursive: true });
  fs.writeFileSync(join(root, path), text);
};
const temp = (id: number) => `.notewright/tmp/${machine}-${String(id).padStart(12, "0")}.tmp`;
const place = (id: number, path: string, old: string | null, after: string) => ({
  do: "place",
  path,
  old: old === null ? null : version(old),
  new: version(after),
  temp: temp(id),
});
const remove = (id: number, path: string, old: string) => ({
  do: "remove",
  path,
  old: version(old),
  temp: temp(id),
});
const journal = (steps: unknown, name = `${machine}-aaaaaaaaaaaa.json`, owner = machine) =>
  write(`.notewright/journal/${owner}/${name}`, JSON.stringify({ format: 1, steps }));
/** Notes only; and that nothing of ours is left but what was set aside. */
const vault = (): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (entry.isFile() && path !== ".notewright/.gitignore") found[path] = read(path);
  }
  return found;
};
const asideIn = (found: Record<string, string>) =>
  Object.keys(found).filter((path) => path.startsWith(".notewright/journal/set-aside/"));

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-journal-")));
  disk = openDisk(root);
  makeHome(disk);
  machine = machineOf(disk)!;
});
afterEach(() => fs.rmSync(root, { recursive: true }));

describe("a change that was cut short", () => {
  test("is finished: what is old is replaced, what is new stays, what was to go goes", () => {
    write("a.md", "old a");
    write("b.md", "new b");
    write("gone.md", "gone");
    write(temp(1), "new a");
    write(temp(3), "moved");
    journal([
      place(1, "a.md", "old a", "new a"),
      place(2, "b.md", "old b", "new b"),
      place(3, "new/c.md", null, "moved"),
      remove(4, "gone.md", "gone"),
    ]);
    expect(recover(disk, machine)).toEqual([]);
    expect(vault()).toEqual({ "a.md": "new a", "b.md": "new b", "new/c.md": "moved" });
    expect(recover(disk, machine)).toEqual([]);
  });

  test("keeps what another program wrote meanwhile, and puts ours beside it", () => {
    write("a.md", "their a");
    write("c.md", "their c");
    write("gone.md", "their edit");
    write(temp(1), "our a");
    write(temp(2), "our c");
    journal([
      place(1, "a.md", "old a", "our a"),
      place(2, "c.md", null, "our c"),
      remove(3, "gone.md", "gone"),
    ]);
    const reports = recover(disk, machine);
    const [a, c] = [version("our a").slice(0, 7), version("our c").slice(0, 7)];
    expect(vault()).toEqual({
      "a.md": "their a",
      [`a (conflict ${a}).md`]: "our a",
      "c.md": "their c",
      [`c (conflict ${c}).md`]: "our c",
      "gone.md": "their edit",
    });
    expect(reports).toHaveLength(3);
    expect(reports.join("\n")).toContain(`a (conflict ${a}).md`);
    expect(reports.join("\n")).not.toContain(root);
  });

  test("a conflict copy of a long name fits the disk", () => {
    const long = `${"ü".repeat(125)}.md`;
    write(long, "theirs");
    write(temp(1), "ours");
    write("b.md", "new b");
    journal([place(1, long, "old", "ours"), place(2, "b.md", "old b", "new b")]);
    expect(recover(disk, machine)).toHaveLength(1);
    expect(Object.values(vault()).toSorted()).toEqual(["new b", "ours", "theirs"]);
  });

  test.runIf(realCalls.handles)(
    "is flushed step by step: the folders of its notes, then the journal's, once it is gone",
    () => {
      write("folder/a.md", "old a");
      write("gone.md", "gone");
      write(temp(1), "new a");
      journal([place(1, "folder/a.md", "old a", "new a"), remove(2, "gone.md", "gone")]);
      const done: string[] = [];
      const journals = join(root, `.notewright/journal/${machine}`);
      const told = openDisk(root, {
        ...realCalls,
        fsync: (file) => {
          const where = fs.readlinkSync(`/proc/self/fd/${file}`).slice(root.length) || "/";
          done.push(
            where === journals.slice(root.length) ? `journals: ${fs.readdirSync(journals).length}` : where,
          );
          realCalls.fsync(file);
        },
      });
      expect(recover(told, machine)).toEqual([]);
      expect(done.filter((each) => !each.startsWith("/.notewright"))).toEqual([
        "/folder",
        "/",
        "journals: 0",
      ]);
    },
  );

  test("keeps what it replaces and removes within reach, as a writer does", () => {
    write("a.md", "old a");
    write("gone.md", "gone");
    write(temp(1), "new a");
    write(temp(3), "new c");
    write(".notewright/guard/x", "");
    fs.rmSync(join(root, ".notewright/guard/x"));
    journal([
      place(1, "a.md", "old a", "new a"),
      place(3, "c.md", null, "new c"),
      remove(2, "gone.md", "gone"),
    ]);
    expect(recover(disk, machine)).toEqual([]);
    const kept = fs
      .readdirSync(join(root, ".notewright/guard"))
      .map((name) => read(`.notewright/guard/${name}`));
    expect(kept.toSorted()).toEqual(["gone", "old a"]);
  });

  test("whose copy lies beside already is not put there twice, and another text of its name stays", () => {
    const ours = version("ours");
    const copy = `note (conflict ${ours.slice(0, 7)}).md`;
    write("note.md", "theirs");
    write(copy, "ours");
    write(temp(1), "ours");
    journal([place(1, "note.md", "old", "ours")]);
    expect(recover(disk, machine)).toEqual([expect.stringContaining(copy)]);
    expect(vault()).toEqual({ "note.md": "theirs", [copy]: "ours" });
    write(copy, "somebody else's");
    expect(copyName(disk, "note.md", ours)).toBe(`note (conflict ${ours}).md`);
  });

  test("in a folder that is gone has nothing left to do there", () => {
    write("kept.md", "kept");
    journal([remove(1, "gone/note.md", "old"), place(2, "kept.md", "old", "kept")]);
    expect(recover(disk, machine)).toEqual([]);
    expect(vault()).toEqual({ "kept.md": "kept" });
  });

  test("is told, and nothing is thrown away, where the journals cannot be read", () => {
    write("note.md", "old");
    write(temp(1), "new");
    journal([place(1, "note.md", "old", "new")]);
    const failing = openDisk(root, {
      ...realCalls,
      readdir: (path) => {
        throw Object.assign(new Error(path), { code: "EIO" });
      },
    });
    const before = vault();
    expect(recover(failing, machine)).toEqual([expect.stringContaining("could not be read")]);
    expect(vault()).toEqual(before);
    expect(recover(disk, machine)).toEqual([]);
    expect(vault()).toEqual({ "note.md": "new" });
  });

  test("that was through already, of notes that have moved on, touches nothing", () => {
    // There and back again: the journal of the first move came back after a power cut.
    write("a.md", "text");
    write("b.md", "somebody's");
    journal([place(1, "b.md", null, "text"), remove(2, "a.md", "text")]);
    expect(recover(disk, machine)).toEqual([]);
    expect(vault()).toEqual({ "a.md": "text", "b.md": "somebody's" });
  });

  test("whose text is missing is set aside as a whole", () => {
    write("a.md", "old a");
    write("b.md", "old b");
    write(temp(1), "new a");
    write(temp(2), "not what the journal says");
    journal([place(1, "a.md", "old a", "new a"), place(2, "b.md", "old b", "new b")]);
    expect(recover(disk, machine)).toHaveLength(1);
    const found = vault();
    expect([found["a.md"], found["b.md"]]).toEqual(["old a", "old b"]);
    expect(asideIn(found)).toHaveLength(1);
    expect(recover(disk, machine)).toEqual([]);
  });

  test("that cannot be finished now keeps all it needs, and is finished later", () => {
    write("a.md", "old a");
    write("b.md", "old b");
    write(temp(1), "new a");
    write(temp(2), "new b");
    journal([place(1, "a.md", "old a", "new a"), place(2, "b.md", "old b", "new b")]);
    let renames = 0;
    const failing = openDisk(root, {
      ...realCalls,
      rename(from, to) {
        if (renames++ > 0) throw Object.assign(new Error("made to fail"), { code: "EACCES" });
        realCalls.rename(from, to);
      },
    });
    expect(recover(failing, machine)).toEqual([expect.stringContaining("tried again")]);
    expect(read("b.md")).toBe("old b");
    expect(recover(disk, machine)).toEqual([]);
    expect(vault()).toEqual({ "a.md": "new a", "b.md": "new b" });
  });
});

const good = () => [place(1, "a.md", "old", "new"), remove(2, "b.md", "b")];

describe("what was planted", () => {
  test.each<[string, () => void]>([
    ["no JSON", () => write(`.notewright/journal/${machine}/${machine}-aaaaaaaaaaaa.json`, "{ half")],
    ["another format", () => journal("steps")],
    ["null", () => journal([null])],
    ["another name", () => journal(good(), "planted.json")],
    ["a path outside", () => journal([place(1, "../outside.md", null, "new")])],
    ["a hidden path", () => journal([place(1, ".git/hooks/x.md", null, "new")])],
    ["our own folder", () => journal([place(1, ".notewright/x.md", null, "new")])],
    ["no note", () => journal([place(1, "a.sh", null, "new")])],
    ["a temp elsewhere", () => journal([{ ...place(1, "c.md", null, "new"), temp: "a.md" }])],
    [
      "a temp above",
      () => journal([{ ...place(1, "c.md", null, "new"), temp: ".notewright/tmp/../../a.md" }]),
    ],
    [
      "a temp beside the others",
      () => journal([{ ...place(1, "c.md", null, "new"), temp: temp(1).replace("/tmp/", "/other/") }]),
    ],
    [
      "no name of a temp",
      () => journal([{ ...place(1, "c.md", null, "new"), temp: ".notewright/tmp/x.tmp" }]),
    ],
    ["a temp that is no text", () => journal([{ ...remove(1, "b.md", "b"), temp: 7 }])],
    ["a spelling of no version", () => journal([{ do: "respell", path: "B.md", from: "b.md", new: "x" }])],
    [
      "a spelling of what is no note",
      () => journal([{ do: "respell", path: "B.md", from: "b.sh", new: version("b") }]),
    ],
    ["a version that is none", () => journal([{ ...place(1, "a.md", null, "new"), old: "x" }])],
    ["an unknown step", () => journal([{ ...remove(2, "b.md", "b"), do: "run" }])],
    ["one bad step among good ones", () => journal([...good(), { do: "remove", path: "b.md", old: null }])],
    [
      "a link",
      () => {
        write(`elsewhere.md`, JSON.stringify({ format: 1, steps: good() }));
        fs.mkdirSync(join(root, `.notewright/journal/${machine}`), { recursive: true });
        fs.symlinkSync(
          join(root, "elsewhere.md"),
          join(root, `.notewright/journal/${machine}/${machine}-aaaaaaaaaaaa.json`),
        );
      },
    ],
    [
      "a folder",
      () => fs.mkdirSync(join(root, `.notewright/journal/${machine}/x.json`), { recursive: true }),
    ],
  ])("%s is set aside, and nothing is done", (_, plant) => {
    write("a.md", "old");
    write("b.md", "b");
    write(temp(1), "new");
    plant();
    let reports: string[] = [];
    try {
      reports = recover(disk, machine);
    } catch (error) {
      expect(String(error)).toBe("recovery never throws");
    }
    expect(reports).toEqual([expect.stringContaining("set aside")]);
    expect([read("a.md"), read("b.md")]).toEqual(["old", "b"]);
    expect(fs.readdirSync(join(root, ".notewright/journal/set-aside"))).toHaveLength(1);
    expect(fs.readdirSync(join(root, `.notewright/journal/${machine}`))).toEqual([]);
    expect(fs.existsSync(join(root, "../outside.md"))).toBe(false);
    expect(recover(disk, machine)).toEqual([]);
  });

  test("temps go, whatever they are; those of another copy of the vault stay", () => {
    write("a.md", "a");
    write(temp(1), "half");
    write(".notewright/tmp/anything", "planted");
    write(".notewright/tmp/mother-000000000001.tmp", "theirs");
    fs.symlinkSync(join(root, "a.md"), join(root, ".notewright/tmp/link.tmp"));
    expect(recover(disk, machine)).toEqual([]);
    expect(vault()).toEqual({ "a.md": "a", ".notewright/tmp/mother-000000000001.tmp": "theirs" });
  });

  test("a mark for a temp beside a note removes nothing but such a temp", () => {
    write("a.md", "a");
    write("folder/.keep", "k");
    const mark = temp(1).replace(".tmp", ".beside");
    for (const said of [
      { folder: "", name: "a.md" },
      { folder: "folder", name: ".keep" },
      { folder: "../x", name: 1 },
    ]) {
      write(mark, JSON.stringify(said));
      recover(disk, machine);
    }
    write(`folder/.${temp(1).split("/").at(-1)}`, "half");
    write(mark, JSON.stringify({ folder: "folder", name: `.${temp(1).split("/").at(-1)}` }));
    recover(disk, machine);
    expect(vault()).toEqual({ "a.md": "a", "folder/.keep": "k" });
  });
});

test("the journal of another copy of the vault is left alone, and told", () => {
  expect(pendingJournals(disk, machine)).toEqual({ ours: 0, others: [] });
  write("a.md", "old");
  write(temp(1), "new");
  journal([place(1, "a.md", "old", "new")], "mother-aaaaaaaaaaaa.json", "mother");
  fs.mkdirSync(join(root, ".notewright/journal/through"));
  expect(pendingJournals(disk, machine)).toEqual({ ours: 0, others: ["mother"] });
  expect(recover(disk, machine)).toEqual([]);
  expect(read("a.md")).toBe("old");
  expect(fs.existsSync(join(root, ".notewright/journal/mother/mother-aaaaaaaaaaaa.json"))).toBe(true);
});
