/** Attacks on review: files planted among the proposals, and proposers that mean harm. */

import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDisk } from "../../src/disk/files.ts";
import { blobId } from "../../src/disk/hash.ts";
import { decodeProposal, encodeProposal } from "../../src/history/proposal-record.ts";
import { openProposalFolder } from "../../src/history/proposal-folder.ts";
import { encodeText } from "../../src/notebook/note.ts";
import type { NotePath } from "../../src/notebook/paths.ts";
import { pointerText } from "../../src/notebook/pointer.ts";
import { nameOfProposal, type Proposal, type ProposedNote } from "../../src/notebook/proposals/proposal.ts";
import { onlyOne, openSide, textsOf, type Side } from "../review/sides.ts";

let side: Side;
let folder: string;
beforeEach(async () => {
  side = await openSide("propose", { notes: { "Ada.md": "# Ada\n\nThe end.\n", "Bea.md": "Bea.\n" } });
  folder = join(side.vault.root!, ".notewright/proposals");
});
afterEach(async () => {
  expect(side.vault.logged).toEqual([]);
  await side.vault.close();
});

const note = (more: object = {}): ProposedNote => ({
  path: "New.md" as NotePath,
  origin: null,
  original: null,
  base: null,
  after: encodeText("planted\n"),
  why: "asked",
  links: "leave",
  trash: false,
  folder: null,
  ...more,
});
const proposal = (notes: ProposedNote[], more: object = {}): Proposal => ({
  id: "0123abcd",
  state: "0123456789",
  by: { client: "claude", surface: "native", tool: "t", connection: "c", named: true },
  message: "m",
  first: new Date("2026-01-15T10:00:00Z"),
  last: new Date("2026-01-15T10:00:00Z"),
  rules: "bind",
  always: false,
  notes,
  folders: [],
  replaces: [],
  ...more,
});
const pointer = (digit: string): Uint8Array => encodeText(pointerText({ sha256: digit.repeat(64), size: 5 }));
const [POINTER, OTHER] = [pointer("a"), pointer("b")];
const plant = (name: string, bytes: Uint8Array | string): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
};
const listed = async (): Promise<string[]> =>
  (await side.vault.notebook.proposals.list()).map(({ id }) => id);

test("what is written is read again, and a small change takes a small file", () => {
  const long = "A line of a long note.\n".repeat(1000);
  const edited = note({
    path: "Ada.md",
    origin: "Ada.md",
    original: encodeText(long),
    base: encodeText(long),
    after: encodeText(`${long}More.\n`),
  });
  const whole = proposal([note(), edited, note({ path: "b.md", after: new Uint8Array([0xff, 0x00]) })]);
  const bytes = encodeProposal(whole)!;
  const hashed = (one: Proposal | null): unknown =>
    one && {
      ...one,
      notes: one.notes.map(({ original, base, after, ...rest }) => ({
        ...rest,
        texts: [original, base, after].map((text) => text && blobId(text)),
      })),
    };
  expect(hashed(decodeProposal(bytes, whole.id, whole.state))).toEqual(hashed(whole));
  expect(bytes.length).toBeLessThan(long.length + 2000);
});

test("attack 96: planted files are passed over, and do not keep others from being shown", async () => {
  const sound = encodeProposal(proposal([note()]))!;
  const bad = [
    ["../Out.md"],
    ["/etc/Out.md"],
    [".llm_bridges/knowledge_base/kb/meta.md"],
    [".trash/Out.md"],
    [".notewright/Out.md"],
    ["a/../Out.md"],
    ["Out.txt"],
    [""],
  ].map(([path]) => encodeProposal(proposal([note({ path })]))!);
  const shapes = [
    note({ origin: "Ada.md" }),
    note({ after: null }),
    note({ original: encodeText("x"), base: encodeText("x") }),
    note({ path: 7 }),
    // A file that would become a note, hold text, or be taken for another.
    note({ path: "Ada.md", origin: "a.png", original: POINTER, base: POINTER }),
    note({ path: "b.png", origin: "a.png", original: POINTER, base: POINTER }),
    note({ path: "b.png", origin: "a.png", original: POINTER, base: POINTER, after: OTHER }),
  ].map((one) => encodeProposal(proposal([one]))!);
  const forged = Buffer.from(sound);
  forged[forged.length - 2] = forged[forged.length - 2]! ^ 1;
  const others = [
    encodeProposal(proposal([]))!,
    encodeProposal(proposal([note()], { id: "99999999" }))!,
    encodeProposal(proposal([note()], { first: "no date" }))!,
    encodeProposal(proposal([note()], { by: { client: 7 } }))!,
    forged,
    sound.subarray(0, sound.length - 1),
    Buffer.from("[]\n"),
    Buffer.from("not json"),
    Buffer.alloc(0),
  ];
  for (const bytes of [...bad, ...shapes, ...others])
    expect(decodeProposal(bytes, "0123abcd", "0123456789"), bytes.toString("latin1", 0, 80)).toBeNull();
  [...bad, ...shapes, ...others].forEach((bytes, at) =>
    plant(`0123abcd-${String(at).padStart(10, "0")}`, bytes),
  );
  symlinkSync("/etc/passwd", join(folder, "0123abcd-aaaaaaaaaa"));
  mkdirSync(join(folder, "0123abcd-bbbbbbbbbb"));
  plant("notes.md", "no proposal");
  expect(await listed()).toEqual([]);
  plant("0123abcd-0123456789", sound);
  expect(await listed()).toEqual(["0123abcd-0123456789"]);
  await side.vault.notebook.proposals.accept("0123abcd-0123456789");
  expect((await side.vault.state()).get("New.md")).toBe("planted\n");
});

test("attack 96: a link in the place of the folder is set aside, and nothing is read or written through it", async () => {
  const elsewhere = join(side.vault.root!, "elsewhere");
  mkdirSync(elsewhere);
  mkdirSync(join(side.vault.root!, ".notewright"), { recursive: true });
  symlinkSync(elsewhere, folder);
  expect(await listed()).toEqual([]);
  await side.call("native", "write_note", { path: "New.md", text: "x" });
  await onlyOne(side);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("attack 96: what is too much is not read", () => {
  const shelf = openProposalFolder(openDisk(side.vault.root!), { durable: false, refused: (work) => work() });
  const large = "x".repeat(7 * 1024 * 1024);
  const texts = Array.from({ length: 4 }, (_, at) => note({ path: `${at}.md`, after: encodeText(large) }));
  for (let at = 0; at < 6; at++) {
    const one = proposal(texts, { state: String(at).padStart(10, "0") });
    plant(nameOfProposal(one), encodeProposal(one)!);
  }
  expect(shelf.all().length).toBe(4);
});

test("attack 96: lines that are none of ours are passed over", async () => {
  plant("settled", `{"id":"x"}\nnull\nnot json\n{"at":"never"}\n`);
  await side.call("native", "write_note", { path: "New.md", text: "x" });
  await side.vault.notebook.proposals.decline(await onlyOne(side));
  expect(await side.vault.notebook.proposals.settled()).toHaveLength(1);
});

test("attack 97: what was shown is what is accepted: the same text once more is another state", async () => {
  const replace = (find: string, text: string) =>
    side.call("native", "edit_notes", { edits: [{ note: "Ada.md", do: "replace_text", find, text }] });
  await replace("The end.", "Good.");
  const shown = await onlyOne(side);
  await replace("Good.", "Evil.");
  await replace("Evil.", "Good.");
  const again = await onlyOne(side);
  expect(again).not.toBe(shown);
  await expect(side.vault.notebook.proposals.accept(shown)).rejects.toMatchObject({
    code: "version_conflict",
  });
});

test("attack 97: a program that gives itself the name of an identity sees nothing of it", async () => {
  await side.call("native", "edit_notes", { edits: [{ note: "Ada.md", do: "append", text: "secret" }] });
  const impostor = side.as({ name: null }, "claude");
  const read = textsOf(await impostor("native", "read_notes", { notes: ["Ada.md"] })).join("\n");
  expect(read).not.toContain("secret");
});

test("attack 97: names with direction marks and line breaks stay on their line", async () => {
  const odd = side.as({ name: null }, "evil\u202Ename");
  await odd("native", "write_note", { path: "a\u202Eb.md", text: "x" });
  await side.call("native", "write_note", { path: "New.md", text: "x" });
  const [one] = await side.vault.notebook.proposals.list();
  await side.vault.notebook.proposals.decline(one!.id);
  const [line] = await side.vault.notebook.proposals.settled();
  expect(line!.path).not.toContain("\u202E");
});
