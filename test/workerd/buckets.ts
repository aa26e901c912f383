/** Buckets for tests: one in memory with R2's ways, and what R2 or its network may do to a call. */

import { createHash } from "node:crypto";
import { keyOf, type Bucket } from "../../src/stores/bucket.ts";
import type { R2Store } from "../../src/stores/r2.ts";

type Kept = { bytes: Uint8Array; etag: string; uploaded: Date; metadata: Record<string, string> };

/** What another program puts in the place of a text. */
export const OTHERS = "Another program was here.\n";

/** Everything in memory, and strongly consistent, as R2 is. */
export const memoryBucket = (): Bucket & { objects: Map<string, Kept> } => {
  const objects = new Map<string, Kept>();
  const listed = (key: string) => {
    const found = objects.get(key);
    if (!found) return null;
    const { etag, bytes, uploaded } = found;
    return { key, etag, size: bytes.length, uploaded };
  };
  return {
    objects,
    head: async (key) => listed(key),
    async get(key, how) {
      const object = objects.get(key);
      if (!object) return null;
      const bytes = object.bytes.slice(0, how?.range.length);
      return {
        ...listed(key)!,
        arrayBuffer: async () => bytes.slice().buffer as ArrayBuffer,
        body: new Blob([bytes]).stream(),
        customMetadata: object.metadata,
      };
    },
    async put(key, given, { onlyIf, customMetadata, sha256 }) {
      const bytes =
        given instanceof Uint8Array ? given : new Uint8Array(await new Response(given).arrayBuffer());
      if (sha256 !== undefined && createHash("sha256").update(bytes).digest("hex") !== sha256)
        throw new Error("put: The SHA-256 checksum you specified did not match what we received. (10037)");
      const there = objects.get(key);
      if ("etagMatches" in onlyIf ? there?.etag !== onlyIf.etagMatches : there !== undefined) return null;
      const etag = createHash("md5").update(bytes).digest("hex");
      objects.set(key, { bytes: bytes.slice(), etag, uploaded: new Date(), metadata: customMetadata });
      return listed(key);
    },
    delete: async (key) => void objects.delete(key),
    async list({ prefix, startAfter = "", limit = 1000 }) {
      const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
      const all = [...objects.keys()]
        .filter((key) => key.startsWith(prefix) && order(key, startAfter) > 0)
        .toSorted(order);
      return { objects: all.slice(0, limit).map((key) => listed(key)!), truncated: all.length > limit };
    },
  };
};

/** The bucket with texts in it, by the paths that they have in a workspace, as another program puts them there. */
export const bucketWith = async <B extends Bucket>(
  bucket: B,
  workspace: string,
  texts: Record<string, string> = {},
): Promise<B> => {
  for (const [path, text] of Object.entries(texts))
    await bucket.put(keyOf(workspace, path), new TextEncoder().encode(text), {
      onlyIf: { etagDoesNotMatch: "*" },
      customMetadata: {},
    });
  return bucket;
};

/** Compares all of the bucket's listing with the rows of a store. */
export const compareAll = async (store: Pick<R2Store, "compare">): Promise<void> => {
  for (let place = await store.compare(null); place;) place = await store.compare(place);
};

/** R2 takes one write a second to one key. */
export const oncePerSecond = (bucket: Bucket, now: () => number = Date.now): Bucket => {
  const written = new Map<string, number>();
  return {
    ...boundTo(bucket),
    async put(key, bytes, how) {
      if (now() - (written.get(key) ?? -Infinity) < 1000)
        throw new Error("put: Reduce your concurrent request rate for the same object. (10058)");
      const made = await bucket.put(key, bytes, how);
      if (made) written.set(key, now());
      return made;
    },
  };
};

/** The calls of a bucket as plain functions: those of the runtime are bound to their object. */
export const boundTo = (bucket: Bucket): Bucket => ({
  head: (key) => bucket.head(key),
  get: (key, how) => bucket.get(key, how),
  put: (key, bytes, how) => bucket.put(key, bytes, how),
  delete: (key) => bucket.delete(key),
  list: (how) => bucket.list(how),
});

/** A bucket whose calls are told, and of which those of a name can be made to fail: what stands for them is handed what would do them. */
export const failingBucket = (bucket: Bucket) => {
  const calls: string[] = [];
  const failing = new Map<string, (done: () => Promise<unknown>) => unknown>();
  const watched = new Proxy(bucket, {
    get:
      (on, name: keyof Bucket) =>
      async (...args: never[]) => {
        calls.push(`${name} ${typeof args[0] === "string" ? args[0] : ""}`.trim());
        const done = () => (on[name] as (...given: never[]) => Promise<unknown>)(...args);
        return failing.has(name) ? failing.get(name)!(done) : done();
      },
  });
  return { bucket: watched, calls, failing };
};
