import fc from "fast-check";
import { expect, test } from "vitest";
import { newObject, sha1 } from "./hashing.ts";
import type { GitObject } from "./objects.ts";
import { openTrees } from "./trees.ts";

const version = (number: number): string => number.toString(16).padStart(40, "0");

/** Trees over objects in memory, and the same made anew from all files, with nothing remembered. */
function memory() {
  const objects = new Map<string, GitObject>();
  const read = async (id: string) => objects.get(id) ?? null;
  const keep = (made: { id: string; body: Uint8Array }[]) =>
    made.forEach(({ id, body }) => objects.set(id, { kind: "tree", body: Buffer.from(body) }));
  return { objects, keep, trees: openTrees(read, sha1), fresh: () => openTrees(read, sha1) };
}

// Names that git puts in another order than most do: a folder counts as if it ended in a slash.
const names = ["a", "a.md", "a-b", "a0", "a/b", "a/c", "a.b/x", "ab", "B", "é", "z/y/x", "z"];
const steps = fc.array(
  fc.array(fc.record({ name: fc.constantFrom(...names), to: fc.option(fc.nat(5)) }), {
    minLength: 1,
    maxLength: 3,
  }),
  { maxLength: 25 },
);
/** A file cannot stand where a folder of others is needed. */
const inTheWay = (one: string, other: string) => one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

test("trees changed step by step are those made from all their files", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (each, many) => {
      const { trees, fresh, keep } = memory();
      // Beside many others a change is put in its place; beside few, all are put in order again.
      const files = new Map<string, string>();
      for (let at = 0; at < (many ? 60 : 0); at++) files.set(`m${at}.md`, version(at));
      let { root, objects } = await trees.edit(null, files);
      keep(objects);
      for (const step of each) {
        const change = new Map<string, string | null>();
        for (const { name, to } of step) {
          if (to === null && !files.has(name)) continue;
          if (to !== null)
            for (const other of [...files.keys()].filter((it) => inTheWay(it, name))) {
              files.delete(other);
              change.set(other, null);
            }
          for (const other of [...change.keys()].filter(
            (it) => inTheWay(it, name) && change.get(it) !== null,
          ))
            change.delete(other);
          if (to === null) files.delete(name);
          else files.set(name, version(to));
          change.set(name, to === null ? null : version(to));
        }
        if (change.size === 0) continue;
        ({ root, objects } = await trees.edit(root, change));
        keep(objects);
        expect(await fresh().files(root)).toEqual(new Map([...files].toSorted()));
        expect(root).toBe((await openTrees(async () => null, sha1).edit(null, files)).root);
      }
    }),
    { numRuns: 300 },
  );
});

test("a change that was given up leaves the tree before it as it was", async () => {
  const { trees, keep } = memory();
  const files = new Map(Array.from({ length: 100 }, (_, at) => [`folder/${at}.md`, version(at)] as const));
  const first = await trees.edit(null, files);
  keep(first.objects);
  // Its objects are not kept: as if the disk had refused them.
  await trees.edit(first.root, new Map([["folder/7.md", version(900)]]));
  expect(await trees.version(first.root, "folder/7.md")).toBe(version(7));
  const second = await trees.edit(first.root, new Map([["folder/8.md", version(901)]]));
  keep(second.objects);
  expect(await trees.version(second.root, "folder/7.md")).toBe(version(7));
  expect(await trees.version(second.root, "folder/8.md")).toBe(version(901));
});

test("only the folders on the way to a change are new", async () => {
  const { trees } = memory();
  const files = new Map(Array.from({ length: 40 }, (_, at) => [`${at % 4}/${at}.md`, version(at)] as const));
  const { root } = await trees.edit(null, files);
  const { objects } = await trees.edit(root, new Map([["3/3.md", version(99)]]));
  expect(objects.length).toBe(2);
  expect(objects.every(({ id, kind, body }) => newObject(kind, body).id === id)).toBe(true);
});

test("a name that is no text, in a tree that somebody else made, stays as it is beside what changes", async () => {
  const { objects, keep, trees } = memory();
  const row = (name: Buffer, at: number): Buffer =>
    Buffer.concat([Buffer.from("100644 "), name, Buffer.of(0), Buffer.from(version(at), "hex")]);
  const odd = row(Buffer.of(0x62, 0xff), 1);
  for (const others of [0, 40]) {
    const plain = Array.from({ length: others }, (_, at) => row(Buffer.from(`n${100 + at}.md`), at));
    const body = Buffer.concat([odd, ...plain]);
    const { id } = newObject("tree", body);
    objects.set(id, { kind: "tree", body });
    const made = await trees.edit(id, new Map([["a.md", version(7)]]));
    keep(made.objects);
    expect(objects.get(made.root)!.body).toEqual(Buffer.concat([row(Buffer.from("a.md"), 7), odd, ...plain]));
  }
});

test("what is no tree is damage", async () => {
  const { objects, trees } = memory();
  for (const body of ["100644 a.md", "100644 a.md\0short", "nonsense\0aaaaaaaaaaaaaaaaaaaa"]) {
    const { id } = newObject("tree", Buffer.from(body));
    objects.set(id, { kind: "tree", body: Buffer.from(body) });
    await expect(trees.version(id, "a.md")).rejects.toMatchObject({ damaged: true });
  }
});

test("a tree that stands in many places is read once", async () => {
  const { objects, fresh, keep } = memory();
  let { root, objects: made } = await fresh().edit(null, new Map([["note.md", version(1)]]));
  keep(made);
  for (let depth = 0; depth < 4; depth++) {
    const row = (name: number) => Buffer.concat([Buffer.from(`40000 ${name}\0`), Buffer.from(root, "hex")]);
    const tree = newObject("tree", Buffer.concat(Array.from({ length: 10 }, (_, name) => row(name))));
    keep([tree]);
    root = tree.id;
  }
  let reads = 0;
  const trees = openTrees(async (id) => (reads++, objects.get(id) ?? null), sha1);
  expect((await trees.files(root)).size).toBe(10_000);
  expect(reads).toBe(5);
});
