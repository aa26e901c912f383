/** Attacks on what lies around the notes: a planted index, a dependency turned bad, and what errors and logs give away. */

import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indexSchema, SCHEMA } from "../../src/index/schema.ts";
import { openIndexFile } from "../../src/sqlite/index-file.ts";
import { openSql } from "../../src/sqlite/node.ts";
import { command, makeHome, runToEnd, type Home } from "../process.ts";
import { argumentsFor } from "../hostile/arguments.ts";
import { HELLO, startSession } from "../hostile/session.ts";
import { surfaces } from "../surfaces.ts";

let home: Home;
beforeAll(() => void (home = makeHome()));
afterAll(() => home.remove());

const find = (...more: string[]) =>
  runToEnd([command("notewright"), "find", "blackbirds", home.vault, "--json", ...more], {
    environment: home.environment,
  });

describe("attack 38: an index that somebody planted", () => {
  test.each<[string, (file: string) => Promise<void> | void]>([
    ["text", (file) => writeFileSync(file, "SQLite format 3\0 or so")],
    ["empty pages", (file) => writeFileSync(file, Buffer.alloc(1024 * 1024))],
    ["a link to another file", (file) => symlinkSync(join(home.folder, "precious"), file)],
    [
      "another schema, with SQL in its names",
      async (file) => {
        const sql = await openSql(file);
        sql.exec(`CREATE TABLE "notes'; DROP TABLE x; --" (a); CREATE TABLE notes (path, evil)`);
        sql.close();
      },
    ],
    [
      "a view and a trigger in place of a table",
      async (file) => {
        const sql = await openIndexFile(file, indexSchema);
        sql.exec("CREATE TRIGGER evil AFTER INSERT ON notes BEGIN DELETE FROM notes; END");
        sql.exec("CREATE VIEW evil_view AS SELECT * FROM notes");
        sql.close();
      },
    ],
    [
      "corrupt pages and huge rows",
      async (file) => {
        const sql = await openIndexFile(file, indexSchema);
        sql.run("INSERT INTO meta VALUES ('huge', ?)", "x".repeat(20_000_000));
        sql.close();
        const bytes = readFileSync(file);
        for (let at = 8192; at < bytes.length; at += 4096) bytes.fill(0xa5, at, at + 200);
        writeFileSync(file, bytes);
      },
    ],
  ])("%s: set aside and made anew", async (what, plant) => {
    writeFileSync(join(home.folder, "precious"), "precious");
    const folder = join(home.folder, `planted ${what.replaceAll(/\W/g, " ")}`);
    mkdirSync(folder);
    const file = join(folder, "index.db");
    await plant(file);
    // One that is found to be broken only while it is read is made anew by the next start.
    const ended = [await find("--index", file), await find("--index", file)].at(-1)!;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toContain("2026-05-16.md");
    expect(readFileSync(join(home.folder, "precious"), "utf8")).toBe("precious");
  });

  test("one that lies in the vault is never opened", async () => {
    const planted = [`index-${SCHEMA}.db`, ".notewright/index.db", `.notewright/index-${SCHEMA}.db`];
    mkdirSync(join(home.vault, ".notewright"), { recursive: true });
    for (const name of planted) writeFileSync(join(home.vault, name), "planted");
    expect((await find()).stdout).toContain("2026-05-16.md");
    for (const name of planted) expect(readFileSync(join(home.vault, name), "utf8")).toBe("planted");
    expect(statSync(join(home.environment.XDG_CACHE_HOME!, "notewright")).isDirectory()).toBe(true);
  });
});

describe("attack 43: dependencies are few, pinned and run nothing when they are installed", () => {
  const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
  const manifest = read("package.json");
  type Locked = {
    resolved?: string;
    integrity?: string;
    dev?: boolean;
    optional?: boolean;
    hasInstallScript?: boolean;
  };
  const locked = Object.entries(read("package-lock.json").packages as Record<string, Locked>).filter(
    ([at]) => at !== "",
  );

  test("each by its exact version", () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies }) as string[];
    const exact = /^(?:npm:@[\w/-]+@)?\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/;
    expect(versions.filter((version) => !exact.test(version))).toEqual([]);
    expect(manifest.dependencies).toBeUndefined();
  });

  test("each locked, by a checksum", () => {
    expect(locked.length).toBeGreaterThan(5);
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([at]) => at)).toEqual(
      [],
    );
  });

  test("what is shipped has no install script but the SQLite package's, which finds its own build inside", () => {
    const running = locked.filter(([, one]) => one.hasInstallScript && !one.dev).map(([at]) => at);
    expect(running.filter((at) => at !== "node_modules/@photostructure/sqlite")).toEqual([]);
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
  });
});

describe("attack 44: errors and logs name no place on the machine, and show no inside", () => {
  const BAD = ["../x", "/etc/passwd", "no such note", "a\0b", "x".repeat(2000), ".git/config", ""];
  test.each(surfaces.map((surface) => surface.name))("%s", async (surface) => {
    const session = startSession(["serve", home.vault, "--tools", surface], home.environment);
    await session.ask("initialize", HELLO);
    const { result } = await session.ask("tools/list");
    for (const tool of result!.tools!)
      for (const bad of BAD)
        for (const input of [argumentsFor(tool, bad, bad), { nonsense: bad }, []])
          await session.call(tool.name, input);
    const { stdout, stderr, code } = await session.end();
    expect(code).toBe(0);
    for (const text of [stdout, stderr]) {
      for (const leak of [home.folder, process.cwd(), "node_modules", "node:internal", "SQLITE", "SELECT "])
        expect(text.includes(leak), leak).toBe(false);
      expect(text).not.toMatch(/\\n +at |ENOENT|EACCES|syscall|Internal error/);
    }
    expect(stderr).toBe("");
  });
});
