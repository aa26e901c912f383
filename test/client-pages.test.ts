/** The pages for users say what the program does: where clients keep their configurations, what an entry looks like, and every command and flag. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands.ts";
import { CLIENTS, type Machine } from "../src/cli/install/clients.ts";

const readme = readFileSync("README.md", "utf8");
const START = {
  command: "/usr/bin/node",
  args: ["/path/to/notewright/bin/notewright.mjs", "serve", "/home/me/Notes"],
};
const REMOTE = { url: "http://127.0.0.1:8787/mcp", token: "nw_…" };

const machine = (platform: string): Machine => ({
  platform,
  environment: platform === "win32" ? { APPDATA: "%APPDATA%", LOCALAPPDATA: "%LOCALAPPDATA%" } : {},
  home: platform === "win32" ? "%USERPROFILE%" : "~",
  here: ".",
  namesIn: () => [],
});
const blocksIn = (text: string): unknown[] =>
  [...text.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, json = ""]) => JSON.parse(json) as unknown);

describe.each(Object.entries(CLIENTS))("the page of %s", (name, client) => {
  const path = `docs/clients/${name}.md`;
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";

  test("names the file on each system, as the README does", () => {
    const [row = ""] = new RegExp(`^\\| \\[\`${name}\`\\]\\(${path}\\) .*$`, "m").exec(readme) ?? [];
    for (const platform of ["linux", "darwin", "win32"]) {
      const [place] = client.places(machine(platform));
      const file = `\`${place!.file.replace(/^\.[\\/]/, "")}\``;
      expect(text).toContain(file);
      expect(row).toContain(file);
    }
  });

  test("shows the entries that install writes", () => {
    const entries = [client.local(START), client.remote(REMOTE)].filter((entry) => entry !== null);
    expect(blocksIn(text)).toEqual(entries.map((entry) => ({ [client.key]: { notewright: entry } })));
  });

  test("says how to connect, to restart and to see that it works", () => {
    expect(text).toContain(`\nnotewright install --client ${name} --vault ~/Notes\n`);
    expect(text).toContain("## Restart, and see that it works");
    expect(text.replace(/\n/g, " ")).toContain('Ask: "How many notes do I have?"');
  });
});

const pages = [
  "README.md",
  "SECURITY.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md")),
];
/** What stands in code, in lines and between marks: a call, its flags, a name. */
const codeIn = (text: string): string[] => {
  const fenced = [...text.matchAll(/^ *```\w*\n([^]*?)^ *```$/gm)].flatMap(([, code = ""]) =>
    code.split("\n"),
  );
  const rest = text.replace(/^ *```\w*\n[^]*?^ *```$/gm, "");
  return [...fenced, ...[...rest.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)];
};
const FLAG = /(?<![\w-])--[a-z][a-z-]*|(?<![\w-])-[a-z\d](?![\w-])/g;
/** Programs whose flags are their own business. */
const OTHERS =
  /^(?:\$ )?(?:(?:git|npm|npx|claude|curl|cloudflared|docker|mkdir|less|sed|jq|ulimit|touch|kill|du|rm)(?: |$)|node --)/;
/** Flags of other programs that a page speaks of by themselves, or hands a command of ours to. */
const FOREIGN = ["--wait", "--preview", "--read0", "--user"];
const ANYWHERE = new Set([
  ...Object.values(COMMANDS).flatMap(({ flags }) => Object.keys(flags).map((flag) => `--${flag}`)),
  "--help",
  "--version",
  ...FOREIGN,
]);
const flagsOf = (name: string): Set<string> =>
  new Set([
    "--help",
    ...Object.entries(COMMANDS[name]!.flags).flatMap(([flag, { short }]) => [`--${flag}`, `-${short}`]),
  ]);

/** What a piece of code calls by a name that is not there. Each part of a pipe is a call of its own. */
const wrongIn = (code: string): string[] =>
  OTHERS.test(code)
    ? []
    : code.split(/ \| |; | && |\$\(/).flatMap((part) => {
        const call = /(?:^|[ '"])notewright(?:\.mjs)? ([a-z]+)\b(.*)/.exec(part);
        if (!call)
          return (part.match(FLAG) ?? []).filter((flag) => flag.startsWith("--") && !ANYWHERE.has(flag));
        const [, name = "", rest = ""] = call;
        if (!Object.hasOwn(COMMANDS, name)) return [`notewright ${name}`];
        const known = flagsOf(name);
        const words = rest.replace(/'[^']*'|"[^"]*"|#.*/g, "");
        return (words.match(FLAG) ?? []).filter((flag) => !known.has(flag)).map((flag) => `${name} ${flag}`);
      });

test("every command and flag in the pages is one there is", () => {
  expect(wrongIn("notewright serve ~/Notes --tols wiki")).toEqual(["serve --tols"]);
  expect(wrongIn("notewright find x -0 | notewright srve")).toEqual(["notewright srve"]);
  expect(wrongIn("--read-onyl")).toEqual(["--read-onyl"]);
  const codes = pages.flatMap((path) =>
    codeIn(readFileSync(path, "utf8")).map((code) => [path, code] as const),
  );
  expect(codes.filter(([, code]) => /\bnotewright [a-z]+.* --?[a-z]/.test(code)).length).toBeGreaterThan(50);
  expect(codes.flatMap(([path, code]) => wrongIn(code).map((wrong) => `${path}: ${wrong}`))).toEqual([]);
});

test("CLI.md names every command", () => {
  const codes = codeIn(readFileSync("docs/CLI.md", "utf8"));
  const named = (name: string): boolean =>
    codes.some((code) => new RegExp(`^(?:.*notewright )?${name}\\b`).test(code));
  expect(Object.keys(COMMANDS).filter((name) => !named(name))).toEqual([]);
});

test("no page and no help names a package that is not published", () => {
  const ours = /\bnpx (?:-\S+ )*notewright|npm (?:i|install) (?:-g )?notewright/;
  expect("npx -y notewright serve").toMatch(ours);
  expect(pages.filter((path) => ours.test(readFileSync(path, "utf8")))).toEqual([]);
  const help = Object.values(COMMANDS).flatMap(({ about = [], examples, summary }) => [
    ...about,
    ...examples,
    summary,
  ]);
  expect(help.filter((line) => ours.test(line))).toEqual([]);
});
