/** What models really send: arguments of another type or spelling, what each was taken for, and what a change refuses. */

import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entriesOf } from "../src/protocol/entries.ts";
import { coerced } from "../src/protocol/coercion.ts";
import { native } from "../src/surfaces/native/native.ts";
import { openNative, type NativeSession } from "./native-session.ts";

const NOTES = {
  "Home.md": "See [[Slides]].\n",
  "Plugins/Slides.md": "# Slides\n\nOne.\n\n## Usage\n\nTwo.\n",
  "Plugins/Two words.md": "Space.\n",
};
let session: NativeSession;
let place: string;
beforeAll(async () => {
  session = await openNative(NOTES, { folder: true });
  place = session.vault.root!;
});
afterAll(() => session.close());

describe("reading takes", () => {
  test.each([
    [{ notes: "Home.md" }, "Home.md"],
    [{ notes: '["Home.md", "Plugins/Slides.md"]' }, "Home.md Plugins/Slides.md"],
    [{ notes: ["[[Slides]]"] }, "Plugins/Slides.md"],
    [{ notes: "[[Slides|the slides]]" }, "Plugins/Slides.md"],
    [{ notes: "![[Plugins/Slides]]" }, "Plugins/Slides.md"],
    [{ notes: ["[[Slides#Usage]]"] }, "Plugins/Slides.md#Usage"],
    [{ notes: ["note:///Plugins/Slides.md"] }, "Plugins/Slides.md"],
    [{ notes: ["note:///Plugins/Two%20words.md"] }, "Plugins/Two words.md"],
    [{ notes: ["note:///Plugins/Slides.md#Usage"] }, "Plugins/Slides.md#Usage"],
    [{ notes: ["/Plugins/Slides.md"] }, "Plugins/Slides.md"],
    [{ notes: ["./Plugins/Slides"] }, "Plugins/Slides.md"],
    [{ notes: ["plugins/slides"] }, "Plugins/Slides.md"],
    [{ notes: ["PLUGINS/two Words.md"] }, "Plugins/Two words.md"],
    [{ notes: [" Home.md "] }, "Home.md"],
  ])("%j", async (input, meant) => {
    const { data } = await session.done("read_notes", input);
    expect(data.notes.map((one: { note: string }) => one.note.split("@")[0]).join(" ")).toBe(meant);
  });
  test("a whole path inside the vault, and none outside", async () => {
    const { data } = await session.done("read_notes", { notes: `${place}/Plugins/Slides.md` });
    expect(data.notes[0].note).toMatch(/^Plugins\/Slides\.md@/);
    for (const other of [
      "/etc/Plugins/Slides.md",
      `${place}x/Plugins/Slides.md`,
      `${place}/../Plugins/Slides.md`,
    ]) {
      const said = await session.call("read_notes", { notes: other });
      expect(said.isError).toBe(true);
    }
  });
  test.each([
    ["search_notes", { query: "slides", limit: "1" }],
    ["list_notes", { folder: "/" }],
    ["list_notes", { folder: "./Plugins/", what: "notes", limit: "5" }],
    ["list_notes", { folder: "/plugins" }],
    ["get_links", { note: "[[slides]]", depth: "2" }],
    ["check_vault", { limit: "2" }],
  ])("%s %j", async (tool, input) => {
    const { data, text } = await session.done(tool, input);
    expect(Number(data.total ?? data.notes ?? data.revisions?.length), text).toBeGreaterThan(0);
  });
  test("the past of a note, in any spelling", async () => {
    await session.done("edit_notes", { edits: { note: "Plugins/Two words.md", do: "append", text: "x" } });
    const input = { note: "note:///Plugins/Two%20words.md", limit: "3" };
    expect((await session.done("get_history", input)).data.revisions).not.toEqual([]);
  });
  test("a limit above the largest, as that, and says so", async () => {
    for (const [tool, input] of [
      ["search_notes", { query: "slides", limit: 500 }],
      ["list_notes", { what: "tags", limit: "1000" }],
      ["get_links", { note: "Home.md", limit: 201 }],
      ["get_history", { limit: 1e9 }],
    ] as const)
      expect((await session.done(tool, input)).text).toContain("limit is 200 at most");
    expect((await session.call("list_notes", { limit: 0 })).isError).toBe(true);
  });
});

describe("a change", () => {
  test("takes JSON in a text for its list, and one edit for a list of one", async () => {
    const edit = { note: "Home.md", do: "append", text: "[1]" };
    await session.done("edit_notes", { edits: JSON.stringify([edit]), dry_run: true });
    await session.done("edit_notes", { edits: edit, dry_run: true });
    await session.done("edit_notes", { edits: JSON.stringify(edit), dry_run: true });
    await session.done("move_notes", { moves: '{"from":"Home.md","to":"H.md"}', dry_run: true });
    await session.done("manage_rules", {
      do: "add_base",
      base: "b",
      folder: "Plugins",
      description: "d",
      guide: "g",
      rules: "{}",
      dry_run: true,
    });
  });
  test.each([
    ["edit_notes", { edits: [{ note: "[[Slides]]", do: "append", text: "x" }] }, "Plugins/Slides.md"],
    [
      "edit_notes",
      { edits: [{ note: "plugins/slides#Usage", do: "append", text: "x" }] },
      "Plugins/Slides.md#Usage",
    ],
    ["edit_notes", { edits: [{ note: "/Home.md", do: "append", text: "x" }] }, "Home.md"],
    ["edit_notes", { edits: [{ note: "Slides", do: "append", text: "x" }] }, "Plugins/Slides.md"],
    ["write_note", { path: "note:///New%20one.md", text: "x" }, "New one.md"],
    ["write_note", { path: "./a/New.md", text: "x" }, "a/New.md"],
    ["delete_note", { path: "home.md" }, "Home.md"],
    ["delete_note", { path: "[[Home]]" }, "Home.md"],
    ["move_notes", { moves: [{ from: "slides", to: "S.md" }] }, "Plugins/Slides.md"],
    ["move_notes", { moves: [{ from: "Home.md", to: "/H.md" }] }, "H.md"],
  ])("%s %j is refused with the exact path", async (tool, input, exact) => {
    const before = readdirSync(place, { recursive: true, encoding: "utf8" }).filter(
      (name) => !name.startsWith("."),
    );
    const said = await session.call(tool, input);
    expect(said.isError).toBe(true);
    expect(said.text).toContain(`the exact path: "${exact}"`);
    expect(
      readdirSync(place, { recursive: true, encoding: "utf8" }).filter((name) => !name.startsWith(".")),
    ).toEqual(before);
  });
  test("of a folder needs no slash where only a folder has the name", async () => {
    const { text } = await session.done("move_notes", {
      moves: [{ from: "Plugins", to: "Add-ons" }],
      dry_run: true,
    });
    expect(text).toContain("moved Plugins/Slides.md to Add-ons/Slides.md");
    await session.vault.put("Plugins.md", "a note of that name\n");
    const note = await session.done("move_notes", {
      moves: [{ from: "Plugins", to: "Add-ons" }],
      dry_run: true,
    });
    expect(note.text).toContain("moved Plugins.md to Add-ons.md");
  });
});

describe("nothing inside an argument is read as something else", () => {
  test("text, find and fields stay as they were sent", async () => {
    const text = '["a", {"b": "5"}]';
    await session.done("write_note", { path: "Raw.md", text });
    expect((await session.vault.state()).get("Raw.md")).toBe(text);
    await session.done("edit_notes", {
      edits: JSON.stringify([
        { note: "Raw.md", do: "set_fields", fields: { n: "5", list: "[1]", link: "[[Home]]" } },
      ]),
    });
    expect((await session.vault.state()).get("Raw.md")).toBe(
      `---\nn: "5"\nlist: "[1]"\nlink: "[[Home]]"\n---\n${text}`,
    );
    const inner = { edits: [{ note: "Raw.md", do: "add_tags", items: "one" }] };
    expect((await session.call("edit_notes", inner)).text).toContain("edits.0.items");
  });
  test("whatever the tool, only lists, numbers and objects are", () => {
    for (const { tool, schema } of entriesOf(native)) {
      const sent = Object.fromEntries(Object.keys(schema.properties ?? {}).map((name) => [name, "5"]));
      for (const [name, value] of Object.entries(coerced(schema, sent))) {
        const { type, items } = schema.properties![name]!;
        const meant = type === "integer" ? 5 : type === "array" && items?.type === "string" ? ["5"] : "5";
        expect([tool.name, name, value]).toEqual([tool.name, name, meant]);
      }
    }
  });
  test.each([
    ["5.5", "5.5"],
    ["five", "five"],
    ["0x10", "0x10"],
    ["", ""],
    [true, true],
  ])("a number is not made of %j", (value, same) => {
    const { schema } = entriesOf(native).find(({ tool }) => tool.name === "search_notes")!;
    expect(coerced(schema, { limit: value })).toEqual({ limit: same });
  });
  test("JSON that is nested without end is a text", () => {
    const { schema } = entriesOf(native).find(({ tool }) => tool.name === "edit_notes")!;
    const deep = "[".repeat(10_000);
    expect(coerced(schema, { edits: deep })).toEqual({ edits: deep });
  });
});

test("times are taken as people write them, in every tool that takes one", async () => {
  for (const [tool, input] of [
    ["get_history", { from: "2 hours ago", to: "14:00" }],
    ["get_history", { from: "yesterday", diff: true }],
    ["search_notes", { query: "modified:>yesterday" }],
    ["daily_note", { date: "2 days ago" }],
  ] as const)
    await session.done(tool, input);
  expect((await session.call("undo_changes", { since: "14:00", dry_run: true })).text).not.toContain(
    "is no time",
  );
  expect((await session.call("read_notes", { notes: "Home.md", at: "2 hours ago" })).text).not.toContain(
    "four hex digits",
  );
});
