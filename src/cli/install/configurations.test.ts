/** Configurations as people have them, for every client: what goes in, the bytes that come out, and the bytes of before when it is taken out again. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CLIENTS, type Client, type Entry } from "./clients.ts";
import { oursIn } from "./entries.ts";
import { copyBeside, readConfiguration, readCopy, writeConfiguration } from "./files.ts";
import { planInstall, planUninstall, serversIn } from "./plan.ts";

const folder = mkdtempSync(join(tmpdir(), "notewright-configurations-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START = {
  command: "/usr/bin/node",
  args: ["/opt/notewright/bin/notewright.mjs", "serve", "/home/me/My notes"],
};
const numbers = (function* () {
  for (let number = 1; ; number++) yield number;
})();

const install = (file: string, client: Client, entry = client.local(START)): void => {
  const now = readConfiguration(file);
  const [found] = oursIn(serversIn(now.text, client));
  const { after, keep } = planInstall(
    now.text,
    client,
    { entry, found, called: "My notes" },
    readCopy(now.file),
  );
  if (after !== now.text) writeConfiguration(now, after, keep);
};
const uninstall = (file: string, client: Client): void => {
  const now = readConfiguration(file);
  const [found] = oursIn(serversIn(now.text, client));
  const { after, keep } = planUninstall(now.text!, client, found!, readCopy(now.file));
  writeConfiguration(now, after, keep);
};

const placed = (before: string | null): string => {
  const file = join(folder, String(numbers.next().value), "config.json");
  if (before === null) return file;
  mkdirSync(join(file, ".."));
  writeFileSync(file, before);
  return file;
};
const bytes = (file: string): string | null => (existsSync(file) ? readFileSync(file, "utf8") : null);

/** An entry of ours as it stands in a file whose lines are indented so. */
const written = (entry: Entry, indent: string, unit: string): string =>
  JSON.stringify(entry, null, unit).replaceAll("\n", `\n${indent}`);

type Shape = { before: (key: string) => string | null; after: (key: string, entry: Entry) => string };
const SHAPES: Record<string, Shape> = {
  missing: {
    before: () => null,
    after: (key, entry) => `{\n  "${key}": {\n    "notewright": ${written(entry, "    ", "  ")}\n  }\n}\n`,
  },
  empty: {
    before: () => "",
    after: (key, entry) => `{\n  "${key}": {\n    "notewright": ${written(entry, "    ", "  ")}\n  }\n}\n`,
  },
  "an empty object": {
    before: () => "{}\n",
    after: (key, entry) => `{\n  "${key}": {\n    "notewright": ${written(entry, "    ", "  ")}\n  }\n}\n`,
  },
  "other settings, no servers yet": {
    before: () => '{\n    "theme": "dark",\n    "n": [1, 2]\n}',
    after: (key, entry) =>
      `{\n    "theme": "dark",\n    "n": [1, 2],\n    "${key}": {\n        "notewright": ${written(entry, "        ", "    ")}\n    }\n}`,
  },
  "no server yet": {
    before: (key) => `{\n  "${key}": {}\n}\n`,
    after: (key, entry) => `{\n  "${key}": {\n    "notewright": ${written(entry, "    ", "  ")}\n  }\n}\n`,
  },
  "other servers, and more after them": {
    before: (key) =>
      `{\n\t"${key}": {\n\t\t"b": { "command": "b" },\n\t\t"a": {"command":"a"}\n\t},\n\t"z": null\n}\n`,
    after: (key, entry) =>
      `{\n\t"${key}": {\n\t\t"b": { "command": "b" },\n\t\t"a": {"command":"a"},\n\t\t"notewright": ${written(entry, "\t\t", "\t")}\n\t},\n\t"z": null\n}\n`,
  },
  "comments and trailing commas": {
    before: (key) => `// mine\n{\n  /* servers */\n  "${key}": {\n    "a": {}, // the first\n  },\n}\n`,
    after: (key, entry) =>
      `// mine\n{\n  /* servers */\n  "${key}": {\n    "a": {}, // the first\n    "notewright": ${written(entry, "    ", "  ")},\n  },\n}\n`,
  },
  "line ends of Windows": {
    before: (key) => `{\r\n  "${key}": {\r\n    "a": {}\r\n  }\r\n}\r\n`,
    after: (key, entry) =>
      `{\n  "${key}": {\n    "a": {},\n    "notewright": ${written(entry, "    ", "  ")}\n  }\n}\n`.replaceAll(
        "\n",
        "\r\n",
      ),
  },
  "a byte order mark": {
    before: () => '\ufeff{\r\n  "a": 1\r\n}',
    after: (key, entry) =>
      `\ufeff{\n  "a": 1,\n  "${key}": {\n    "notewright": ${written(entry, "    ", "  ")}\n  }\n}`.replaceAll(
        "\n",
        "\r\n",
      ),
  },
  "on one line": {
    before: (key) => `{"${key}":{"a":{"command":"a"}}}`,
    after: (key, entry) => `{"${key}":{"a":{"command":"a"},"notewright":${JSON.stringify(entry)}}}`,
  },
};

describe.each(Object.entries(CLIENTS))("%s", (_, client) => {
  test.each(Object.entries(SHAPES))("%s", (_, { before, after }) => {
    const file = placed(before(client.key));
    install(file, client);
    expect(bytes(file)).toBe(after(client.key, client.local(START)));
    if (before(client.key) !== null) expect(bytes(copyBeside(file))).toBe(before(client.key));
    const { mtimeMs } = statSync(file);
    install(file, client);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    uninstall(file, client);
    expect(bytes(file)).toBe(before(client.key));
    expect(existsSync(copyBeside(file))).toBe(false);
  });

  test("renewed twice, and then taken out, it is what it was", () => {
    const before = '{ "a": 1 }\n';
    const file = placed(before);
    install(file, client);
    install(file, client, client.local({ ...START, command: "/other/node" }));
    uninstall(file, client);
    expect(bytes(file)).toBe(before);
  });

  test("what others wrote since is kept when ours goes", () => {
    const file = placed(`{\n  "${client.key}": {}\n}\n`);
    install(file, client);
    writeFileSync(
      file,
      bytes(file)!.replace(`"${client.key}": {`, `"new": 1, // theirs\n  "${client.key}": {`),
    );
    uninstall(file, client);
    expect(bytes(file)).toBe(`{\n  "new": 1, // theirs\n  "${client.key}": {\n  }\n}\n`);
  });

  test.each(["{", "[]", `{"${client.key}": []}`, "not json", `{"${client.key}":{},"${client.key}":{}}`])(
    "%j is left as it is",
    (before) => {
      const file = placed(before);
      expect(() => install(file, client)).toThrow();
      expect(bytes(file)).toBe(before);
      expect(existsSync(copyBeside(file))).toBe(false);
    },
  );

  test("an entry in an older form is renewed where it stands, with what a person added to it", () => {
    const old = `{\n  "${client.key}": {\n    "notes": {\n      // mine\n      "command": "node",\n      "args": ["/old/bin/notewright.mjs", "serve", "/home/me/My notes", "--read-only"],\n      "disabled": false\n    },\n    "z": {}\n  }\n}\n`;
    const file = placed(old);
    install(file, client);
    const { notes } = serversIn(bytes(file), client) as { notes: Entry };
    expect(notes).toMatchObject({ ...client.local(START), disabled: false });
    expect(bytes(file)).toContain("      // mine\n");
    expect(bytes(file)).toContain('"z": {}\n  }\n}\n');
    uninstall(file, client);
    expect(bytes(file)).toBe(`{\n  "${client.key}": {\n    "z": {}\n  }\n}\n`);
  });
});

describe("the file", () => {
  const client = CLIENTS.cursor!;

  test("behind a link it is written through to, and keeps its mode", () => {
    const file = placed("{}\n");
    chmodSync(file, 0o640);
    const link = join(folder, "link.json");
    symlinkSync(file, link);
    install(link, client);
    expect(bytes(file)).toContain("notewright");
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(statSync(copyBeside(file)).mode & 0o777).toBe(0o640);
    expect(readFileSync(link, "utf8")).toBe(bytes(file));
    uninstall(link, client);
    expect(bytes(file)).toBe("{}\n");
  });

  test("that is new is for its user alone: it may come to hold a token", () => {
    const file = placed(null);
    install(file, client);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["a link that leads nowhere", (file: string) => symlinkSync(join(folder, "nowhere"), file), "not there"],
    ["a folder", (file: string) => mkdirSync(file), "not a file"],
    ["UTF-16", (file: string) => writeFileSync(file, Buffer.from("\ufeff{}", "utf16le")), "not UTF-8"],
    [
      "too large",
      (file: string) => writeFileSync(file, " ".repeat(16 * 1024 * 1024 + 1)),
      "larger than 16 MiB",
    ],
  ])("that is %s is left as it is", (_, make, said) => {
    const file = placed(null);
    mkdirSync(join(file, ".."));
    make(file);
    expect(() => install(file, client)).toThrow(said);
  });

  test("whose folder cannot be made is named", () => {
    const file = join(placed("{}"), "config.json");
    expect(() => install(file, client)).toThrow(
      /config\.json is left as it is: it cannot be (?:read|written) \(ENOTDIR\)/,
    );
  });

  test("that another program changed meanwhile is not written", () => {
    const file = placed("{}\n");
    const now = readConfiguration(file);
    writeFileSync(file, '{"new":1}');
    expect(() => writeConfiguration(now, "{ }", "copy")).toThrow("another program has just changed it");
    expect(bytes(file)).toBe('{"new":1}');
  });
});
