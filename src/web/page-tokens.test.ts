import { expect, test } from "vitest";
import { KEY_LIFE, openPageTokens, TOKEN_LIFE } from "./page-tokens.ts";

test("a key works once, for its vault, within a minute", async () => {
  let now = 0;
  const tokens = openPageTokens(() => now);
  const [used, other, old] = [await tokens.newKey("a"), await tokens.newKey("a"), await tokens.newKey("a")];
  expect(await tokens.exchange(used, "a")).not.toBeNull();
  expect(await tokens.exchange(used, "a")).toBeNull();
  expect(await tokens.exchange(other, "b")).toBeNull();
  expect(await tokens.exchange(other, "a")).toBeNull();
  now = KEY_LIFE;
  expect(await tokens.exchange(old, "a")).toBeNull();
});

test("a token lasts for twelve hours, for its vault, or until it is ended", async () => {
  let now = 0;
  const tokens = openPageTokens(() => now);
  const [one, two] = [await tokens.enter("a"), await tokens.enter("a")];
  expect(two.until).toBe("1970-01-01T12:00:00.000Z");
  expect(await tokens.holds(one.token, "a")).toBe(true);
  expect(await tokens.holds(one.token, "b")).toBe(false);
  await tokens.leave(one.token);
  expect(await tokens.holds(one.token, "a")).toBe(false);
  now = TOKEN_LIFE;
  expect(await tokens.holds(two.token, "a")).toBe(false);
});

test("a hundred tokens are kept: the oldest go first", async () => {
  const tokens = openPageTokens(() => 0);
  const first = await tokens.enter("");
  for (let count = 0; count < 99; count++) await tokens.enter("");
  expect(await tokens.holds(first.token, "")).toBe(true);
  const last = await tokens.enter("");
  expect(await tokens.holds(first.token, "")).toBe(false);
  expect(await tokens.holds(last.token, "")).toBe(true);
});
