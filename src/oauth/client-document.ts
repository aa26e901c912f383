/** A client ID metadata document: what is taken of it, and why it is refused. Its address is the client's id. */

/** The text of the document at an address, or why there is none, to follow "because". */
export type FetchDocument = (address: string) => Promise<{ text: string } | { refused: string }>;

/** Bytes of a document, and milliseconds in which it must come. */
export const DOCUMENT_SIZE = 5 * 1024;
export const DOCUMENT_TIME = 10_000;

/** A client as the library keeps it. */
export type ClientRecord = {
  clientId: string;
  clientName: string;
  clientUri?: string;
  redirectUris: string[];
  grantTypes: string[];
  responseTypes: string[];
  tokenEndpointAuthMethod: "none";
  registrationDate: number;
  /** In seconds. The library puts it off while the client is in use. */
  registrationExpiresAt: number;
};

/** An https address with a path, written as addresses are: no user, fragment, dots, blanks. */
export const isDocumentAddress = (id: string): boolean => {
  if (!id.startsWith("https://") || !URL.canParse(id)) return false;
  const url = new URL(id);
  return (
    url.href === id && url.username === "" && url.password === "" && !id.includes("#") && url.pathname !== "/"
  );
};

const REFUSED: [string, string][] = [
  ["jwks_uri", "it names keys at another address (jwks_uri), which this server does not fetch"],
  ["client_secret", "it holds a secret, and everybody can read it"],
];

const texts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** The record of a client, or the reason against it. */
export const clientOf = (
  address: string,
  text: string,
  { now, life }: { now: number; life: number },
): ClientRecord | { refused: string } => {
  const refused = (why: string) => ({ refused: why });
  let document: Record<string, unknown>;
  try {
    document = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return refused("it is not JSON");
  }
  if (typeof document !== "object" || document === null || Array.isArray(document))
    return refused("it is not a JSON object");
  if (document["client_id"] !== address) return refused("its client_id is not its own address");
  for (const [field, why] of REFUSED) if (field in document) return refused(why);
  const { client_name: name, client_uri: page, redirect_uris: redirects } = document;
  if (typeof name !== "string" || name.trim() === "") return refused("it has no client_name");
  if (!texts(redirects) || redirects.length === 0) return refused("it has no redirect_uris");
  const methods = [
    document["token_endpoint_auth_method"] ?? [],
    document["token_endpoint_auth_methods_supported"] ?? [],
  ].flat();
  if (methods.length > 0 && !methods.includes("none"))
    return refused("it can only sign in with keys or a secret, which this server does not take");
  const types = document["response_types"] ?? ["code"];
  const grants = document["grant_types"] ?? ["authorization_code"];
  if (!texts(types) || !types.includes("code") || !texts(grants) || !grants.includes("authorization_code"))
    return refused("it does not ask for an authorization code");
  return {
    clientId: address,
    clientName: name,
    ...(typeof page === "string" ? { clientUri: page } : {}),
    redirectUris: redirects,
    grantTypes: ["authorization_code", "refresh_token"],
    responseTypes: ["code"],
    tokenEndpointAuthMethod: "none",
    registrationDate: now,
    registrationExpiresAt: now + life,
  };
};
