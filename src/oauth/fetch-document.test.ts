import { createServer, type Server } from "node:https";
import { createServer as createPlain } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CERTIFICATE, KEY } from "../../test/http/certificate.ts";
import { documentFetcher } from "./fetch-document.ts";
import { isPublicAddress } from "./public-address.ts";

describe("85: which addresses are public", () => {
  test.each([
    "127.0.0.1 127.255.255.255 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1",
    "100.127.255.255 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255",
    ":: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 fe80::1 fe80::1%lo",
    "fec0::1 fc00::1 fd12:3456::1 ff02::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 100::1 localhost 1.2.3 2130706433",
  ])("not %s", (addresses) => {
    for (const address of addresses.split(" "))
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });

  test.each([
    "8.8.8.8 1.1.1.1 172.32.0.1 100.128.0.1 223.255.255.255 2606:4700::1111 2a00:1450:4001::1 2400::1",
  ])("%s", (addresses) => {
    for (const address of addresses.split(" "))
      expect([address, isPublicAddress(address)]).toEqual([address, true]);
  });
});

describe("a document is fetched", () => {
  let server: Server;
  let port = 0;
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer({ key: KEY, cert: CERTIFICATE }, (request, answer) => {
      asked.push(`${request.headers.host} ${request.url}`);
      if (request.url === "/moved") return answer.writeHead(302, { location: "/client.json" }).end();
      if (request.url === "/large") return answer.end("x".repeat(6000));
      if (request.url === "/slow") return void answer.write("{");
      if (request.url === "/missing") return answer.writeHead(404).end();
      return answer.end("{}");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const resolve = async (): Promise<string[]> => ["127.0.0.1"];
  const near = { resolve, isPublic: () => true, ca: CERTIFICATE };
  const at = (path: string, host = "client.example"): string => `https://${host}:${port}${path}`;

  test("from the very address that was looked at, under the host's name", async () => {
    expect(await documentFetcher(near)(at("/client.json?x=1"))).toEqual({ text: "{}" });
    expect(asked.at(-1)).toBe(`client.example:${port} /client.json?x=1`);
  });

  test.each([
    ["/moved", /redirects are not followed/],
    ["/large", /larger than 5120/],
    ["/missing", /answered with 404/],
  ])("%s is refused", async (path, why) => {
    const before = asked.length;
    expect(await documentFetcher(near)(at(path))).toEqual({ refused: expect.stringMatching(why) });
    expect(asked.length).toBe(before + 1);
  });

  test("one that takes too long, and a name that nobody resolves", async () => {
    const late = { refused: "it did not come in time" };
    expect(await documentFetcher({ ...near, time: 100 })(at("/slow"))).toEqual(late);
    const never = new Promise<string[]>(() => undefined);
    expect(await documentFetcher({ ...near, resolve: () => never, time: 100 })(at("/"))).toEqual(late);
  });

  test("a certificate that is another's, or that nobody vouches for", async () => {
    const unreachable = { refused: "its host cannot be reached" };
    expect(await documentFetcher(near)(at("/client.json", "other.example"))).toEqual(unreachable);
    expect(await documentFetcher({ ...near, ca: undefined } as never)(at("/client.json"))).toEqual(
      unreachable,
    );
  });

  test("85: a host with one address that is not public is not called at all", async () => {
    let called = 0;
    const listener = createPlain((socket) => {
      called++;
      socket.destroy();
    });
    await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
    const { port: near } = listener.address() as AddressInfo;
    const found = async (): Promise<string[]> => ["127.0.0.1", "8.8.8.8"];
    expect(await documentFetcher({ resolve: found })(`https://client.example:${near}/c`)).toEqual({
      refused: "its host is not on the public internet",
    });
    expect(await documentFetcher()(`http://127.0.0.1:${near}/c`)).toMatchObject({
      refused: expect.anything(),
    });
    expect(called).toBe(0);
    await new Promise((done) => listener.close(done));
  });
});
