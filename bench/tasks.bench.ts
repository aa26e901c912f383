/** Everyday tasks on every surface: calls and tokens each takes, what is sent and what comes back, on a vault of its own. Native must be the cheapest wherever another can do the task at all. */

import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entriesOf } from "../src/protocol/entries.ts";
import { surfaces } from "../test/surfaces.ts";
import { serverCommand, start, startServer, type Served } from "./client.ts";
import { makeTaskVault } from "./task-vault.ts";
import { TASKS, type Asked, type SurfaceName, type Task } from "./tasks.ts";
import { tokenCounter } from "./tokens.ts";

const NAMES: SurfaceName[] = ["native", "obsidian", "bridges", "wiki", "cairn", "notes"];
const LIST_LIMIT = 2800;
type Cost = { calls: number; tokens: number };

const count = await tokenCounter();
const home = mkdtempSync(join(tmpdir(), "notewright-tasks-"));
const pattern = join(home, "pattern");
makeTaskVault(pattern);

/** What stands around every call in a model's conversation, whatever is asked and answered. */
const CALL_ID = "toolu_01A09q90qw90lq917835lq9";
const FRAME = count(
  JSON.stringify([
    { type: "tool_use", id: CALL_ID, name: "", input: {} },
    { type: "tool_result", tool_use_id: CALL_ID, content: [{ type: "text", text: "" }] },
  ]),
);

/** A model is shown the text or the structured content, as its host likes; the longer of the two is counted. */
const counted =
  (server: Served, cost: Cost): Asked =>
  async (tool, input) => {
    cost.calls++;
    cost.tokens += FRAME + count(tool) + count(JSON.stringify(input));
    const answer = await server
      .ask(tool, input)
      .catch((error: Error) => ({ text: error.message, data: undefined }));
    const { text, data } = answer;
    cost.tokens += Math.max(count(text), data === undefined ? 0 : count(JSON.stringify(data)));
    return answer;
  };

function noteIn(vault: string, path: string): string | null {
  try {
    return readFileSync(join(vault, path), "utf8");
  } catch {
    return null;
  }
}

async function settled(server: Served, surface: SurfaceName): Promise<void> {
  // The first answer of one surface carries an opening block, and those that list wait for the index.
  if (surface === "obsidian") await server.ask("get_help", {});
  if (surface !== "native") return;
  // The vault is recorded as it was found, in the background.
  for (;;) {
    const { data } = await server.ask("get_history", { limit: 1 });
    if (data.revisions.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function measure(task: Task, surface: SurfaceName): Promise<Cost | null> {
  const script = task.scripts[surface];
  if (!script) return null;
  const place = mkdtempSync(join(home, "run-"));
  const [vault, cache] = [join(place, "vault"), join(place, "cache")];
  cpSync(pattern, vault, { recursive: true, preserveTimestamps: true });
  const setup = serverCommand(vault, cache, "native");
  const robin = await start({ ...setup, args: [...setup.args, "--author", "Robin"] });
  await settled(robin, "native");
  await task.past?.(robin.ask);
  await robin.close();
  const server = await startServer(vault, cache, surface);
  await settled(server, surface);
  const cost: Cost = { calls: 0, tokens: 0 };
  const answer = (await script(counted(server, cost))) ?? "";
  await server.close();
  if (!task.right(answer, (path) => noteIn(vault, path)))
    throw new Error(`${surface} did not do the task "${task.name}"`);
  return cost;
}

try {
  const costs = new Map<string, Cost | null>();
  for (const task of TASKS)
    for (const surface of NAMES) costs.set(`${task.name} ${surface}`, await measure(task, surface));
  const cost = (task: Task, surface: SurfaceName) => costs.get(`${task.name} ${surface}`) ?? null;
  const cell = (it: Cost | null) => (it ? `${it.calls} / ${it.tokens}` : "—");

  console.log(
    `Calls / tokens: names, arguments and answers, and the ${FRAME} that stand around every call. — where the surface has no tools for it.\n`,
  );
  console.log(`| task | ${NAMES.join(" | ")} |\n| --- |${" ---: |".repeat(NAMES.length)}`);
  for (const task of TASKS)
    console.log(`| ${task.name} | ${NAMES.map((name) => cell(cost(task, name))).join(" | ")} |`);

  const total = (surface: SurfaceName, on: SurfaceName): Cost =>
    TASKS.filter((task) => cost(task, on)).reduce(
      (sum, task) => {
        const { calls, tokens } = cost(task, surface)!;
        return { calls: sum.calls + calls, tokens: sum.tokens + tokens };
      },
      { calls: 0, tokens: 0 },
    );
  console.log(`| **total** | ${NAMES.map((name) => cell(total(name, name))).join(" | ")} |`);
  console.log(
    `| native on the same tasks | ${NAMES.map((name) => cell(total("native", name))).join(" | ")} |`,
  );

  const lists = surfaces.map((surface) => {
    const list = JSON.stringify({ tools: entriesOf(surface).map((entry) => entry.wire) });
    return { name: surface.name, tokens: count(list) + count(surface.instructions) };
  });
  console.log(
    `\nList of tools with instructions, tokens: ${lists.map((it) => `${it.name} ${it.tokens}`).join(", ")}.`,
  );

  const dearer = NAMES.filter(
    (name) =>
      total("native", name).tokens > total(name, name).tokens ||
      total("native", name).calls > total(name, name).calls,
  );
  const own = lists.find((it) => it.name === "native")!.tokens;
  if (dearer.length > 0) console.log(`\nNative is dearer than ${dearer.join(", ")}.`);
  if (own > LIST_LIMIT) console.log(`\nThe native list takes ${own} tokens; ${LIST_LIMIT} are allowed.`);
  process.exitCode = dearer.length > 0 || own > LIST_LIMIT ? 1 : 0;
} finally {
  rmSync(home, { recursive: true, force: true });
}
