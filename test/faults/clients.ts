/** Real clients on real server processes, all on one vault, and what they asked and were told. */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as fs from "node:fs";
import { join } from "node:path";
import { command, makeHome, type Home } from "../process.ts";
import { dice } from "./dice.ts";
import type { Call } from "./recorded.ts";

export type Session = {
  call(tool: string, input: object): Promise<{ refused: boolean; text: string }>;
  close(): Promise<void>;
};

/** `within`: what is put before the command, to limit it. */
export async function startSession(home: Home, surface: string, within: string[] = []): Promise<Session> {
  const served = [process.execPath, command("notewright"), "serve", home.vault, "--tools", surface];
  const [program, ...args] = [...within, ...served];
  const transport = new StdioClientTransport({
    command: program!,
    args,
    env: home.environment,
    stderr: "inherit",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return {
    async call(name, input) {
      const answer = await client.callTool(
        { name, arguments: input as Record<string, unknown> },
        { timeout: 300_000 },
      );
      const text = (answer.content as { text: string }[]).map((block) => block.text).join("\n");
      return { refused: answer.isError === true, text };
    },
    close: () => client.close(),
  };
}

export type Plan = { servers: number; operations: number; atOnce: number; notes: number; seed: number };

/** Appends, reads and guarded replacements, several under way at once on each connection. */
export async function askAndRecord({
  servers,
  operations,
  atOnce,
  notes,
  seed,
}: Plan): Promise<{ calls: Call[]; final: Map<string, string> }> {
  const home = makeHome();
  const appended = (number: number) => `appended/note ${number}.md`;
  const replaced = (number: number) => `replaced/note ${number}.md`;
  for (let number = 0; number < notes; number++)
    for (const path of [appended(number), replaced(number)]) {
      fs.mkdirSync(join(home.vault, path, ".."), { recursive: true });
      fs.writeFileSync(join(home.vault, path), `# ${path}\n`);
    }
  const sessions = await Promise.all(Array.from({ length: servers }, () => startSession(home, "native")));
  const calls: Call[] = [];
  let count = 0;
  try {
    await Promise.all(
      sessions.flatMap((session, number) =>
        Array.from({ length: atOnce }, async (_, lane) => {
          const chance = dice(seed + number * 1000 + lane);
          while (count < operations) {
            count++;
            calls.push(await one(session, chance.below(10), chance.below(notes), `t${number}-${count}`));
          }
        }),
      ),
    );
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
  const paths = Array.from({ length: notes }, (_, number) => [appended(number), replaced(number)]).flat();
  const final = new Map(paths.map((path) => [path, fs.readFileSync(join(home.vault, path), "utf8")]));
  home.remove();
  return { calls, final };

  async function one(session: Session, roll: number, number: number, token: string): Promise<Call> {
    if (roll < 6) return append(session, appended(number), token);
    if (roll < 8) return read(session, appended(number), token);
    return replace(session, replaced(number), token);
  }
}

const timed = async (work: () => Promise<Awaited<ReturnType<Session["call"]>>>) => {
  const begun = performance.now();
  const answer = await work();
  return { ...answer, begun, ended: performance.now() };
};

async function append(session: Session, note: string, token: string): Promise<Call> {
  const edits = [{ note, do: "append", text: token }];
  const { begun, ended, refused, text } = await timed(() => session.call("edit_notes", { edits }));
  return { kind: "append", note, token, begun, ended, acknowledged: !refused, answer: text };
}

async function read(session: Session, note: string, token: string): Promise<Call> {
  const { begun, ended, refused, text } = await timed(() => session.call("read_notes", { notes: [note] }));
  return { kind: "read", note, token, begun, ended, acknowledged: !refused, answer: text };
}

/** Answers name a note with its version: `folder/note.md@0d0e49f4`. */
function versionIn(text: string): string {
  const version = /@([0-9a-f]{8,40})\b/.exec(text)?.[1];
  if (version === undefined) throw new Error(`an answer without a version: ${text}`);
  return version;
}

/** Reads, and replaces what was read, if it is still that. */
async function replace(session: Session, note: string, token: string): Promise<Call> {
  const seen = await session.call("read_notes", { notes: [note] });
  const expected = versionIn(seen.text);
  const { begun, ended, refused, text } = await timed(() =>
    session.call("write_note", { path: note, text: `${token}\n`, if_match: expected }),
  );
  if (refused && !text.includes("version_conflict")) throw new Error(text);
  const answer = refused ? "" : versionIn(text);
  return { kind: "replace", note, token, expected, begun, ended, acknowledged: !refused, answer };
}
