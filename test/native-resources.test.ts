/** Notes as resources, prompts and completion, as old and new clients meet them. */

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { describe, expect, test } from "vitest";
import { serversOf } from "./server.ts";
import { uriOf, handleOf } from "../src/protocol/resources.ts";
import { notePath } from "../src/notebook/paths.ts";
import { native } from "../src/surfaces/native/native.ts";
import { openVault, type TestVault } from "./vault.ts";

type Era = "legacy" | "modern";
const ERAS: Era[] = ["legacy", "modern"];

const open = async (notes: Record<string, string>, era: Era = "legacy", vault?: TestVault) => {
  const own = vault ?? (await openVault({ folder: false }));
  for (const [path, text] of Object.entries(notes)) await own.put(path, text);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const log = (line: string) => own.logged.push(line);
  serveStdio(serversOf(native, own.notebook, { log }), { transport: far });
  const mode = era === "modern" ? { pin: "2026-07-28" as const } : ("legacy" as const);
  const client = new Client({ name: "trial", version: "0" }, { versionNegotiation: { mode } });
  await client.connect(near);
  const heard: string[] = [];
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => void heard.push(params.uri),
  );
  client.setNotificationHandler("notifications/resources/list_changed", () => void heard.push("list"));
  const close = async () => {
    await client.close();
    expect(own.logged).toEqual([]);
    if (!vault) await own.close();
  };
  return { vault: own, client, heard, close };
};
const until = async (met: () => boolean) => {
  while (!met()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test.each([
  ["People/Ada.md", "note:///People/Ada.md"],
  ["People/@Mara Lindt.md", "note:///People/@Mara%20Lindt.md"],
  ["C# and 100%?.md", "note:///C%23%20and%20100%25%3F.md"],
  ["日記/[x].md", "note:///%E6%97%A5%E8%A8%98/[x].md"],
])("%s is %s, there and back", (path, uri) => {
  expect(uriOf(notePath(path))).toBe(uri);
  expect(handleOf(uri)).toEqual({ path, heading: null, hash: null });
  expect(handleOf(`${uri}#Next%20steps`).heading).toBe("Next steps");
});

describe.each(ERAS)("a %s client", (era) => {
  test("lists all notes, a page at a time, each once", async () => {
    const notes = Object.fromEntries(Array.from({ length: 230 }, (_, at) => [`n/${at}.md`, "x"]));
    const { client, close } = await open(notes, era);
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.request({ method: "resources/list", params: cursor ? { cursor } : {} });
      expect(page.resources.length).toBeLessThanOrEqual(100);
      uris.push(...page.resources.map((it) => it.uri));
      cursor = page.nextCursor;
    } while (cursor);
    expect(new Set(uris).size).toBe(230);
    expect(uris).toHaveLength(230);
    await close();
  });

  test("reads a note, and a section of it", async () => {
    const { client, close } = await open({ "a b.md": "# A\n\none\n\n## B\n\ntwo\n" }, era);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates[0]).toMatchObject({ uriTemplate: "note:///{+path}" });
    const uri = "note:///a%20b.md";
    expect((await client.readResource({ uri })).contents).toEqual([
      { uri, mimeType: "text/markdown", text: "# A\n\none\n\n## B\n\ntwo\n" },
    ]);
    expect((await client.readResource({ uri: `${uri}#B` })).contents[0]).toMatchObject({
      text: "## B\n\ntwo\n",
    });
    await close();
  });

  test.each([
    "note:///none.md",
    "note:///../a.md",
    "file:///etc/passwd",
    "note:///%zz.md",
    "note:///a%20b.md#None",
  ])("is told that there is no %s", async (uri) => {
    const { client, close } = await open({ "a b.md": "x" }, era);
    await expect(client.readResource({ uri })).rejects.toThrow();
    await close();
  });

  test("completes paths, headings, folders, tags and days", async () => {
    const { client, close } = await open(
      {
        "People/Ada.md": "# Ada\n## Meetings\n## Memories\n#maths",
        "People/Bob.md": "#music",
        "Adams.md": "x",
      },
      era,
    );
    const path = async (value: string) => {
      const ref = { type: "ref/resource" as const, uri: "note:///{+path}" };
      return (await client.complete({ ref, argument: { name: "path", value } })).completion.values;
    };
    expect(await path("ada")).toEqual(expect.arrayContaining(["People/Ada.md", "Adams.md"]));
    expect(await path("Peo")).toEqual(expect.arrayContaining(["People/Ada.md", "People/Bob.md"]));
    expect(await path("People/b")).toEqual(["People/Bob.md"]);
    expect(await path("People/Ada.md#me")).toEqual(["People/Ada.md#Meetings", "People/Ada.md#Memories"]);
    expect(await path("../")).toEqual([]);
    const argument = async (prompt: string, name: string, value: string) => {
      const ref = { type: "ref/prompt" as const, name: prompt };
      return (await client.complete({ ref, argument: { name, value } })).completion.values;
    };
    expect(await argument("summarise_folder", "folder", "peo")).toEqual(["People"]);
    expect(await argument("capture_meeting", "tag", "m")).toEqual(expect.arrayContaining(["maths", "music"]));
    expect(await argument("daily_review", "date", "2026-01-1")).toContain("2026-01-14");
    expect(await argument("capture_meeting", "title", "x")).toEqual([]);
    await expect(argument("nothing", "x", "")).rejects.toThrow(/no prompt/);
    await close();
  });

  test("is given at most 100 values, and told how many there are", async () => {
    const notes = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`note ${at}.md`, "x"]));
    const { client, close } = await open(notes, era);
    const ref = { type: "ref/resource" as const, uri: "note:///{+path}" };
    const { completion } = await client.complete({ ref, argument: { name: "path", value: "note" } });
    expect(completion.values).toHaveLength(100);
    expect(completion).toMatchObject({ total: 120, hasMore: true });
    await close();
  });

  test("lists and fills in prompts", async () => {
    const { client, close } = await open({}, era);
    const { prompts } = await client.listPrompts();
    expect(prompts.map((it) => it.name)).toEqual([
      "daily_review",
      "summarise_folder",
      "tidy_links",
      "capture_meeting",
    ]);
    for (const prompt of prompts) expect(prompt.description).toBeTruthy();
    const got = await client.getPrompt({ name: "summarise_folder", arguments: { folder: 'a "b"\nc' } });
    expect(got.messages[0]).toMatchObject({
      role: "user",
      content: { text: expect.stringContaining('"a \\"b\\" c"') },
    });
    await expect(client.getPrompt({ name: "summarise_folder" })).rejects.toThrow(/needs "folder"/);
    await expect(client.getPrompt({ name: "dayly_review" })).rejects.toThrow(/Did you mean "daily_review"/);
    await close();
  });

  test("is told when a note it subscribed to changes, by whomever, and once for each change", async () => {
    const { vault, client, heard, close } = await open({ "a b.md": "one\n", "other.md": "x\n" }, era);
    const uri = "note:///a%20b.md";
    const subscription = era === "modern" ? await client.listen({ resourceSubscriptions: [uri] }) : null;
    if (!subscription) await client.subscribeResource({ uri });
    const edits = (note: string) => ({ edits: [{ note, do: "append", text: "more" }] });
    await client.callTool({ name: "edit_notes", arguments: edits("other.md") });
    await client.callTool({ name: "edit_notes", arguments: edits("a b.md") });
    await until(() => heard.length > 0);
    await vault.put("a b.md", "by another program\n");
    await until(() => heard.length > 1);
    await vault.notebook.refreshPaths([notePath("a b.md")]);
    if (subscription) await subscription.close();
    else await client.unsubscribeResource({ uri });
    await client.callTool({ name: "edit_notes", arguments: edits("a b.md") });
    expect(heard.filter((one) => one !== "list")).toEqual([uri, uri]);
    await close();
  });

  test("is told that the list has changed when a note comes or goes", async () => {
    const { client, heard, close } = await open({ "a.md": "one\n" }, era);
    if (era === "modern") await client.listen({ resourcesListChanged: true });
    await client.callTool({ name: "write_note", arguments: { path: "b.md", text: "x" } });
    await until(() => heard.includes("list"));
    await close();
  });
});

test("attack 55: subscriptions are counted by their URIs, and long ones refused", async () => {
  const { client, heard, close } = await open({ "a.md": "one\n" });
  const uri = (number: number) => `note:///a.md#Heading%20${number}`;
  await expect(client.subscribeResource({ uri: `note:///a.md#${"x".repeat(2048)}` })).rejects.toThrow(/2048/);
  for (let number = 0; number < 1000; number++) await client.subscribeResource({ uri: uri(number) });
  await client.subscribeResource({ uri: uri(5) });
  await expect(client.subscribeResource({ uri: uri(1000) })).rejects.toThrow(/1000 subscriptions/);
  for (let number = 0; number < 999; number++) await client.unsubscribeResource({ uri: uri(number) });
  await client.unsubscribeResource({ uri: uri(0) });
  await client.subscribeResource({ uri: uri(1000) });
  await client.callTool({
    name: "edit_notes",
    arguments: { edits: [{ note: "a.md", do: "append", text: "x" }] },
  });
  await until(() => heard.length > 1);
  expect(heard.filter((one) => one !== "list")).toEqual([uri(999), uri(1000)]);
  await close();
});

test("a note that is not text is read as bytes", async () => {
  const { vault, client, close } = await open({});
  await vault.put("a.md", new Uint8Array([0xff, 0xfe]));
  expect((await client.readResource({ uri: "note:///a.md" })).contents[0]).toMatchObject({ blob: "//4=" });
  const long = Uint8Array.from({ length: 100_001 }, (_, at) => 255 - (at % 256));
  await vault.put("long.md", long);
  expect((await client.readResource({ uri: "note:///long.md" })).contents[0]).toMatchObject({
    blob: Buffer.from(long).toString("base64"),
  });
  await close();
});

test("what another process has indexed already is told of, too; what this one wrote is told once", async () => {
  const vault = await openVault({ folder: false });
  const heard: string[] = [];
  const end = vault.notebook.onChange(({ notes }) => heard.push(...notes.map((note) => note.path)));
  await vault.notebook.write(notePath("mine.md"), "x");
  await vault.notebook.refreshPaths([notePath("mine.md")]);
  expect(heard).toEqual(["mine.md"]);
  end();
  await vault.notebook.write(notePath("theirs.md"), "x");
  vault.notebook.onChange(({ notes }) => heard.push(...notes.map((note) => note.path)));
  await vault.notebook.refreshPaths([notePath("theirs.md")]);
  expect(heard).toEqual(["mine.md", "theirs.md"]);
  await vault.close();
});
