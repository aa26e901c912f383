import { expect, test } from "vitest";
import { clientOf, isDocumentAddress } from "./client-document.ts";

const ADDRESS = "https://app.example/client.json";
const when = { now: 1000, life: 50 };
const read = (more: object) =>
  clientOf(
    ADDRESS,
    JSON.stringify({
      client_id: ADDRESS,
      client_name: "App",
      redirect_uris: ["https://app.example/cb"],
      ...more,
    }),
    when,
  );

test("a document is a client without a secret, for a while", () => {
  expect(read({ client_uri: "https://app.example/", grant_types: ["authorization_code", "other"] })).toEqual({
    clientId: ADDRESS,
    clientName: "App",
    clientUri: "https://app.example/",
    redirectUris: ["https://app.example/cb"],
    grantTypes: ["authorization_code", "refresh_token"],
    responseTypes: ["code"],
    tokenEndpointAuthMethod: "none",
    registrationDate: 1000,
    registrationExpiresAt: 1050,
  });
  expect(read({ token_endpoint_auth_methods_supported: ["private_key_jwt", "none"] })).toHaveProperty(
    "clientId",
  );
});

test.each<[string, object]>([
  ["another id", { client_id: "https://app.example/other.json" }],
  ["no name", { client_name: " " }],
  ["a name that is no text", { client_name: ["App"] }],
  ["no redirects", { redirect_uris: [] }],
  ["redirects that are no texts", { redirect_uris: [1] }],
  ["keys elsewhere", { jwks_uri: "https://app.example/keys" }],
  ["a secret", { client_secret: "x" }],
  ["only keys", { token_endpoint_auth_method: "private_key_jwt" }],
  ["no code", { response_types: ["token"] }],
])("%s is refused", (_, more) => {
  expect(read(more)).toHaveProperty("refused");
});

test.each(["", "no JSON", "null", "[]", '"text"'])("%j is refused", (text) => {
  expect(clientOf(ADDRESS, text, when)).toHaveProperty("refused");
});

test("which ids are addresses of documents", () => {
  for (const id of [ADDRESS, "https://app.example/a?b=c", "https://app.example:8443/x"])
    expect(isDocumentAddress(id)).toBe(true);
  for (const id of [
    "http://app.example/c",
    "https://app.example",
    "https://app.example/",
    "https://u:p@app.example/c",
    "https://app.example/c#f",
    "https://app.example/a/../c",
    "https://APP.example/c",
    " https://app.example/c",
    "nobody",
    "",
  ])
    expect([id, isDocumentAddress(id)]).toEqual([id, false]);
});
