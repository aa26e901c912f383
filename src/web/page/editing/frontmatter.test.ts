import { GFM, parser } from "@lezer/markdown";
import { expect, it } from "vitest";
import { frontmatter } from "./frontmatter.ts";

const nodes = (text: string): string => parser.configure([GFM, frontmatter]).parse(text).toString();

it("knows fields at the start from headings and links", () => {
  expect(nodes("---\ntags: [a]\nstatus: open\n---\nWords\n")).toBe(
    "Document(Frontmatter(FrontmatterMark,FrontmatterMark),Paragraph)",
  );
  expect(nodes("---\na: 1\n...\n# Title\n")).toContain("ATXHeading1");
  expect(nodes("---\n---\n")).toBe("Document(Frontmatter(FrontmatterMark,FrontmatterMark))");
});

it("takes a line at the start for what it is in Markdown where no block follows, and never elsewhere", () => {
  expect(nodes("---\nWords\n")).toBe("Document(HorizontalRule,Paragraph)");
  expect(nodes("Words\n\n---\na: 1\n---\n")).not.toContain("Frontmatter");
});
