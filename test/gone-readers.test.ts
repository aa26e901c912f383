/** Commands whose output nobody reads to its end, as in `notewright find … | head -1`: they end quietly. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { startOnPipes } from "./pipes.ts";
import { command, makeHome, runToEnd, type Home } from "./process.ts";
import { call, line } from "./wire.ts";
import { HELLO } from "./hostile/session.ts";

let home: Home;
let environment: Record<string, string>;
beforeAll(async () => {
  home = makeHome();
  environment = { ...home.environment, NOTEWRIGHT_VAULT: home.vault };
  const input =
    line({ id: 0, method: "initialize", params: HELLO }) +
    call(1, "append_note", { name: "Garlic", text: "one more line" });
  const args = [command("notewright"), "serve", "--tools", "obsidian"];
  const { stdout } = await runToEnd(args, { environment, input, answers: 2 });
  expect(stdout).not.toContain("isError");
});
afterAll(() => home.remove());

const COMMANDS = [
  ["--help"],
  ["--version"],
  ...["serve", "find", "check", "history", "diff", "restore", "undo"].map((name) => [name, "--help"]),
  ["find", "garlic"],
  ["find", "garlic", "--json"],
  ["cat", "Garlic"],
  ["list"],
  ["check"],
  ["check", "--json"],
  ["history"],
  ["history", "Plants/Garlic"],
  ["diff", "Plants/Garlic"],
  ["undo", "--last", "1", "--dry-run"],
  ["undo", "--last", "1"],
  ["nonsense"],
];

test.each(COMMANDS.map((args) => [args.join(" "), args] as const))("%s", async (_, args) => {
  const whole = await runToEnd([command("notewright"), ...args], { environment });
  const cut = startOnPipes(args, environment);
  cut.close("stdout");
  const code = await cut.ended;
  const said = cut.read("stderr");
  for (const stream of ["stdin", "stderr"] as const) cut.close(stream);
  expect({ code, said: said.match(/EPIPE|^ +at /m) }).toEqual({ code: whole.code, said: null });

  const mute = startOnPipes(args, environment);
  for (const stream of ["stderr", "stdout", "stdin"] as const) mute.close(stream);
  expect(await mute.ended).toBe(whole.code);
});
