import { describe, expect, test } from "vitest";
import { withVault, type TestVault } from "../../test/vault.ts";
import { NoteError } from "../markdown/errors.ts";
import { notePath } from "./paths.ts";

const move = (vault: TestVault, from: string, to: string, backlinks: "rewrite" | "leave" = "rewrite") =>
  vault.notebook.move([{ from: notePath(from), to: notePath(to) }], { backlinks });

/** A linking note, a move, and what the linking note then says. The note moved is `a.md` unless said otherwise. */
type Row = {
  said: string;
  at?: string;
  from?: string;
  to: string;
  becomes: string;
  others?: Record<string, string>;
};

describe("every form of link follows, in its own style", () => {
  const rows: Record<string, Row> = {
    "a bare name": { said: "[[a]]", to: "b.md", becomes: "[[b]]" },
    "a bare name, whatever its case": { said: "[[A]]", to: "b.md", becomes: "[[b]]" },
    "a label": { said: "[[a|x]]", to: "b.md", becomes: "[[b|x]]" },
    "a label in a table": {
      said: "| h |\n| --- |\n| [[a\\|x]] |",
      to: "b.md",
      becomes: "| h |\n| --- |\n| [[b\\|x]] |",
    },
    "a heading": { said: "[[a#h]]", to: "b.md", becomes: "[[b#h]]" },
    "a block": { said: "[[a#^b1]]", to: "b.md", becomes: "[[b#^b1]]" },
    "an embed": { said: "![[a]]", to: "b.md", becomes: "![[b]]" },
    "with its ending": { said: "[[a.md]]", to: "b.md", becomes: "[[b.md]]" },
    "a path": { said: "[[f/a]]", from: "f/a.md", to: "g/a.md", becomes: "[[g/a]]" },
    "a name that ends as a canvas does": {
      said: "[[plan.canvas]] ![[plan.canvas#h]]",
      from: "plan.canvas.md",
      to: "f/drawn.md",
      becomes: "[[drawn]] ![[drawn#h]]",
    },
    "the end of a path": { said: "[[f/a]]", from: "x/f/a.md", to: "x/g/a.md", becomes: "[[x/g/a]]" },
    "a Markdown link": { said: "[x](a.md)", to: "b.md", becomes: "[x](b.md)" },
    "a Markdown link with a heading": { said: "[x](a.md#h)", to: "b.md", becomes: "[x](b.md#h)" },
    "a Markdown link with a title": { said: '[x](a.md "t")', to: "b.md", becomes: '[x](b.md "t")' },
    "in angle brackets": { said: "[x](<a.md>)", to: "b c.md", becomes: "[x](<b c.md>)" },
    encoded: { said: "[x](my%20a.md)", from: "my a.md", to: "my b.md", becomes: "[x](my%20b.md)" },
    "plain, but now with a space": { said: "[x](a.md)", to: "b c.md", becomes: "[x](b%20c.md)" },
    "a definition": { said: "[x][r]\n\n[r]: a.md", to: "b.md", becomes: "[x][r]\n\n[r]: b.md" },
    "in a field": { said: '---\nup: "[[a]]"\n---\nx', to: "b.md", becomes: '---\nup: "[[b]]"\n---\nx' },
    "in a field, unquoted": { said: "---\nup: [[a]]\n---\nx", to: "b.md", becomes: "---\nup: [[b]]\n---\nx" },
    "relative, up": { said: "[x](../a.md)", at: "f/l.md", to: "g/b.md", becomes: "[x](../g/b.md)" },
    "relative, marked so": { said: "[x](./a.md)", to: "b.md", becomes: "[x](./b.md)" },
    "from the root": {
      said: "[x](/f/a.md)",
      at: "g/l.md",
      from: "f/a.md",
      to: "h/a.md",
      becomes: "[x](/h/a.md)",
    },
    "without ending": { said: "[x](a)", to: "b.md", becomes: "[x](b)" },
    "several on a line": {
      said: "[[a]] [[c]] [[a|y]]",
      to: "b.md",
      becomes: "[[b]] [[c]] [[b|y]]",
      others: { "c.md": "c" },
    },
    "only into another folder: the name still means it": { said: "[[a]]", to: "f/a.md", becomes: "[[a]]" },
    "only into another folder: a relative one does not": {
      said: "[x](a.md)",
      to: "f/a.md",
      becomes: "[x](f/a.md)",
    },
    "to a name that others have: its path is written": {
      said: "[[a]]",
      to: "f/b.md",
      becomes: "[[f/b]]",
      others: { "b.md": "other" },
    },
    "by an alias: it still holds": {
      said: "[[Al]]",
      to: "b.md",
      becomes: "[[Al]]",
      others: { "a.md": "---\naliases: [Al]\n---\n" },
    },
    "by the title: it still holds": {
      said: "[[The A]]",
      to: "b.md",
      becomes: "[[The A]]",
      others: { "a.md": "# The A\n" },
    },
    "by a name that is the title too": {
      said: "[[a]]",
      to: "b.md",
      becomes: "[[b]]",
      others: { "a.md": "# a\n" },
    },
    "not in code": {
      said: "`[[a]]` and\n\n```\n[[a]]\n```\n[[a]]",
      to: "b.md",
      becomes: "`[[a]]` and\n\n```\n[[a]]\n```\n[[b]]",
    },
    "not in comments": {
      said: "<!-- [[a]] --> %% [[a]] %% [[a]]",
      to: "b.md",
      becomes: "<!-- [[a]] --> %% [[a]] %% [[b]]",
    },
    "not to other things": {
      said: "[[ab]] [x](a.png) [y](https://x.org/a.md) [[a]]",
      to: "b.md",
      becomes: "[[ab]] [x](a.png) [y](https://x.org/a.md) [[b]]",
    },
    "with Windows line endings and a BOM": {
      said: "\ufeffx\r\n[[a]]\r\n",
      to: "b.md",
      becomes: "\ufeffx\r\n[[b]]\r\n",
    },
    "with a dollar in the name": { said: "[[a]]", to: "$& $1.md", becomes: "[[$& $1]]" },
    "a link to another note that the new name would capture": {
      said: "[[b]]",
      at: "f/l.md",
      to: "f/b.md",
      becomes: "[[g/b]]",
      others: { "g/b.md": "b" },
    },
    "a link that led nowhere is left, and may come to mean it": {
      said: "[[b]]",
      to: "b.md",
      becomes: "[[b]]",
    },
  };
  test.each(Object.entries(rows))(
    "%s",
    async (_, { said, at = "l.md", from = "a.md", to, becomes, others = {} }) => {
      await withVault({ [from]: "moved\n", ...others, [at]: said }, async (vault) => {
        await move(vault, from, to);
        const state = await vault.state();
        expect(state.get(at)).toBe(becomes);
        expect(state.has(from)).toBe(false);
        expect(state.has(to)).toBe(true);
      });
    },
  );
});

describe("the moved note's own links", () => {
  test.each([
    ["relative ones follow it", "[x](c.md) [[c]]", "f/b.md", "[x](../c.md) [[c]]"],
    ["to itself", "[[a]] [x](a.md#h)", "b.md", "[[b]] [x](b.md#h)"],
    ["a bare heading stays", "[[#h]] [x](#h)", "f/b.md", "[[#h]] [x](#h)"],
    ["by name, where another is nearer now", "[[c]]", "f/a.md", "[[c]]"],
  ])("%s", async (_, said, to, becomes) => {
    await withVault({ "a.md": said, "c.md": "c" }, async (vault) => {
      await move(vault, "a.md", to);
      expect((await vault.state()).get(to)).toBe(becomes);
    });
  });
  test("a name that a nearer note would take gets its path", async () => {
    await withVault({ "x/a.md": "[[c]]", "x/c.md": "mine", "y/c.md": "other" }, async (vault) => {
      await move(vault, "x/a.md", "y/a.md");
      expect((await vault.state()).get("y/a.md")).toBe("[[x/c]]");
    });
  });
});

describe("refusals leave everything as it was", () => {
  test.each([
    ["a note that is not there", "nowhere.md", "b.md", "note_missing"],
    ["a name that is taken", "a.md", "c.md", "note_exists"],
    ["a name taken but for its case", "a.md", "C.md", "note_exists"],
    ["a name no system takes", "a.md", "nul.md", "path_refused"],
    ["a name that no link can be written with", "a.md", "b]c.md", "path_refused"],
  ])("%s", async (_, from, to, code) => {
    await withVault({ "a.md": "a", "c.md": "c", "l.md": "[[a]]" }, async (vault) => {
      const before = await vault.state();
      const error = await move(vault, from, to).catch((it: unknown) => it);
      expect(error).toBeInstanceOf(NoteError);
      expect((error as NoteError).code).toBe(code);
      expect(await vault.state()).toEqual(before);
    });
  });
});

test("a change of case alone is a move", async () => {
  await withVault({ "note.md": "x", "l.md": "[[note]]" }, async (vault) => {
    await move(vault, "note.md", "Note.md");
    expect([...(await vault.state()).keys()].toSorted()).toEqual(["Note.md", "l.md"]);
  });
});

test("links that are left are counted", async () => {
  await withVault({ "a.md": "x", "l.md": "[[a]] [[a|again]]" }, async (vault) => {
    const { backlinkers, changes } = await move(vault, "a.md", "b.md", "leave");
    expect(backlinkers).toEqual([{ path: "l.md", links: 2, rewritten: false }]);
    expect(changes.map((change) => change.path)).toEqual(["b.md"]);
    expect((await vault.state()).get("l.md")).toBe("[[a]] [[a|again]]");
  });
});

test("a dry run plans the same and writes nothing", async () => {
  await withVault({ "a.md": "x", "l.md": "[[a]]" }, async (vault) => {
    const before = await vault.state();
    const moves = [{ from: notePath("a.md"), to: notePath("b.md") }];
    const planned = await vault.notebook.move(moves, { dryRun: true });
    expect(await vault.state()).toEqual(before);
    const done = await vault.notebook.move(moves);
    expect(planned.changes.map(({ path, after }) => [path, after?.text])).toEqual(
      done.changes.map(({ path, after }) => [path, after?.text]),
    );
  });
});

test("notes may change places", async () => {
  await withVault({ "a.md": "A [[b]]", "b.md": "B [[a]]", "l.md": "[[a]] [[b]]" }, async (vault) => {
    await vault.notebook.move([
      { from: notePath("a.md"), to: notePath("b.md") },
      { from: notePath("b.md"), to: notePath("a.md") },
    ]);
    expect(Object.fromEntries(await vault.state())).toEqual({
      "b.md": "A [[a]]",
      "a.md": "B [[b]]",
      "l.md": "[[b]] [[a]]",
    });
    expect(
      (await vault.notebook.links({ to: notePath("a.md") })).map((link) => link.source).toSorted(),
    ).toEqual(["b.md", "l.md"]);
  });
});

describe("removal", () => {
  const said =
    "[[a]] [[a|x]] [[a#h]] ![[a]] [y](a.md#h) [[Al]] `[[a]]` [[other]]\n\n| t |\n| --- |\n| [[a\\|z]] |\n";
  const becomes =
    "[[a (deleted)]] [[a (deleted)|x]] [[a (deleted)#h]] ![[a (deleted)]] [[a (deleted)#h|y]] [[a (deleted)]] `[[a]]` [[other]]\n\n| t |\n| --- |\n| [[a (deleted)\\|z]] |\n";
  test("marks every form", async () => {
    await withVault({ "a.md": "---\naliases: [Al]\n---\n", "l.md": said }, async (vault) => {
      const { backlinkers } = await vault.notebook.remove(notePath("a.md"), {
        trash: true,
        backlinks: "mark",
      });
      expect(backlinkers).toEqual([{ path: "l.md", links: 7, rewritten: true }]);
      expect((await vault.state()).get("l.md")).toBe(becomes);
    });
  });
  test("or leaves them", async () => {
    await withVault({ "a.md": "---\naliases: [Al]\n---\n", "l.md": said }, async (vault) => {
      await vault.notebook.remove(notePath("a.md"), { backlinks: "leave" });
      expect((await vault.state()).get("l.md")).toBe(said);
    });
  });
});
