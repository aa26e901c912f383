import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SERVE_FLAGS } from "./serving-commands.ts";
import { checkedTimeZone, configFile, readSettings, strayKeys, type Environment } from "./settings.ts";

const scratch = mkdtempSync(join(tmpdir(), "notewright-settings-"));
afterAll(() => rmSync(scratch, { recursive: true }));

let made = 0;
const withConfig = (text: string, more: Environment = {}): Environment => {
  const environment = { XDG_CONFIG_HOME: join(scratch, String(++made)), ...more };
  mkdirSync(dirname(configFile(environment)), { recursive: true });
  writeFileSync(configFile(environment), text);
  return environment;
};
const bare = (more: Environment = {}): Environment => ({ XDG_CONFIG_HOME: join(scratch, "none"), ...more });
const read = (args: string[], environment = bare()) => readSettings(args, SERVE_FLAGS, environment, "serve");

test("a flag wins over the environment, and that over the configuration file", () => {
  const environment = withConfig('{"tools": "wiki", "durability": "fast", "author": "Config"}', {
    NOTEWRIGHT_TOOLS: "notes",
    NOTEWRIGHT_AUTHOR: "Environment",
  });
  const { values, rest } = read(["--tools", "obsidian", "/notes"], environment);
  expect(values).toMatchObject({ tools: "obsidian", author: "Environment", durability: "fast" });
  expect(rest).toEqual(["/notes"]);
});

test.each([
  [["--read-only"], {}, "on"],
  [[], { NOTEWRIGHT_READ_ONLY: "1" }, "on"],
  [[], { NOTEWRIGHT_READ_ONLY: "true" }, "on"],
  [[], { NOTEWRIGHT_READ_ONLY: "0" }, undefined],
  [[], { NOTEWRIGHT_READ_ONLY: "false" }, undefined],
  [[], { NOTEWRIGHT_READ_ONLY: "" }, undefined],
  [[], {}, undefined],
])("read-only from %j and %j is %j", (args, environment, value) => {
  expect(read(args, bare(environment)).values["read-only"]).toBe(value);
});

test.each([
  [["--tool", "notes"], {}, "Unknown flag --tool. Did you mean --tools? See notewright serve --help."],
  [["--banana"], {}, "Unknown flag --banana. See notewright serve --help."],
  [["--tools"], {}, "--tools needs a value: --tools SURFACE"],
  [
    ["--durability", "ful"],
    {},
    '--durability cannot be "ful". Did you mean "full"? It is one of: full, fast.',
  ],
  [[], { NOTEWRIGHT_HISTORY: "never" }, 'NOTEWRIGHT_HISTORY cannot be "never". It is one of: on, off.'],
])("%j with %j is refused: %s", (args, environment, said) => {
  expect(() => read(args, bare(environment))).toThrowError(
    expect.objectContaining({ code: "input_refused", message: said }),
  );
});

test.each(["[1]", "{", '"text"'])("a configuration file that holds %s is refused by name", (text) => {
  expect(() => read([], withConfig(text))).toThrowError(/config\.json is not a JSON object/);
});

test("keys of the settings file that set nothing are named, with what was meant", () => {
  const environment = withConfig(
    '{"vault": "/n", "tolls": "wiki", "time-zone": "UTC", "json": true, "x\\n": 1}',
  );
  const file = configFile(environment);
  expect(strayKeys(environment, [SERVE_FLAGS, { json: { once: true, help: "" } }])).toEqual([
    `"tolls" in ${file} is no setting. Did you mean "tools"?`,
    `"json" in ${file} is no setting.`,
    `"x\\n" in ${file} is no setting.`,
  ]);
  expect(strayKeys(bare(), [SERVE_FLAGS])).toEqual([]);
});

test("a time zone is one there is", () => {
  expect(checkedTimeZone(undefined)).toBeUndefined();
  expect(checkedTimeZone("Europe/Berlin")).toBe("Europe/Berlin");
  expect(() => checkedTimeZone("Europe/Bärlin")).toThrowError(/no time zone/);
});

test("a flag for this call alone is not taken from elsewhere; one given several times is several lines", () => {
  const flags = {
    author: { value: "NAME", once: true, help: "" },
    skip: { value: "NOTE", once: true, many: true, help: "" },
  };
  const environment = withConfig('{"author": "Config"}', { NOTEWRIGHT_AUTHOR: "E", NOTEWRIGHT_SKIP: "E" });
  expect(readSettings([], flags, environment, "undo").values).toEqual({ author: undefined, skip: undefined });
  const { values } = readSettings(["--skip", "a", "--author", "A", "--skip=b c"], flags, environment, "undo");
  expect(values).toEqual({ author: "A", skip: "a\nb c" });
});
