/** The owner's passphrase as scrypt keeps it: slow to guess, also for somebody who has the file. On Node. */

import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** 64 MiB and about a third of a second for each guess. */
const COST = { N: 2 ** 16, r: 8, p: 2, maxmem: 2 ** 27 };
const LENGTH = 32;

const derived = (text: string, salt: Buffer, cost: typeof COST): Promise<Buffer> =>
  new Promise((done, failed) =>
    scrypt(text.normalize("NFC"), salt, LENGTH, cost, (error, key) => (error ? failed(error) : done(key))),
  );

export const hashPassphrase = async (text: string): Promise<string> => {
  const salt = randomBytes(16);
  const key = await derived(text, salt, COST);
  const { N, r, p } = COST;
  return JSON.stringify({ N, r, p, salt: salt.toString("base64"), key: key.toString("base64") });
};

export const matchesPassphrase = async (text: string, kept: string): Promise<boolean> => {
  const { salt, key, ...cost } = JSON.parse(kept) as { salt: string; key: string } & typeof COST;
  const expected = Buffer.from(key, "base64");
  const given = await derived(text, Buffer.from(salt, "base64"), { ...cost, maxmem: COST.maxmem });
  return expected.length === given.length && timingSafeEqual(given, expected);
};
