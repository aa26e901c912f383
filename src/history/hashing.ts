/** What the folder of a history takes from Node: SHA-1, objects named by it, and bytes with a buffer's ways to look at them. */

import { createHash } from "node:crypto";
import { objectOf, type Kind, type NewObject, type Sha1 } from "./objects.ts";

export const sha1: Sha1 = (head, body) => createHash("sha1").update(head).update(body).digest("hex");

export const newObject = (kind: Kind, body: Uint8Array): NewObject => objectOf(sha1, kind, body);

export const idOf = (kind: Kind, body: Uint8Array): string => newObject(kind, body).id;

/** Shares the bytes; nothing is copied. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
