import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openFolder, type Open } from "./open.ts";

const made: { open: Open; folder: string }[] = [];
afterEach(async () => {
  for (const { open, folder } of made.splice(0)) {
    await open.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A vault that is indexed and watched; `seen` resolves once the index knows what is asked for. */
const watched = async () => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-watch-"));
  const vault = join(folder, "vault");
  mkdirSync(join(vault, "sub/deep"), { recursive: true });
  writeFileSync(join(vault, "a.md"), "alpha\n");
  writeFileSync(join(vault, "sub/deep/b.md"), "beta\n");
  const open = await openFolder(vault, {
    readOnly: true,
    index: join(folder, "index.db"),
    durability: "fast",
    history: false,
    timeZone: undefined,
    environment: {},
    tell: () => undefined,
    report: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  made.push({ open, folder });
  open.start(() => undefined);
  const { notebook } = open;
  await notebook.ready();
  const found = async (words: string) =>
    (await notebook.find({ words }, { limit: 10, sort: "path" })).notes.map((note) => note.path);
  // The limit is below the minute after which the whole vault is swept: a change must be seen by its event.
  const seen = (words: string, paths: string[]) =>
    expect.poll(() => found(words), { interval: 5, timeout: 30_000 }).toEqual(paths);
  await seen("alpha", ["a.md"]);
  return { vault, seen };
};

test("a note made, changed, renamed and removed by another program is seen", async () => {
  const { vault, seen } = await watched();
  writeFileSync(join(vault, "sub/deep/c.md"), "gamma\n");
  await seen("gamma", ["sub/deep/c.md"]);
  appendFileSync(join(vault, "a.md"), "delta\n");
  await seen("delta", ["a.md"]);
  renameSync(join(vault, "a.md"), join(vault, "sub/z.md"));
  await seen("delta", ["sub/z.md"]);
  rmSync(join(vault, "sub/z.md"));
  await seen("delta", []);
});

test("a folder that comes with notes in it is seen, watched, and seen to go", async () => {
  const { vault, seen } = await watched();
  const outside = join(vault, "..", "incoming");
  mkdirSync(join(outside, "inner"), { recursive: true });
  writeFileSync(join(outside, "inner/n.md"), "epsilon\n");
  renameSync(outside, join(vault, "incoming"));
  await seen("epsilon", ["incoming/inner/n.md"]);
  writeFileSync(join(vault, "incoming/inner/m.md"), "zeta\n");
  await seen("zeta", ["incoming/inner/m.md"]);
  renameSync(join(vault, "incoming"), join(vault, "sub/moved"));
  await seen("zeta", ["sub/moved/inner/m.md"]);
  rmSync(join(vault, "sub/moved"), { recursive: true });
  await seen("zeta", []);
  await seen("epsilon", []);
});

const REPLACED: [how: string, replace: (vault: string) => void][] = [
  [
    "deleted and made anew",
    (vault) => {
      rmSync(join(vault, "sub"), { recursive: true });
      mkdirSync(join(vault, "sub/deep"), { recursive: true });
    },
  ],
  [
    "replaced by another that gets its name",
    (vault) => {
      mkdirSync(join(vault, "../other/deep"), { recursive: true });
      renameSync(join(vault, "sub"), join(vault, "../old"));
      renameSync(join(vault, "../other"), join(vault, "sub"));
    },
  ],
  [
    "moved away and back",
    (vault) => {
      renameSync(join(vault, "sub"), join(vault, "elsewhere"));
      renameSync(join(vault, "elsewhere"), join(vault, "sub"));
    },
  ],
];

test.each(REPLACED)("a folder that is %s is watched, and so are those in it", async (_, replace) => {
  const { vault, seen } = await watched();
  replace(vault);
  writeFileSync(join(vault, "sub/n.md"), "theta\n");
  writeFileSync(join(vault, "sub/deep/m.md"), "theta\n");
  await seen("theta", ["sub/deep/m.md", "sub/n.md"]);
  for (const note of ["sub/n.md", "sub/deep/m.md"]) {
    writeFileSync(join(vault, note), `iota of ${note}\n`);
    await seen("iota", note === "sub/n.md" ? [note] : ["sub/deep/m.md", "sub/n.md"]);
  }
});

test("many notes at once are all seen", async () => {
  const { vault, seen } = await watched();
  const names = Array.from({ length: 120 }, (_, at) => `many-${String(at).padStart(3, "0")}.md`);
  for (const name of names) writeFileSync(join(vault, name), name === names[119] ? "omega\n" : "eta\n");
  await seen("omega", [names[119]!]);
});
