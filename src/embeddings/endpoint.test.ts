import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SIZE, startEmbeddings, type Conduct, type EmbeddingsServer } from "../../test/embeddings-server.ts";
import { openEndpoint } from "./endpoint.ts";

let server: EmbeddingsServer;
beforeAll(async () => (server = await startEmbeddings()));
afterAll(() => server.close());
beforeEach(() => {
  server.conduct = "well";
  server.asked.length = 0;
});

const open = (path = "/api/embed", key?: string) =>
  openEndpoint({ url: server.origin + path, model: "simple", key });
const never = new AbortController().signal;
const cosine = (a: Float32Array, b: Float32Array): number => {
  const dot = a.reduce((sum, each, at) => sum + each * b[at]!, 0);
  return dot / Math.hypot(...a) / Math.hypot(...b);
};

describe("texts to vectors, in their order", () => {
  test.each([
    ["", "/api/embed"],
    ["/", "/api/embed"],
    ["/api/embed", "/api/embed"],
    ["/v1", "/v1/embeddings"],
    ["/v1/embeddings", "/v1/embeddings"],
    ["/some/proxy/embeddings?version=2", "/some/proxy/embeddings?version=2"],
  ])("at %s", async (path, asked) => {
    const answer = await open(path, "secret").embed(["a car", "an automobile", "a sofa"], 5000, never);
    const { vectors } = answer as { vectors: Float32Array[] };
    expect(vectors.map(({ length }) => length)).toEqual([SIZE, SIZE, SIZE]);
    expect(cosine(vectors[0]!, vectors[1]!)).toBeGreaterThan(0.6);
    expect(cosine(vectors[0]!, vectors[2]!)).toBeLessThan(0.4);
    expect(server.asked).toEqual([
      { path: asked, key: "Bearer secret", model: "simple", texts: ["a car", "an automobile", "a sofa"] },
    ]);
  });

  test("without a key none is sent", async () => {
    await open().embed(["a"], 5000, never);
    expect(server.asked[0]!.key).toBe(undefined);
  });
});

describe("what it does wrong is said in a phrase", () => {
  test.each<[Conduct, string]>([
    ["fails", "it answered with status 500"],
    ["stalls", "it did not answer within 200 ms"],
    ["too few", "its answer has not one vector for each text"],
    ["sizes differ", "its vectors are not of one size"],
    ["no numbers", "its vectors are not all numbers"],
    ["zeros", "its vectors are not all numbers"],
    ["redirects", "it sends elsewhere, which is not followed"],
    ["no json", "its answer is not JSON"],
    ["hangs up", "it could not be reached"],
  ])("%s", async (conduct, failure) => {
    server.conduct = conduct;
    const limit = conduct === "stalls" ? 200 : 20_000;
    for (const path of ["/api/embed", "/v1/embeddings"])
      expect(await open(path).embed(["one", "two"], limit, never)).toEqual({ failure });
    expect(server.elsewhere).toBe(0);
  });

  test("floods", async () => {
    server.conduct = "floods";
    expect(await open().embed(["one"], 60_000, never)).toEqual({ failure: "its answer is too large" });
  });

  test("a text it will not take is told apart", async () => {
    server.conduct = "refuses zebras";
    const failure = "it answered with status 400";
    expect(await open().embed(["a zebra"], 5000, never)).toEqual({ failure, texts: true });
  });

  test("nobody there", async () => {
    const gone = await startEmbeddings();
    await gone.close();
    const answer = await openEndpoint({ url: gone.origin, model: "m", key: undefined }).embed(
      ["a"],
      5000,
      never,
    );
    expect(answer).toEqual({ failure: "it could not be reached" });
  });

  test("who closes does not wait", async () => {
    server.conduct = "stalls";
    const closing = new AbortController();
    const answer = open().embed(["a"], 60_000, closing.signal);
    closing.abort();
    expect(await answer).toEqual({ failure: "it could not be reached" });
  });
});

describe("an address that cannot be right is refused at once", () => {
  test.each([
    ["localhost:11434", undefined, "no address"],
    ["file:///etc/passwd", undefined, "no address"],
    ["http://user:word@localhost/", undefined, "NOTEWRIGHT_EMBEDDINGS_KEY"],
    ["http://models.example.com/v1", "key", "https"],
    ["http://localhost/other", undefined, "/api/embed"],
  ])("%s", (url, key, why) => {
    expect(() => openEndpoint({ url, model: "m", key })).toThrow(why);
  });

  test.each([
    ["http://localhost:11434", "key"],
    ["http://[::1]:8080/v1", "key"],
    ["https://models.example.com/v1", "key"],
    ["http://models.example.com/v1", undefined],
  ])("%s is taken", (url, key) => {
    expect(openEndpoint({ url, model: "m", key }).model).toBe("m");
  });
});
