/** Review as the owner meets it: a real client that was started with --review, and the commands that list, accept and decline what it proposes. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runHere } from "../command.ts";
import { notesBelow } from "../history-vault.ts";
import { command, makeHome, type Ended, type Home } from "../process.ts";

let home: Home;
let client: Client;
beforeAll(async () => {
  home = makeHome();
  mkdirSync(join(home.vault, ".obsidian"));
  client = new Client({ name: "helper", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const args = [command("notewright"), "serve", home.vault, "--review"];
  const env = home.environment;
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
});
afterAll(async () => {
  await client.close();
  home.remove();
});

const AROUND = /^notewright: the vault is .*\n/;
const run = async (...args: string[]): Promise<Ended> => {
  const ended = await runHere(args, { ...home.environment, TZ: "UTC" }, home.vault);
  return { ...ended, stderr: ended.stderr.replace(AROUND, "") };
};
const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: input });
  return (content as { text: string }[]).map(({ text }) => text).join("\n");
};
const replace = (note: string, find: string, text: string): Promise<string> =>
  call("edit_notes", { edits: [{ note, do: "replace_text", find, text }] });
const idIn = (said: string): string => /as proposal ([0-9a-f]{8}-[0-9a-f]{10})/.exec(said)?.[1] ?? said;
const read = (path: string): string => readFileSync(join(home.vault, path), "utf8");
const write = (path: string, text: string): void => writeFileSync(join(home.vault, path), text);

describe("a client that was started with --review", () => {
  test("is answered as if it were done; nothing is written; it reads what it proposed", async () => {
    const before = notesBelow(home.vault);
    const said = await replace("Plants/Garlic.md", "Forty", "Fifty");
    expect(said).toMatch(/\nNot written yet: waiting for the owner as proposal [0-9a-f]{8}-[0-9a-f]{10}\.$/);
    expect(notesBelow(home.vault)).toEqual(before);
    expect(await call("read_notes", { notes: ["Plants/Garlic.md"] })).toMatch(
      /Fifty[^]*is shown as you proposed it/,
    );
    expect((await run("cat", "Garlic")).stdout).toContain("Forty");
    const base = { do: "add_base", base: "plants", folder: "Plants", description: "d", guide: "g" };
    expect(await call("manage_rules", base)).toContain("read_only");
    expect(existsSync(join(home.vault, ".llm_bridges"))).toBe(false);
    expect((await run("decline", idIn(said))).code).toBe(0);
  });

  test("refuses --review beside --http and --read-only", async () => {
    for (const other of [["--read-only"], ["--http", "0"]]) {
      const { code, stderr } = await run("serve", "--review", ...other);
      expect([code, stderr]).toEqual([2, expect.stringContaining("--review")]);
    }
  });
});

describe("proposals, accept and decline", () => {
  test("what waits is listed, shown and written; the history names both, and it can be undone", async () => {
    expect(await run("proposals")).toMatchObject({ code: 0, stdout: "", stderr: "Nothing waits for you.\n" });
    const id = idIn(await replace("Plants/Comfrey.md", "Comfrey", "Great comfrey"));
    const listed = await run("proposals");
    expect(listed.stdout).toMatch(
      new RegExp(`^${id}  .*  helper  edit_notes\\n    change Plants/Comfrey.md\\n$`),
    );
    const [json] = (await run("proposals", "--json")).stdout.split("\n");
    expect(JSON.parse(json!)).toMatchObject({ id, by: { client: "helper" }, notes: [{ kind: "edited" }] });
    const shown = await run("proposals", id.slice(0, 8));
    expect(shown.stdout).toContain("+# Great comfrey");
    expect(shown.stderr).toContain(`notewright accept ${id}`);
    const tried = await run("accept", id, "--dry-run");
    expect(tried.stderr).toContain("This would change one note. Nothing was written.");
    expect(read("Plants/Comfrey.md")).not.toContain("Great");

    const taken = await run("accept", id, "--outside-author", "Kim");
    expect([taken.code, taken.stdout]).toEqual([0, expect.stringContaining("+# Great comfrey")]);
    expect(taken.stderr).toMatch(
      /^Accepted: one note changed\. It is revision [0-9a-f]{10}; to take that back: /,
    );
    expect(read("Plants/Comfrey.md")).toContain("# Great comfrey");
    const history = await run("history", "--limit", "1");
    expect(history.stdout).toMatch(/  helper  native edit_notes  accepted by Kim\n/);
    expect(JSON.parse((await run("history", "--limit", "1", "--json")).stdout)).toMatchObject({
      author: "helper",
      acceptedBy: "Kim",
    });
    expect(await call("get_history", { note: "Comfrey" })).toContain("(helper, edit_notes, accepted by Kim)");
    const [, revision = ""] = /revision ([0-9a-f]{10})/.exec(taken.stderr)!;
    expect((await run("undo", revision)).code).toBe(0);
    expect(read("Plants/Comfrey.md")).not.toContain("Great");
  });

  test("declined: its text is gone, and a line is left", async () => {
    const before = notesBelow(home.vault);
    const id = idIn(await call("write_note", { path: "Secret plan.md", text: "zeppelin\n" }));
    const { code, stderr } = await run("decline", id);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Declined. Its text is gone")]);
    expect(notesBelow(home.vault)).toEqual(before);
    const folder = join(home.vault, ".notewright/proposals");
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name), "latin1")).not.toContain("zeppelin");
    expect((await run("proposals", "--closed")).stdout).toMatch(
      new RegExp(`^${id.slice(0, 8)}  declined .* by .*: helper write_note, 1 note, Secret plan.md\\n`),
    );
    expect(await call("read_notes", { notes: ["Secret plan.md"] })).toContain("note_missing");
  });

  test("one note of several is taken, another declined; the rest still waits", async () => {
    const paths = ["One", "Two", "Three"].map((name) => `Several/${name}.md`);
    for (const path of paths) await call("write_note", { path, text: "text\n" });
    const said = await call("edit_notes", {
      edits: paths.map((note) => ({ note, do: "append", text: "more" })),
    });
    const taken = await run("accept", idIn(said), "--note", "Several/One");
    expect([taken.code, taken.stderr]).toEqual([0, expect.stringContaining("Accepted: one note")]);
    const left = /^(\S+)/.exec((await run("proposals")).stdout)![1]!;
    expect((await run("decline", left, "--note", "Several/Two.md")).stderr).toContain(
      "The rest of it still waits",
    );
    const last = /^(\S+)/.exec((await run("proposals")).stdout)![1]!;
    expect((await run("accept", last, "--note", "Several/Two")).stderr).toContain("has no note");
    expect((await run("accept", last)).code).toBe(0);
    expect(paths.map((path) => existsSync(join(home.vault, path)))).toEqual([true, false, true]);
  });

  test("a proposal that grew since is another: nothing is done, and the new id is named", async () => {
    const before = read("Plants/Garlic.md");
    const old = idIn(await replace("Plants/Garlic.md", "Forty", "Sixty"));
    const grown = idIn(await replace("Plants/Garlic.md", "Sixty", "Seventy"));
    for (const decision of ["accept", "decline"]) {
      const { code, stderr } = await run(decision, old);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`It is ${grown} now; look at it again.`)]);
    }
    expect(read("Plants/Garlic.md")).toBe(before);
    expect((await run("accept", grown)).code).toBe(0);
    expect(read("Plants/Garlic.md")).toBe(before.replace("Forty", "Seventy"));
  });

  test("what stands in the way is told, and nothing is half done: the same lines, a note gone, a rule", async () => {
    write("Way.md", "One.\n\nTwo.\n");
    const way = idIn(await replace("Way.md", "Two.", "Mine."));
    write("Way.md", "One.\n\nTheirs.\n");
    const conflict = await run("accept", way);
    expect([conflict.code, conflict.stdout]).toEqual([1, ""]);
    expect(conflict.stderr).toMatch(/it was changed in the same lines since[^]*-Theirs\.[^]*\+Mine\./);
    expect(read("Way.md")).toBe("One.\n\nTheirs.\n");
    rmSync(join(home.vault, "Way.md"));
    const gone = await run("accept", way);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('"Way.md" is no longer there')]);
    expect(existsSync(join(home.vault, "Way.md"))).toBe(false);
    expect((await run("decline", way)).code).toBe(0);

    const edits = ["Plants/Comfrey.md", "Start here.md"].map((note) => ({
      note,
      do: "append",
      text: "Mine.",
    }));
    const ruled = idIn(await call("edit_notes", { edits }));
    const base = join(home.vault, ".llm_bridges/knowledge_base/plants");
    mkdirSync(join(base, "folder_constraints"), { recursive: true });
    writeFileSync(join(base, "meta.md"), "---\ndescription: d\nsubfolder: Plants\n---\n\nRules.\n");
    const rule = "---\nsubfolder: Plants\n---\n\n```yaml\ncontent:\n  max_length: 1\n```\n";
    writeFileSync(join(base, "folder_constraints/plants.md"), rule);
    const before = notesBelow(home.vault);
    const broken = await run("accept", ruled);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("Plants/Comfrey.md")]);
    expect(notesBelow(home.vault)).toEqual(before);
    expect((await run("accept", ruled, "--note", "Start here")).code).toBe(0);
    rmSync(base, { recursive: true });
    const rest = /^(\S+)/.exec((await run("proposals")).stdout)![1]!;
    expect((await run("accept", rest)).code).toBe(0);
    expect(read("Plants/Comfrey.md")).toContain("Mine.");
  });

  test("a wrong id names the nearest; one without its end, none and too many are told what to do", async () => {
    const id = idIn(await call("write_note", { path: "Nearest.md", text: "text\n" }));
    const wrong = `${id.slice(0, 3)}${id[3] === "0" ? "1" : "0"}${id.slice(4)}`;
    const near = await run("accept", wrong);
    expect([near.code, near.stderr]).toEqual([
      1,
      expect.stringContaining(`There is no open proposal "${wrong}". The nearest is ${id}.`),
    ]);
    expect((await run("proposals", wrong.slice(0, 8))).stderr).toContain(`The nearest is ${id}.`);
    expect((await run("decline", "nothing-like-it")).stderr).toContain("notewright proposals lists");
    expect((await run("accept", id.slice(0, 8))).stderr).toContain("Give the whole id");
    expect(await run("accept")).toMatchObject({ code: 2, stderr: expect.stringContaining("Say which") });
    expect(await run("accept", id, "another")).toMatchObject({ code: 2 });
    expect(existsSync(join(home.vault, "Nearest.md"))).toBe(false);
    expect((await run("decline", id)).code).toBe(0);
  });
});
