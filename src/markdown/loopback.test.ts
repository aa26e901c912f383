import { expect, test } from "vitest";
import { isLoopback } from "./loopback.ts";

test.each([
  ["http://localhost:1", true],
  ["http://LOCALHOST", true],
  ["http://127.0.0.1:1", true],
  ["http://127.1", true],
  ["http://127.9.255.3", true],
  ["http://2130706433", true],
  ["http://[::1]:1", true],
  ["http://[0:0:0:0:0:0:0:1]", true],
  ["http://128.0.0.1", false],
  ["http://0.0.0.0", false],
  ["http://[::]", false],
  ["http://[::2]", false],
  ["http://127.0.0.1.example.org", false],
  ["http://localhost.example.org", false],
  ["http://notlocalhost", false],
  ["http://localhost.", false],
])("%s: %s", (url, expected) => {
  expect(isLoopback(new URL(url).hostname)).toBe(expected);
});
