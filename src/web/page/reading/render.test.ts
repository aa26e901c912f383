import { describe, expect, it } from "vitest";
import { openRenderer, rendered } from "./render.ts";

const links = new Map([["Garlic", "Plants/Garlic.md"]]);
const read = (body: string) => rendered(openRenderer(), body, { path: "Here.md", links });
/** Without what each block says of its place. */
const html = (body: string): string =>
  read(body)
    .html.replace(/ (?:dir="auto"|data-below="\d+")/g, "")
    .replaceAll("\n", "");

const link = (address: string): string =>
  `<a class="outward" href="${address}" target="_blank" rel="noreferrer noopener">${address}</a>`;

describe("a note as HTML", () => {
  it("breaks lines where the source does", () => {
    expect(html("One\ntwo")).toBe("<p>One<br>two</p>");
  });
  it("links addresses that are written out, and nothing that only looks like one", () => {
    expect(html("See https://a.example/b.")).toContain('href="https://a.example/b"');
    expect(html("(https://a.example/b_(c)), **http://d.example**!")).toBe(
      `<p>(${link("https://a.example/b_(c)")}), <strong>${link("http://d.example")}</strong>!</p>`,
    );
    expect(html("[https://a.example](https://b.example)")).not.toContain('href="https://a.example"');
    for (const text of [
      "xhttp://a.example",
      "https://",
      "`https://a.example`",
      "a.example",
      "ada@a.example",
      "//a.example",
      "ftp://a.example",
      "javascript:alert(1)",
    ])
      expect(html(text), text).not.toContain("<a");
  });
  it("does not show comments, and shows what is not closed", () => {
    expect(html("One %%hidden%% two")).toBe("<p>One  two</p>");
    expect(html("One\n\n%% hidden\n\n# hidden\n%%\n\nTwo")).toBe("<p>One</p><p>Two</p>");
    expect(html("%%hidden%%\n\nTwo")).toBe("<p>Two</p>");
    expect(html("%% open\n\nTwo")).toContain("open");
    expect(html("100%% of it")).toContain("100%% of it");
    expect(html("```\n%%code%%\n```")).toContain("%%code%%");
  });
  it("shows callouts by their kind, folded where they are, and a title alone without an empty paragraph", () => {
    expect(html("> [!hint] Title\n> Words")).toBe(
      '<blockquote class="callout tip"><p class="callout-title">Title</p><p>Words</p></blockquote>',
    );
    expect(html("> [!warning]- Title\n> Words")).toBe(
      '<details class="callout warning"><summary class="callout-title">Title</summary><p>Words</p></details>',
    );
    expect(html("> [!x]+ Title")).toBe(
      '<details class="callout note" open=""><summary class="callout-title">Title</summary></details>',
    );
    expect(html("> [!note]- Out\n> > [!bug] In")).toBe(
      '<details class="callout note"><summary class="callout-title">Out</summary>' +
        '<blockquote class="callout bug"><p class="callout-title">In</p></blockquote></details>',
    );
  });
  it("draws the states of tasks", () => {
    const boxes = html("- [ ] a\n- [x] b\n- [/] c\n- [-] d\n- [?] e\n- [link] f");
    expect(
      [...boxes.matchAll(/class="box ([\w-]+)" role="img" aria-label="([^"]+)"/g)].map((it) => it[2]),
    ).toEqual(["open", "done", "half done", "dropped", "marked ?"]);
  });
  it("takes the width of an image from what follows its bar, within bounds", () => {
    expect(html("![[a.png|120]]")).toBe('<p><img data-image="a.png" alt="a.png" width="120"></p>');
    expect(html("![[a.png|words|120x80]]")).toContain('alt="words" width="120"');
    expect(html("![words|90](a.png)")).toContain('alt="words" width="90"');
    expect(html("![[a.png|99999]]")).not.toContain("width");
  });
  it("names sections as Obsidian does, and says what only Obsidian shows", () => {
    expect(html("[[#Later]]")).toContain(">Later</a>");
    expect(html("[[Garlic#Bulbs#Big]]")).toContain(">Garlic &gt; Bulbs &gt; Big</a>");
    expect(html("![[a.mp3]] ![[b.base]]")).toContain("<b>Audio</b> a.mp3");
  });
  it("gives the outline words without marks", () => {
    const { headings } = read("# The `code` of [[Garlic|it]] and **more** #now").env;
    expect(headings).toMatchObject([{ words: "The code of it and more #now" }]);
  });
  it("says how many lines lie from the start of a block to the end of the text", () => {
    const { html: made } = read("One\n\n> Two\n> Three\n\nFour");
    expect([...made.matchAll(/data-below="(\d+)"/g)].map((it) => it[1])).toEqual(["6", "4", "1"]);
  });
});
