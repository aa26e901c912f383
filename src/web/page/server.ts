/** The server, as the page calls it: with the page's token, and with what went wrong as a refusal that can be shown. */

import type { PageEvent, Refusal } from "../wire.ts";
import { listening } from "./listening.ts";

/** Code `gone`: no answer came. Code `entry`: the token is no good any more. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export type Server = {
  call<T>(name: string, input?: object, signal?: AbortSignal): Promise<T>;
  /** An image of the vault as an address of this page's own; null where there is none. */
  image(name: string, from: string): Promise<string | null>;
  /** Exchanges a key or a passphrase for a token, and keeps it. */
  enter(given: { key: string } | { passphrase: string }): Promise<void>;
  leave(): Promise<void>;
  entered(): boolean;
  /** Reads events until the token is no good any more; says when the server is gone, and when it is back. */
  listen(after: string, heard: (event: PageEvent) => void, there: (there: boolean) => void): Promise<void>;
};

const GONE: Refusal = {
  code: "gone",
  message: "The server does not answer. It may have been stopped: notewright open starts it again.",
};
const ENTRY: Refusal = { code: "entry", message: "This page has to be opened anew: notewright open." };

/** The token belongs to the place of the page: several vaults may be served at one address. */
export const tokenKey = (): string => `notewright token ${location.pathname}`;

export const openServer = (store: Storage, expelled: () => void): Server => {
  const headers = (): Record<string, string> => ({
    authorization: `Bearer ${store.getItem(tokenKey()) ?? ""}`,
  });

  const answered = async (address: string, init: RequestInit): Promise<Response> => {
    const sent = store.getItem(tokenKey());
    const response = await fetch(address, init).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new Refused(GONE);
    });
    if (response.status !== 401) return response;
    // Somebody may have come in anew in another tab meanwhile.
    if (store.getItem(tokenKey()) === sent) {
      store.removeItem(tokenKey());
      expelled();
    }
    throw new Refused(ENTRY);
  };

  return {
    async call<T>(name: string, input: object = {}, signal?: AbortSignal) {
      const response = await answered(`api/${name}`, {
        method: "POST",
        headers: { ...headers(), "content-type": "application/json" },
        body: JSON.stringify(input),
        ...(signal ? { signal } : {}),
      });
      const body = (await response.json()) as unknown;
      if (response.ok) return body as T;
      throw new Refused(refusalIn(body));
    },
    async image(name, from) {
      const asked = new URLSearchParams({ name, note: from });
      const response = await answered(`api/image?${asked}`, { headers: headers() });
      return response.ok ? URL.createObjectURL(await response.blob()) : null;
    },
    async enter(given) {
      const response = await fetch("api/enter", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(given),
      }).catch(() => {
        throw new Refused(GONE);
      });
      const body = (await response.json()) as { token?: string };
      if (!response.ok || !body.token) throw new Refused(refusalIn(body));
      store.setItem(tokenKey(), body.token);
    },
    async leave() {
      await fetch("api/leave", { method: "POST", headers: headers() }).catch(() => undefined);
      store.removeItem(tokenKey());
      expelled();
    },
    entered: () => store.getItem(tokenKey()) !== null,
    listen: (after, heard, there) => listening(after, { headers, heard, there, expelled }),
  };
};

const refusalIn = (body: unknown): Refusal => {
  const { code, error, message, error_description: words, details } = body as Record<string, unknown>;
  return {
    code: String(code ?? error ?? "refused"),
    message: String(message ?? words ?? "That did not work."),
    ...(details ? { details: details as Record<string, unknown> } : {}),
  };
};
