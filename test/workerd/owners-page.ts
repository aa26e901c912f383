/** The owner at the page of a workspace, without the browser: signs in with the secret, and decides on what waits. */

import { OWNER_SECRET } from "./served.ts";

export type OwnersPage = {
  /** The ids of the proposals that wait. */
  waiting(): Promise<string[]>;
  /** The revision that was made. */
  accept(id: string): Promise<string | null>;
  decline(id: string): Promise<void>;
};

export const openPage = async (base: string, workspace: string): Promise<OwnersPage> => {
  const post = async <T>(name: string, input: object, token?: string): Promise<T> => {
    const response = await fetch(`${base}/${workspace}/api/${name}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(input),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text) as T;
  };
  const { token } = await post<{ token: string }>("enter", { passphrase: OWNER_SECRET });
  return {
    waiting: async () =>
      (await post<{ proposals: { id: string }[] }>("proposals", {}, token)).proposals.map(({ id }) => id),
    accept: async (id) => (await post<{ revision: string | null }>("accept", { id }, token)).revision,
    decline: async (id) => void (await post("decline", { id }, token)),
  };
};
