import { expect, test } from "vitest";
import { openMemory } from "./memory.ts";

/** A store as browsers have it, with so many characters of room. */
const storeOf = (room: number): Storage => {
  const kept: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    removeItem: (key: string) => void delete kept[key],
    setItem(key: string, value: string) {
      if (value.length > room) throw new DOMException("It is full.", "QuotaExceededError");
      kept[key] = value;
    },
  };
  return new Proxy(kept, { get: (_, name) => methods[name as keyof typeof methods] }) as never;
};

test("what the browser has no room for stays on the page, and stands before what it kept earlier", () => {
  const memory = openMemory(storeOf(10), () => "vault ");
  memory.remember("draft a", "short");
  expect(memory.isHereAlone("draft ")).toBe(false);
  memory.remember("draft a", "much too long");
  memory.remember("draft b", "this is too long");
  expect(memory.remembered("draft a")).toBe("much too long");
  expect(memory.rememberedBelow("draft ")).toEqual(["a", "b"]);
  expect(memory.isHereAlone("draft ")).toBe(true);
  expect(memory.isHereAlone("last ")).toBe(false);
  memory.remember("draft a", "short");
  memory.forget("draft b");
  expect(memory.isHereAlone("draft ")).toBe(false);
  expect(memory.remembered("draft b")).toBe(null);
  expect(memory.remembered("draft a")).toBe("short");
});
