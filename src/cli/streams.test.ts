import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { outliveReaders, screenOf } from "./streams.ts";

/** Takes nothing, as a pipe that nobody reads. */
const unread = () => new Writable({ write: () => undefined, highWaterMark: 1 });
const failing = (code: string) =>
  new Writable({
    autoDestroy: false,
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  });
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("what nobody reads is dropped", () => {
  const stream = unread();
  const screen = screenOf(stream);
  for (let line = 0; line < 1000; line++) screen.write("x".repeat(1000));
  expect(stream.writableLength).toBeLessThan(70_000);
});

test("a reader that has gone is no error, however often it is written to", async () => {
  const process = { stdout: failing("EPIPE"), stderr: failing("EPIPE"), exitCode: undefined };
  outliveReaders(process);
  for (let times = 0; times < 3; times++) {
    process.stdout.write("x");
    process.stderr.write("x");
    await settled();
  }
  expect(process.exitCode).toBeUndefined();
});

test("a full disk is told once, and the command fails", async () => {
  const said: string[] = [];
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      said.push(String(chunk));
      done();
    },
  });
  const process = { stdout: failing("ENOSPC"), stderr, exitCode: undefined };
  outliveReaders(process);
  for (let times = 0; times < 3; times++) {
    process.stdout.write("x");
    await settled();
  }
  expect(said).toEqual(["The output could not be written (ENOSPC).\n"]);
  expect(process.exitCode).toBe(1);
});
