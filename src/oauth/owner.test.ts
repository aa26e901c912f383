import { expect, test } from "vitest";
import { openSql } from "../sqlite/node.ts";
import { CODE_LIFE, newCode, openOwner, setPassphrase, type Passphrases } from "./owner.ts";
import { hashPassphrase, matchesPassphrase } from "./passphrase.ts";
import { openStore } from "./store.ts";

const open = async () => {
  let time = 1_000_000;
  const store = openStore(await openSql(":memory:"), () => time);
  let looked = 0;
  const passphrases: Passphrases = {
    hash: async (text) => `hash of ${text}`,
    matches: async (text, kept) => {
      looked++;
      return kept === `hash of ${text}`;
    },
  };
  await setPassphrase(store, passphrases, "right");
  const owner = openOwner(store, passphrases, () => time);
  return { store, owner, pass: (ms: number) => (time += ms), looked: () => looked };
};

test("84: each wrong passphrase doubles the wait, to 30 s at most; a right one ends it", async () => {
  const { owner, pass, looked } = await open();
  const waits: number[] = [];
  for (let at = 0; at < 8; at++) {
    const outcome = await owner.signIn("wrong");
    if (outcome.signedIn) throw new Error("signed in");
    waits.push(outcome.wait);
    const before = looked();
    expect(await owner.signIn("right")).toEqual({ signedIn: false, why: "wait", wait: outcome.wait });
    expect(looked()).toBe(before);
    pass(outcome.wait * 1000);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  expect(await owner.signIn("right")).toEqual({ signedIn: true });
  expect(await owner.signIn("wrong")).toEqual({ signedIn: false, why: "wrong", wait: 1 });
});

test("84: a code signs in once, within its time, whatever was guessed before", async () => {
  const { store, owner, pass } = await open();
  const [code, late] = [await newCode(store), await newCode(store)];
  await owner.signIn("wrong");
  expect(await owner.signIn(` ${code.toLowerCase()} `)).toEqual({ signedIn: true });
  expect((await owner.signIn(code)).signedIn).toBe(false);
  pass(CODE_LIFE * 1000);
  expect((await owner.signIn(late)).signedIn).toBe(false);
});

test("a passphrase is kept as a hash with a salt", async () => {
  const [one, other] = [await hashPassphrase("the same"), await hashPassphrase("the same")];
  expect(one).not.toBe(other);
  expect(await matchesPassphrase("the same", one)).toBe(true);
  expect(await matchesPassphrase("another", one)).toBe(false);
});
