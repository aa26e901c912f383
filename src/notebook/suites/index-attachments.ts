/** What every index must know of attachments: which there are, which links lead to them, and which are not used. */

import { beforeEach, describe, expect, test } from "vitest";
import { atOnce } from "../../markdown/steps.ts";
import type { Link } from "../link-graph.ts";
import type { NoteIndex } from "../parts.ts";
import type { AttachmentPath, NotePath } from "../paths.ts";
import { fill, findPaths, linksNow, NOON, row, type OpenIndex } from "./index-vault.ts";

const VAULT = {
  "a.md": "![[p.png]] [[data.csv]] [pdf](sub/doc.pdf#page=3) ![](missing.png) [[gone.csv]] [[b]]\n",
  "sub/b.md": "![](doc.pdf) ![](../img/p.png) [[Node.js]]\n",
  "Node.js.md": "![[P.PNG|100]]\n",
};
const FILES = ["img/p.png", "sub/p.png", "data.csv", "sub/doc.pdf", "unused.zip", "sub/deep/x.mp4"];
const file = (path: string): AttachmentPath => path as AttachmentPath;
const brief = (link: Link): string => `${link.source} ${link.target}${link.anchor} ${link.file ?? link.path}`;

export function attachmentCases(open: OpenIndex): void {
  describe("attachments", () => {
    let index: NoteIndex;
    beforeEach(async () => {
      ({ index } = await open());
      fill(index, VAULT);
      index.attachments.put(
        FILES.map((path, at) => ({
          path: file(path),
          stat: { stamp: `s${at}`, modified: NOON, changed: NOON, size: at },
        })),
      );
    });
    const listed = (query: Partial<Parameters<NoteIndex["attachments"]["list"]>[0]>) =>
      atOnce(index.attachments.list({ folder: "", limit: 100, ...query }));
    const names = (query: Parameters<typeof listed>[0]) =>
      listed(query).attachments.map(({ path }) => path as string);

    test("are listed by path, a page at a time, with their size and time", () => {
      expect(names({})).toEqual(FILES.toSorted());
      expect(listed({ folder: "sub", limit: 2 })).toEqual({
        attachments: [
          { path: "sub/deep/x.mp4", size: 5, modified: NOON },
          { path: "sub/doc.pdf", size: 3, modified: NOON },
        ],
        total: 3,
      });
      expect(names({ folder: "sub", after: "sub/doc.pdf" })).toEqual(["sub/p.png"]);
      expect(names({ folder: "su" })).toEqual([]);
    });

    test("are compared by stamp: of a folder, and of all below it", () => {
      const { attachments } = index;
      expect(attachments.stamps().size).toBe(FILES.length);
      expect([...attachments.stamps({ folder: "sub", depth: "direct" })].toSorted()).toEqual([
        ["sub/doc.pdf", "s3"],
        ["sub/p.png", "s1"],
      ]);
      expect(attachments.stamps({ folder: "sub", depth: "deep" }).size).toBe(3);
      expect([...attachments.stamps({ folder: "", depth: "direct" }).keys()].toSorted()).toEqual([
        "data.csv",
        "unused.zip",
      ]);
      expect(attachments.folders("").toSorted()).toEqual(["img", "sub"]);
      expect(attachments.folders("sub")).toEqual(["sub/deep"]);
      attachments.put([{ path: file("img/p.png"), stat: null }]);
      expect([attachments.stamp(file("img/p.png")), attachments.folders("")]).toEqual([null, ["sub"]]);
    });

    test.each<[string, string[]]>([
      [
        "img/p.png",
        ["a.md p.png img/p.png", "Node.js.md P.PNG img/p.png", "sub/b.md ../img/p.png img/p.png"],
      ],
      ["sub/p.png", []],
      ["data.csv", ["a.md data.csv data.csv"]],
      ["sub/doc.pdf", ["a.md sub/doc.pdf#page=3 sub/doc.pdf", "sub/b.md doc.pdf sub/doc.pdf"]],
      ["unused.zip", []],
      ["not there.png", []],
    ])("links to %s", (path, expected) => {
      expect(
        linksNow(index, { toFile: file(path) })
          .map(brief)
          .toSorted(),
      ).toEqual(expected.toSorted());
    });

    test("links of a note to attachments, also to one that is not there", () => {
      const links = linksNow(index, { filesFrom: "a.md" as NotePath });
      expect(links.map(brief).toSorted()).toEqual([
        "a.md data.csv data.csv",
        "a.md missing.png null",
        "a.md p.png img/p.png",
        "a.md sub/doc.pdf#page=3 sub/doc.pdf",
      ]);
    });

    test("a link that leads to an attachment is no link to a note, nor broken", () => {
      expect(linksNow(index, { broken: true }).map(brief)).toEqual(["a.md gone.csv null"]);
      expect(linksNow(index, { from: "a.md" as NotePath }).map(brief)).toEqual([
        "a.md gone.csv null",
        "a.md b sub/b.md",
      ]);
    });

    test("that no link leads to are unused", () => {
      expect(names({ unused: true })).toEqual(["sub/deep/x.mp4", "sub/p.png", "unused.zip"]);
      expect(listed({ unused: true, limit: 1, after: "sub/deep/x.mp4" })).toMatchObject({
        attachments: [{ path: "sub/p.png" }],
        total: 3,
      });
    });

    test("are paged in the order of their bytes, also the unused ones", () => {
      const paths = ["\u{1f600}.zip", "\ufb01.zip", "z.zip"];
      index.attachments.put(
        paths.map((path) => ({
          path: file(path),
          stat: { stamp: "s", modified: NOON, changed: NOON, size: 1 },
        })),
      );
      const last = names({ unused: true }).slice(-3);
      expect(last).toEqual(paths.toReversed());
      expect(names({ unused: true, after: "\ufb01.zip" })).toEqual(["\u{1f600}.zip"]);
      expect(names({ after: "\ufb01.zip" })).toEqual(["\u{1f600}.zip"]);
    });

    test.each<[string, string[]]>([
      ["img/p.png", ["img/p.png"]],
      ["IMG/P.png", ["img/p.png"]],
      ["p.png", ["img/p.png", "sub/p.png"]],
      ["doc.pdf", ["sub/doc.pdf"]],
      ["deep/X.mp4", ["sub/deep/x.mp4"]],
      ["p", []],
      ["none.png", []],
    ])("%s means %j", (name, expected) => {
      expect(index.attachments.locate(name)).toEqual(expected);
    });

    test("outside a caller's folders are not known, and links to them lead nowhere", () => {
      const inside = index.within(["sub"]);
      expect(atOnce(inside.attachments.list({ folder: "", limit: 9 })).total).toBe(3);
      expect(inside.attachments.locate("p.png")).toEqual(["sub/p.png"]);
      expect(linksNow(inside, { toFile: file("img/p.png") })).toEqual([]);
      expect(linksNow(inside, { filesFrom: "sub/b.md" as NotePath }).map(brief)).toEqual([
        "sub/b.md doc.pdf sub/doc.pdf",
        "sub/b.md ../img/p.png null",
      ]);
      expect(linksNow(inside, { toFile: file("sub/doc.pdf") }).map(brief)).toEqual([
        "sub/b.md doc.pdf sub/doc.pdf",
      ]);
    });

    test("a link with the ending of a file means the note that is called so, where there is no such file", () => {
      index.apply([row("plan.canvas.md", "alone"), row("asks.md", "[[plan.canvas]] ![[nothing.png]]\n")]);
      const asks = ["asks.md plan.canvas plan.canvas.md"];
      expect(linksNow(index, { to: "plan.canvas.md" as NotePath }).map(brief)).toEqual(asks);
      expect(linksNow(index, { from: "asks.md" as NotePath }).map(brief)).toEqual(asks);
      expect(linksNow(index, { filesFrom: "asks.md" as NotePath }).map(brief)).toEqual([
        "asks.md nothing.png null",
      ]);
      expect(findPaths(index, { is: "orphan" })).toEqual([]);
      index.attachments.put([
        { path: file("sub/plan.canvas"), stat: { stamp: "s", modified: NOON, changed: NOON, size: 1 } },
      ]);
      expect(linksNow(index, { to: "plan.canvas.md" as NotePath })).toEqual([]);
      expect(linksNow(index, { toFile: file("sub/plan.canvas") }).map(brief)).toEqual([
        "asks.md plan.canvas sub/plan.canvas",
      ]);
    });

    test("go on being linked after a note is gone or changed", () => {
      index.apply([
        {
          path: "a.md" as NotePath,
          seen: index.stamp("a.md" as NotePath),
          stamp: index.stamp("a.md" as NotePath)!,
          note: null,
        },
      ]);
      expect(names({ unused: true })).toContain("data.csv");
    });

    describe("that are canvases", () => {
      const stat = { stamp: "c", modified: NOON, changed: NOON, size: 1 };
      const link = (target: string, form: "wiki" | "markdown" = "markdown", anchor = "") => ({
        form,
        target,
        anchor,
        label: null,
        line: 2,
        context: target,
      });
      const canvas = file("sub/board.canvas");
      beforeEach(() => {
        index.apply([row("drawn.md", "alone"), row("lone.md", "alone")]);
        const links = [
          link("/drawn.md"),
          link("/unused.zip"),
          link("p.png", "wiki"),
          link("/gone.md"),
          link("/Node.js.md", "markdown", "#No"),
        ];
        index.attachments.put([{ path: canvas, stat, links }]);
      });

      test("use what their nodes show", () => {
        expect(names({ unused: true })).toEqual(["sub/board.canvas", "sub/deep/x.mp4"]);
        expect(findPaths(index, { is: "orphan" })).toEqual(["lone.md"]);
        expect(linksNow(index, { toFile: file("unused.zip") }).map(brief)).toEqual([
          "sub/board.canvas /unused.zip unused.zip",
        ]);
        expect(linksNow(index, { inCanvases: "drawn.md" as NotePath }).map(brief)).toEqual([
          "sub/board.canvas /drawn.md drawn.md",
        ]);
        expect(linksNow(index, { inCanvases: null })).toHaveLength(5);
        expect(linksNow(index, { to: "drawn.md" as NotePath })).toEqual([]);
        expect(index.attachments.canvasesUnder(["drawn", "nobody"])).toEqual([canvas]);
      });

      test("have broken links, too", () => {
        const { links } = atOnce(index.broken({ limit: 10 }));
        expect(
          links
            .filter(({ source }) => (source as string) === canvas)
            .map((one) => `${one.target} ${one.lacks}`),
        ).toEqual(["/gone.md note", "/Node.js.md heading"]);
      });

      test("keep their links until they are read again, and are told apart by that", () => {
        const { attachments } = index;
        const states = () => [attachments.canvases("unread"), attachments.canvases("unreadable")];
        expect(states()).toEqual([[], []]);
        attachments.put([{ path: canvas, stat: { ...stat, stamp: "d" } }]);
        expect(states()).toEqual([[canvas], []]);
        expect(linksNow(index, { inCanvases: null })).toHaveLength(5);
        attachments.put([{ path: canvas, stat, links: null }]);
        expect(states()).toEqual([[], [canvas]]);
        expect(linksNow(index, { inCanvases: null })).toEqual([]);
      });

      test("take their links with them", () => {
        index.attachments.put([{ path: canvas, stat: null }]);
        expect(linksNow(index, { inCanvases: null })).toEqual([]);
        expect(names({ unused: true })).toContain("unused.zip");
      });

      test("outside some folders are not seen from there", () => {
        const inside = index.within(["img"]);
        expect(atOnce(inside.links({ inCanvases: null }))).toEqual([]);
        expect(inside.attachments.canvasesUnder(["drawn"])).toEqual([]);
      });
    });
  });
}
