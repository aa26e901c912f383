/** The page of a vault, as the router hands requests to it: the document, its files, entering, calls and events. Only page tokens are taken. */

import { notAllowed, notFound, refusal } from "../http/answers.ts";
import { openTokenGuard } from "../http/guard.ts";
import { answerNamed, json } from "../http/named-calls.ts";
import type { HttpVault, PageRequests } from "../http/parts.ts";
import type { Identity } from "../identity/identity.ts";
import { toolCalls } from "../protocol/calls.ts";
import type { Tool } from "../surfaces/surface.ts";
import { documentAnswer, fileAnswer, type PageFiles } from "./document.ts";
import { fromOurPage, openDoor, tokenOf, withBody, type DoorParts } from "./door.ts";
import { openRooms, PROGRAM, type Kept, type Room } from "./rooms.ts";

export type WebParts = DoorParts & {
  vaults: readonly HttpVault[];
  files: PageFiles;
  /** Who the person at the page is, in the history. */
  author: string;
  readOnly: boolean;
  /** Whether somebody in front has checked the page's token already. */
  trusted?: (request: Request) => boolean;
  /** What browsers call this server. */
  base(): URL;
  /** The calls of one vault's page. */
  tools(vault: HttpVault, kept: Kept): Tool[];
  /** An image of the vault, by the path that a note names it with. */
  image(vault: HttpVault, name: string, from: string): Promise<{ bytes: Uint8Array; type: string } | null>;
  now(): number;
  log(line: string): void;
};

export const openWeb = (parts: WebParts): PageRequests => {
  const { tokens, files } = parts;
  const door = openDoor(parts);
  const boot = crypto.randomUUID().slice(0, 8);
  const person: Identity = {
    name: parts.author,
    vault: null,
    secret: null,
    made: "",
    rights: parts.readOnly ? "read" : "admin",
    folders: "all",
    surfaces: "all",
  };
  const rooms = openRooms(parts, person, boot);
  const guardOf = (vault: string) =>
    openTokenGuard({ of: async (token) => ((await tokens.holds(token, vault)) ? person : null) }, parts.now);
  const guards = new Map(parts.vaults.map(({ name }) => [name, guardOf(name)]));

  const call = async (room: Room, name: string, body: unknown, request: Request): Promise<Response> => {
    const { vault, surface, session } = room;
    const calls = toolCalls(surface, vault.notebook(person), { session, principal: person, log: parts.log });
    return answerNamed(calls, { name, body, client: PROGRAM, signal: request.signal });
  };

  return {
    document: () => documentAnswer(files, parts.signIn !== null),
    async answer(request, { vault: name, path }, from, body) {
      if (path.startsWith("assets/"))
        return request.method === "GET" ? (fileAnswer(files, path) ?? notFound()) : notAllowed("GET");
      const vault = parts.vaults.find((each) => each.name === name)!;
      const asked = path.slice("api/".length);
      if (!fromOurPage(request, parts.base()))
        return refusal(403, "Only the page itself may call this.", {}, "foreign");
      if (asked === "key") return door.key(request, vault.name);
      if (asked === "enter")
        return withBody(request, body, (value) => door.enter(request, vault.name, value));
      if (!parts.trusted?.(request)) {
        const identity = await guards
          .get(name)!
          .check(request, { address: from.address, challenge: () => 'realm="page"' });
        if (identity instanceof Response) return identity;
      }
      const room = rooms.of(vault);
      if (asked === "events") {
        if (request.method !== "GET") return notAllowed("GET");
        const stream = room.events.stream(request.headers.get("last-event-id"), tokenOf(request));
        return stream ?? refusal(429, "Too many pages are open. Close some of them first.");
      }
      if (asked === "image") return imageAnswer(request, vault, parts);
      if (asked === "leave") {
        await tokens.leave(tokenOf(request));
        room.events.endOf(tokenOf(request));
        return json("{}", 200);
      }
      return withBody(request, body, (value) => call(room, asked, value, request));
    },
    close() {
      rooms.close();
    },
  };
};

const imageAnswer = async (request: Request, vault: HttpVault, parts: WebParts): Promise<Response> => {
  if (request.method !== "GET") return notAllowed("GET");
  const { searchParams } = new URL(request.url);
  const image = await parts.image(vault, searchParams.get("name") ?? "", searchParams.get("note") ?? "");
  if (!image) return notFound();
  return new Response(image.bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": image.type,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
};
