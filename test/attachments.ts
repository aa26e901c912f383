/** A vault with each kind of file and notation, and a resolver of its links that shares nothing with the one it checks. */

import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const png = (mark: number): Uint8Array => Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 255, mark]);

export const FILES: Record<string, string | Uint8Array> = {
  "Home.md":
    '---\ncover: "[[Area/img/one.png]]"\n---\n# Home\n\n![[one.png]] ![[Area/img/one.png|200]] ![alt](Area/img/one.png) [doc](Area/docs/a%20b.pdf#page=3)\n' +
    "[[Area/Plan]] [[Plan#Goals]] [p](Area/Plan.md) [[table.csv]] [t](Area/table.csv) ![[board.canvas]] [[Views.base]]\n\n[ref]: <Area/docs/a b.pdf>\n",
  "Area/Plan.md":
    "# Plan\n\n## Goals\n\n![](img/one.png) ![](./img/one.png) ![](../shared/two.png) ![[two.png]] [[Deep]] [d](sub/Deep.md) [up](../Home.md) ^id\n",
  "Area/sub/Deep.md": "![](../img/one.png) [[../Plan]] ![[../img/one.png]] ![](../../shared/two.png)\n",
  "Area/img/one.png": png(1),
  "Area/docs/a b.pdf": png(2),
  "Area/table.csv": "a,b\n1,2\n",
  "Area/sub/data": "no ending\n",
  "shared/two.png": png(3),
  "other/one.png": png(4),
  "other/Note.md": "![[one.png]] ![](../Area/img/one.png) [x](/Area/docs/a%20b.pdf)\n",
  "Area/board.canvas":
    '{"nodes":[{"id":"1","type":"file","file":"Area\\/Plan.md","subpath":"#Goals"},{"id":"2","type":"file","file":"Area/img/one.png"},\n' +
    '{"id":"3","type":"text","text":"see [[Plan]], ![](img/one.png) \\u00e4"},{"id":"4","type":"group","background":"shared/two.png"}],"edges":[]}\n',
  "outside.canvas":
    '{ "nodes" : [ {"file":"Area/docs/a b.pdf"} , {"text":"[[Area/Plan]] [p](Area/Plan.md)"} ] }',
  "broken.canvas": '{"nodes":[{"file":"Area/Plan.md"',
  "unused.zip": png(5),
  "Views.base": 'filters:\n  and:\n    - file.inFolder("Area")\n',
  "Query.md": '```dataview\nTABLE FROM "Area"\n```\n',
  "Other views.base": 'filters:\n  and:\n    - file.inFolder("Nowhere")\n    - status == "Home"\n',
  "Area/Mixed.md":
    '---\naliases: [Potpourri]\nup: [[Plan]]\nrelated:\n  - "[[Area/sub/Deep|d]]"\n---\n' +
    '| a | b |\n| --- | --- |\n| [[Plan\\|p]] | ![[one.png\\|50]] |\n\n> [!note] [[Home#Home]]\n> - ![](<img/one.png> "title")\n\n' +
    "[[Plan#Goals]] [[plan#^id]] [g](Plan.md#goals) [one][ref] ![[sound.mp3]] ![](draw%20(1).svg) [[plan.canvas]] [[Caf\u00e9]]\n" +
    "`[[Plan]]` <!-- [[Plan]] --> [web](https://example.com/Area/Plan.md) [[#Own heading]]\n\n[ref]: img/one.png\n\n" +
    '```base\nfilters: file.path == "Area/Plan.md"\n```\n',
  "Area/sound.mp3": png(6),
  "Area/draw (1).svg": "<svg/>\n",
  "Area/plan.canvas.md": "A note that is called like a canvas. [[Mixed]]\r\n",
  "Cafe\u0301.md": "\ufeff[[Area/Mixed]] no last line end",
};
export const EMPTY_FOLDERS = ["Area/empty/inner"];

/** Obsidian's own settings, each that we heed; none of them is ever written. */
export const SETTINGS: Record<string, string> = {
  ".obsidian/app.json":
    '{"userIgnoreFilters":["other/","/^unused/"],"newLinkFormat":"relative","useMarkdownLinks":true}',
  ".obsidian/daily-notes.json": '{"folder":"Area/Days","format":"YYYY/MM-DD","template":"Templates/Day"}',
  ".obsidian/templates.json": '{"folder":"Templates","dateFormat":"DD.MM.YYYY","timeFormat":"HH:mm"}',
  ".obsidian/community-plugins.json": '["periodic-notes"]',
  ".obsidian/plugins/periodic-notes/data.json":
    '{"weekly":{"enabled":true,"folder":"Area/Weeks","format":"gggg-[W]ww","template":"Templates/Day.md"}}',
  "Templates/Day.md": "---\ntags: [day]\n---\n# {{title}}, {{date}}\n\n[[{{yesterday}}]]\n",
};

/** Every visible file of a vault, with its bytes; and its empty folders. */
export function snapshot(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (folder: string): void => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(
      ({ name }) => !name.startsWith("."),
    );
    if (entries.length === 0) found.set(`${folder}/`, "");
    for (const entry of entries) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (!entry.isFile()) found.set(path, "no file");
      else found.set(path, readFileSync(join(root, path)).toString("base64"));
    }
  };
  walk("");
  return found;
}

export type FoundLink = { source: string; written: string; leadsTo: string | null };

const LINK =
  /!?\[\[([^\]|#]+)[^\]]*\]\]|!?\[[^\]]*\]\(((?:[^()#]|\([^()]*\))+)[^)]*\)|^\[[^\]]+\]: (<[^>]+>|\S+)$/gm;
/** Code and comments hold no links. */
const PLAIN = /```[\s\S]*?```|`[^`\n]*`|<!--[\s\S]*?-->/g;
const folded = (text: string): string => text.normalize("NFC").toLowerCase();

/** Where every link of every note, and every node of every canvas, leads. */
export function linksOf(root: string): FoundLink[] {
  const files = [...snapshot(root).keys()].filter((path) => !path.endsWith("/"));
  const at = (path: string): string | null =>
    files.find((file) => file === path) ?? files.find((file) => folded(file) === folded(path)) ?? null;
  const withNote = (path: string): string | null => at(path) ?? at(`${path}.md`);
  const byName = (name: string, source: string): string | null => {
    const all = files.filter((path) => `/${folded(path)}`.endsWith(`/${folded(name)}`));
    const near = (path: string): number => {
      const [a, b] = [posix.dirname(path).split("/"), posix.dirname(source).split("/")];
      let shared = 0;
      while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++;
      return (
        (posix.dirname(path) === posix.dirname(source) ? 1000 : 0) +
        (posix.dirname(path) === "." ? 0 : shared)
      );
    };
    return all.toSorted((a, b) => near(b) - near(a) || a.length - b.length || (a < b ? -1 : 1))[0] ?? null;
  };
  const wiki = (target: string, source: string): string | null => {
    if (/^\.\.?\//.test(target)) return withNote(posix.join(posix.dirname(source), target));
    if (target.startsWith("/")) return withNote(target.slice(1));
    return withNote(target) ?? byName(target, source) ?? byName(`${target}.md`, source);
  };
  const markdown = (target: string, source: string): string | null => {
    const plain = decodeURIComponent(target.replace(/\s+"[^"]*"$/, "").replace(/^<|>$/g, ""));
    if (/^[a-z]+:/.test(plain)) return "elsewhere";
    if (plain.startsWith("/")) return withNote(plain.slice(1));
    return (
      withNote(posix.join(posix.dirname(source), plain)) ??
      withNote(posix.normalize(plain)) ??
      byName(plain, source)
    );
  };
  const inText = (text: string, source: string): FoundLink[] =>
    [...text.replace(PLAIN, "").matchAll(LINK)].map(([written, name, address, defined]) => ({
      source,
      written,
      leadsTo:
        name === undefined
          ? markdown((address ?? defined)!, source)
          : wiki(name.replace(/\\$/, "").trim(), source),
    }));
  const inCanvas = (text: string, source: string): FoundLink[] =>
    ((source === "broken.canvas" ? {} : JSON.parse(text)).nodes ?? []).flatMap(
      (node: Record<string, string>) => [
        ...(node["file"] ? [{ source, written: node["file"], leadsTo: at(node["file"]) }] : []),
        ...(node["background"]
          ? [{ source, written: node["background"], leadsTo: at(node["background"]) }]
          : []),
        ...(node["text"] ? inText(node["text"], source) : []),
      ],
    );
  return files.flatMap((source) => {
    const text = () => readFileSync(join(root, source), "utf8");
    return source.endsWith(".md")
      ? inText(text(), source)
      : source.endsWith(".canvas")
        ? inCanvas(text(), source)
        : [];
  });
}
