/** A copy of the vault that a server elsewhere keeps, asked over HTTP. One of three files that open connections; it calls the one address that the user gave (decision 34). */

import { z } from "zod";
import { base64, fromBase64 } from "../markdown/base64.ts";
import { NoteError, type Code } from "../markdown/errors.ts";
import { label } from "../markdown/label.ts";
import { isLoopback } from "../markdown/loopback.ts";
import type { HeldPage } from "../notebook/copies.ts";
import { NOTE_LIMIT } from "../notebook/parts.ts";
import { notePath, type NotePath } from "../notebook/paths.ts";
import { PAGE, type Side, type Wanted } from "./side.ts";

/** Milliseconds for one answer: a call may wait 50 s for an index. */
const PATIENCE = 120_000;
/** Bytes of one answer. */
const ANSWER = 16 * 1024 * 1024;
/** Notes that are taken from one server. */
const NOTES = 500_000;

/** The address of the vault: what was given may be that of its MCP endpoint. */
export const vaultAddress = (written: string): string => {
  const refuse = (why: string): never => {
    throw new NoteError("input_refused", why);
  };
  if (!URL.canParse(written) || !/^https?:$/.test(new URL(written).protocol))
    refuse(`"${label(written)}" is no address. Give one such as https://notes.example.org/garden.`);
  const url = new URL(written);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    refuse("Give the address alone; the token is read from NOTEWRIGHT_TOKEN or --token-file.");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    refuse("The notes and the token would travel unprotected: give an https address.");
  return `${url.origin}${url.pathname.replace(/\/(?:mcp(?:\/[a-z]+)?\/?)?$/, "")}`;
};

const page = z.object({
  notes: z
    .array(
      z.object({
        path: z.string(),
        version: z.string().regex(/^[0-9a-f]{40}$/),
        size: z.number().int().min(0),
      }),
    )
    .max(PAGE),
  next: z.string().nullable(),
  total: z.number(),
  attachments: z.number(),
  unread: z.array(z.object({ path: z.string(), why: z.enum(["too_large", "refused", "failed", "closed"]) })),
});
const pieces = z.object({
  pieces: z.array(z.object({ size: z.number().int().min(0).max(NOTE_LIMIT).nullable(), bytes: z.string() })),
});

/** `address` as `vaultAddress` gives it. */
export const openRemote = (address: string, token: string): Side => {
  const call = async <T>(name: string, body: object, shape: z.ZodType<T>): Promise<T> => {
    const { host } = new URL(address);
    const { status, text } = await asked(`${address}/sync/${name}`, token, JSON.stringify(body), host);
    const value = parsed(text);
    if (status !== 200) throw refusalOf(status, value, host);
    const given = shape.safeParse(value);
    if (!given.success) throw strange(host);
    return given.data;
  };

  async function* held(): AsyncGenerator<HeldPage> {
    let seen = 0;
    for (let after: string | null = ""; after !== null;) {
      const given: z.infer<typeof page> = await call("list", { after }, page);
      const notes = given.notes.map((note) => ({ ...note, path: checkedPath(note.path) }));
      seen += notes.length;
      if ((given.next !== null && given.next <= after) || seen > NOTES) throw strange(new URL(address).host);
      yield { ...given, notes, next: given.next as NotePath | null };
      after = given.next;
    }
  }

  /** As many as fit into one answer, and the whole of the first, in as many answers as that takes. */
  const some = async (wanted: readonly Wanted[]): Promise<(Uint8Array | null)[]> => {
    const { pieces: given } = await call("read", { files: wanted }, pieces);
    const found = given.map(({ size, bytes }) => (size === null ? null : (fromBase64(bytes) ?? null)));
    const last = given.at(-1);
    if (!last || given.length > wanted.length) throw strange(new URL(address).host);
    const parts = [found.at(-1)];
    let length = parts[0]?.length ?? 0;
    while (last.size !== null && length < last.size) {
      const file = { ...wanted[given.length - 1]!, from: length };
      const [more] = (await call("read", { files: [file] }, pieces)).pieces;
      const part = more?.size === last.size ? fromBase64(more.bytes) : null;
      if (!part || part.length === 0) throw strange(new URL(address).host);
      parts.push(part);
      length += part.length;
    }
    return [...found.slice(0, -1), last.size === null ? null : joined(parts as Uint8Array[], length)];
  };

  return {
    held,
    async read(wanted) {
      const found: (Uint8Array | null)[] = [];
      while (found.length < wanted.length) found.push(...(await some(wanted.slice(found.length))));
      return found;
    },
    async apply(brought, message) {
      const changes = brought.map((one) => ({ ...one, bytes: one.bytes && base64(one.bytes) }));
      await call("push", { changes, message }, z.object({ revision: z.string().nullable() }));
    },
  };
};

const checkedPath = (path: string): NotePath => {
  notePath(path);
  return path as NotePath;
};

const joined = (parts: readonly Uint8Array[], length: number): Uint8Array => {
  const [first] = parts;
  if (parts.length === 1) return first!;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const asked = async (
  url: string,
  token: string,
  body: string,
  host: string,
): Promise<{ status: number; text: string }> => {
  try {
    const request: RequestInit = {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body,
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE),
    };
    // A connection that was kept may have been closed meanwhile. Every call may be made again: changes are on condition of versions.
    const response = await fetch(url, request).catch(() => fetch(url, request));
    const decoder = new TextDecoder();
    let [text, size] = ["", 0];
    for await (const part of response.body ?? []) {
      size += part.length;
      // Leaving the loop ends the connection.
      if (size > ANSWER) throw strange(host);
      text += decoder.decode(part, { stream: true });
    }
    return { status: response.status, text: text + decoder.decode() };
  } catch (error) {
    if (error instanceof NoteError) throw error;
    throw new NoteError(
      "busy",
      `${host} could not be reached, or its answer broke off. What is done stays done: run it again.`,
      { reason: error instanceof Error ? error.message : "unknown" },
    );
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const strange = (host: string): NoteError =>
  new NoteError("busy", `${host} does not answer as this program does. Is the address that of a vault?`);

const CODES = new Set<string>([
  "version_conflict",
  "note_exists",
  "note_missing",
  "path_refused",
  "too_large",
  "indexing",
  "read_only",
] satisfies Code[]);

/** A refusal of the server, in its words. */
const refusalOf = (status: number, value: unknown, host: string): NoteError => {
  const {
    code,
    message,
    path,
    soFar,
    error_description: sentence,
  } = (value ?? {}) as Record<string, unknown>;
  if (status === 422 && typeof code === "string" && typeof message === "string")
    return new NoteError(CODES.has(code) ? (code as Code) : "busy", message, { path, soFar });
  if (status === 404)
    return new NoteError(
      "read_only",
      `${host} has no vault at this address that the token may open. Look at the name in the address, and whose token it is.`,
    );
  const said = typeof sentence === "string" ? sentence : `It answered with status ${status}.`;
  return new NoteError(status === 401 || status === 403 ? "read_only" : "busy", `${host} refused: ${said}`);
};
