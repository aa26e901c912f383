/** A Worker with one Durable Object that holds a vault in memory and its index in the object's SQLite, and serves the native surface over HTTP. */

import { createMcpHandler } from "@modelcontextprotocol/server";
import { blobId } from "../../src/disk/hash.ts";
import { noHistory } from "../../src/history/none.ts";
import { openIndex } from "../../src/index/note-index.ts";
import { ruleReader } from "../../src/knowledge/rule-edits.ts";
import { openNotebook } from "../../src/notebook/notebook.ts";
import { NO_BACKGROUND } from "../../src/notebook/parts.ts";
import { DEADLINES } from "../../src/notebook/waiting.ts";
import { openMemory } from "../../src/stores/memory.ts";
import { native } from "../../src/surfaces/native/native.ts";
import { serversOf } from "../server.ts";
import { durableSql, type Storage } from "./durable-sql.ts";

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Opens the vault and gives what answers its requests. */
const serve = async (storage: Storage): Promise<(request: Request) => Promise<Response>> => {
  const clock = { now: () => new Date(), timeZone: "UTC" };
  const notebook = openNotebook({
    store: openMemory(),
    index: openIndex(durableSql(storage), { clock }),
    history: noHistory(),
    rules: ruleReader,
    semantic: null,
    pendingEdits: null,
    readOnly: false,
    background: NO_BACKGROUND,
    deadlines: DEADLINES,
    random: () => hex(crypto.getRandomValues(new Uint8Array(4))),
    versionOf: blobId,
    report: (what, error) => console.error(what, error),
    ...clock,
  });
  await notebook.refresh();
  const handler = createMcpHandler(serversOf(native, notebook, { log: console.error }));
  return (request) => handler.fetch(request);
};

export class Vault {
  readonly #answer: ReturnType<typeof serve>;
  constructor(state: { storage: Storage }) {
    this.#answer = serve(state.storage);
  }
  async fetch(request: Request): Promise<Response> {
    const answer = await this.#answer;
    return answer(request);
  }
}

type Namespace = { idFromName(name: string): unknown; get(id: unknown): Vault };

export default {
  fetch: (request: Request, { VAULT }: { VAULT: Namespace }): Promise<Response> =>
    VAULT.get(VAULT.idFromName("one")).fetch(request),
};
