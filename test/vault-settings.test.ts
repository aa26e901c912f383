/** The vault's own settings, through the native tools on a folder: where notes of days go, what they begin with, and what a search leaves out. */

import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localeNamed } from "../src/notebook/calendar/locales.ts";
import { periodNote } from "../src/notebook/settings/periodic-notes.ts";
import { openVault } from "./vault.ts";
import { openNative, type NativeSession } from "./native-session.ts";

let session: NativeSession;
beforeEach(async () => {
  session = await openNative({}, { folder: true });
  session.vault.setClock(new Date("2026-02-24T14:05:00Z"));
});
afterEach(() => session.close());

const root = () => session.vault.root!;
const settings = (name: string, value: unknown) => {
  mkdirSync(dirname(join(root(), ".obsidian", name)), { recursive: true });
  writeFileSync(
    join(root(), ".obsidian", name),
    typeof value === "string" || value instanceof Buffer ? value : JSON.stringify(value),
  );
};
const note = (path: string, text = "text\n") => session.vault.put(path, text);
const daily = (input: object) => session.done("daily_note", input);
const text = (path: string) => readFileSync(join(root(), path), "utf8");
const periodic = (data: object) => {
  settings("community-plugins.json", ["periodic-notes"]);
  settings("plugins/periodic-notes/data.json", data);
};

describe("the note of a day lies where the settings put it", () => {
  test("in the folder of daily-notes.json, by its format, from its template", async () => {
    settings("daily-notes.json", {
      folder: "Journal",
      format: "YYYY/MM/YYYY-MM-DD dddd",
      template: "Templates/Day",
    });
    settings("templates.json", { folder: "Templates", dateFormat: "DD.MM.YYYY" });
    await note(
      "Templates/Day.md",
      "---\ntags: [day]\n---\n# {{date:dddd}}, {{date}} {{time}}\n[[{{yesterday}}]]\n",
    );
    expect((await daily({})).text).toContain("text would begin Journal/2026/02/2026-02-24 Tuesday.md");
    await daily({ text: "- [ ] milk" });
    const made = text("Journal/2026/02/2026-02-24 Tuesday.md");
    expect(made).toBe(
      "---\ntags: [day]\n---\n# Tuesday, 24.02.2026 14:05\n[[2026-02-23 Monday]]\n\n- [ ] milk\n",
    );
    await daily({ text: "- [ ] eggs" });
    expect(text("Journal/2026/02/2026-02-24 Tuesday.md")).toBe(`${made}\n- [ ] eggs\n`);
    expect((await daily({})).text).toContain("- [ ] eggs");
    expect(
      (await session.done("search_notes", { query: "is:daily" })).data.hits.map((hit: any) => hit.at),
    ).toEqual([expect.stringContaining("2026-02-24 Tuesday.md")]);
  });
  test("in the root of a vault that is Obsidian's and says nothing, and begins empty", async () => {
    settings("app.json", {});
    await daily({ text: "one" });
    expect(text("2026-02-24.md")).toBe("one\n");
  });
  test("as ever where there is no .obsidian", async () => {
    await daily({ text: "one" });
    expect(text("Daily/2026-02-24.md")).toBe("# 2026-02-24\n\none\n");
  });
  test("where one is already, and no second is made", async () => {
    settings("daily-notes.json", { folder: "Journal", format: "DD.MM.YYYY" });
    await note("Old/2026-02-24.md", "old\n");
    await daily({ text: "one" });
    expect(text("Old/2026-02-24.md")).toBe("old\n\none\n");
    periodic({ daily: { enabled: true, folder: "P", format: "YYYYMMDD" } });
    await note("Journal/25.02.2026.md", "core\n");
    await daily({ date: "tomorrow", text: "two" });
    expect(text("Journal/25.02.2026.md")).toBe("core\n\ntwo\n");
    await daily({ date: "2026-02-26", text: "three" });
    expect(text("P/20260226.md")).toBe("three\n");
  });
  test("settings that change hold from the next call on", async () => {
    settings("daily-notes.json", { folder: "A" });
    expect((await daily({})).text).toContain("A/2026-02-24.md");
    settings("daily-notes.json", { folder: "B" });
    expect((await daily({})).text).toContain("B/2026-02-24.md");
    rmSync(join(root(), ".obsidian"), { recursive: true });
    expect((await daily({})).text).toContain("Daily/2026-02-24.md");
  });
  test("they are never written", async () => {
    settings("daily-notes.json", { folder: "A" });
    await daily({ text: "x" });
    expect(readdirSync(join(root(), ".obsidian"))).toEqual(["daily-notes.json"]);
    expect(text(".obsidian/daily-notes.json")).toBe('{"folder":"A"}');
  });
});

describe("other periods", () => {
  test.each([
    ["week", "2026-W09.md"],
    ["month", "2026-02.md"],
    ["quarter", "2026-Q1.md"],
    ["year", "2026.md"],
  ])("the %s is %s", async (period, path) => {
    settings("app.json", {});
    await daily({ period, text: "x" });
    expect(text(path)).toBe("x\n");
  });
  test("have their own folder, format and template", async () => {
    periodic({
      calendarSets: [
        { id: "a", week: { enabled: true, folder: "Weeks", format: "GGGG-[W]WW", templatePath: "W.md" } },
      ],
      activeCalendarSet: "a",
    });
    await note("W.md", "# {{title}} from {{monday:YYYY-MM-DD}} to {{sunday:YYYY-MM-DD}}\n");
    await daily({ period: "week", date: "2026-03-01", text: "x" });
    expect(text("Weeks/2026-W09.md")).toBe("# 2026-W09 from 2026-02-23 to 2026-03-01\n\nx\n");
  });
  test("without settings lie beside their like", async () => {
    await note("Plans/2026-W07.md");
    await daily({ period: "week", text: "x" });
    expect(text("Plans/2026-W09.md")).toBe("# 2026-W09\n\nx\n");
    expect((await daily({ period: "year" })).text).toBe(
      "There is no note for the year from 2026-01-01 on yet; text would begin Yearly/2026.md.",
    );
  });
});

describe("names in another language", () => {
  test("keep a note from being made, and the refusal says what to set", async () => {
    settings("daily-notes.json", { folder: "J", format: "D MMMM YYYY" });
    await note("J/23 février 2026.md");
    const said = await session.call("daily_note", { text: "x" });
    expect(said.isError).toBe(true);
    expect(said.text).toContain("--locale fr");
    expect(readdirSync(join(root(), "J"))).toEqual(["23 février 2026.md"]);
    await note("J/22 February 2026.md");
    await daily({ text: "x" });
    expect(text("J/24 February 2026.md")).toBe("x\n");
  });
  test("are written where that language is set", async () => {
    const vault = await openVault({ folder: true, locale: localeNamed("fr")! });
    mkdirSync(join(vault.root!, ".obsidian"));
    writeFileSync(join(vault.root!, ".obsidian/daily-notes.json"), '{"format":"D MMMM YYYY"}');
    expect((await periodNote(vault.notebook, "day", "2026-02-24")).path).toBe("24 février 2026.md");
    await vault.close();
  });
});

describe("attack 95: settings that cannot be used", () => {
  test.each([
    ["not JSON", () => settings("daily-notes.json", "{"), "is no JSON"],
    [
      "too large",
      () => settings("daily-notes.json", JSON.stringify({ folder: "J", x: "x".repeat(300_000) })),
      "larger than 256 KiB",
    ],
    ["not text", () => settings("daily-notes.json", Buffer.from([0xff, 0xfe, 0x00])), "is not UTF-8 text"],
    [
      "nested deeply",
      () => settings("daily-notes.json", `{"folder":${"[".repeat(5000)}${"]".repeat(5000)}}`),
      "nested",
    ],
    [
      "wrong types",
      () => settings("daily-notes.json", { folder: ["J"], format: {} }),
      '"folder" that is no short text',
    ],
    [
      "a link",
      () => {
        settings("app.json", {});
        symlinkSync("/etc/hostname", join(root(), ".obsidian/daily-notes.json"));
      },
      "symbolic link",
    ],
    [
      "a folder",
      () => mkdirSync(join(root(), ".obsidian/daily-notes.json"), { recursive: true }),
      "is no file",
    ],
  ])("%s: the note goes where Obsidian would put it, and that is said", async (_, make, said) => {
    make();
    const answer = await daily({ text: "x" });
    expect(answer.text).toContain(said);
    expect(text("2026-02-24.md")).toBe("x\n");
  });
  test.each(["../out", "a/../../out", ".obsidian", ".hidden/x", "C:\\x", "a\u0000b", "/../../etc"])(
    "the folder %j is refused",
    async (folder) => {
      settings("daily-notes.json", { folder });
      const said = await session.call("daily_note", { text: "x" });
      expect(said.isError).toBe(true);
      expect(said.text).toContain("path_refused: The settings in .obsidian/daily-notes.json");
    },
  );
  test("a format cannot lead out either", async () => {
    settings("daily-notes.json", { format: "[../../]YYYY" });
    expect((await session.call("daily_note", { text: "x" })).text).toContain("path_refused");
  });
  test("a link in the place of .obsidian is not followed, and that is said", async () => {
    symlinkSync("/etc", join(root(), ".obsidian"));
    expect((await daily({ text: "x" })).text).toContain("symbolic link");
  });
  test("a template that is gone is said, and the note made", async () => {
    settings("daily-notes.json", { template: "T/none" });
    expect((await daily({ text: "x" })).text).toContain('was not used: There is no template "T/none"');
    expect(text("2026-02-24.md")).toBe("x\n");
  });
});

describe("templates", () => {
  beforeEach(async () => {
    settings("templates.json", { folder: "T", timeFormat: "HH[h]mm" });
    await note(
      "T/Meeting.md",
      "---\ntype: meeting\nstatus: open\n---\n# {{title}}\n{{date}} {{time}}\n<% tp.x() %>\n",
    );
  });
  test("begin a note, by name or path, with the text after", async () => {
    const said = await session.done("write_note", {
      path: "M/Ada.md",
      template: "Meeting",
      text: "---\nstatus: done\n---\nWords.\n",
    });
    expect(text("M/Ada.md")).toBe(
      "---\ntype: meeting\nstatus: done\n---\n# Ada\n2026-02-24 14h05\n<% tp.x() %>\n\nWords.\n",
    );
    expect(said.text).toContain("copied, not run");
    await session.done("write_note", { path: "M/Bo.md", template: "T/Meeting.md" });
    expect(text("M/Bo.md")).toContain("# Bo\n");
  });
  test("that are not there, or no text at all, are refused, and nothing is made", async () => {
    expect((await session.call("write_note", { path: "x.md", template: "Nope" })).text).toContain(
      'There is no template "Nope", by that path or in "T/"',
    );
    expect((await session.call("write_note", { path: "x.md", template: "../x" })).text).toContain(
      "path_refused",
    );
    expect((await session.call("write_note", { path: "x.md" })).text).toContain("needs text, or a template");
  });
  test("begin the note of a day", async () => {
    await daily({ template: "Meeting", text: "x" });
    expect(text("2026-02-24.md")).toContain("# 2026-02-24\n2026-02-24 14h05\n");
    expect((await daily({ template: "Meeting", text: "y" })).text).toContain("the template was not used");
    await daily({ date: "tomorrow", template: "Meeting" });
    expect(text("2026-02-25.md")).toContain("# 2026-02-25\n2026-02-25 14h05\n");
  });
});

describe("what a search leaves out", () => {
  const hits = async (query: string) => {
    const { data, text: words } = await session.done("search_notes", { query });
    return { at: data.hits.map((hit: any) => hit.at).toSorted(), hidden: data.hidden, words };
  };
  beforeEach(async () => {
    settings("app.json", { userIgnoreFilters: ["Templates/", "/\\.draft\\.md$/", "/(?=x)/"] });
    for (const path of ["a.md", "Templates/b.md", "c.draft.md"]) await note(path, "apple\n");
  });
  test("are the notes that the settings name, and it says how many", async () => {
    const found = await hits("apple");
    expect(found).toMatchObject({ at: ["a.md"], hidden: 2 });
    expect(found.words).toContain('The pattern "(?=x)" cannot be used: it looks ahead');
    expect(found.words).toContain("2 more notes left out by the vault's settings; is:hidden shows them.");
  });
  test("can be asked for", async () => {
    expect(await hits("apple is:hidden")).toMatchObject({ at: ["Templates/b.md", "c.draft.md"] });
    expect(await hits("apple OR is:hidden")).toMatchObject({ at: ["Templates/b.md", "a.md", "c.draft.md"] });
  });
  test("stays in lists, and in the searches of other surfaces", async () => {
    expect((await session.done("list_notes", { what: "notes" })).data.total).toBe(3);
    expect((await session.vault.notebook.find({ words: "apple" }, { limit: 9, sort: "path" })).total).toBe(3);
  });
});
