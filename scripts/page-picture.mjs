/** Makes docs/page.png, the picture of the page in the README: a client works in a copy of the example vault, and Chromium looks at what `notewright open` shows of it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const command = join(root, "bin/notewright.mjs");
const scratch = mkdtempSync(join(tmpdir(), "notewright-picture-"));
const vault = join(scratch, "garden");
const env = {
  PATH: process.env.PATH,
  HOME: scratch,
  XDG_CONFIG_HOME: join(scratch, "config"),
  XDG_CACHE_HOME: join(scratch, "cache"),
  XDG_STATE_HOME: join(scratch, "state"),
};

const edits = [
  {
    note: "Plants/Garlic.md",
    do: "replace_text",
    find: "Forty cloves give forty bulbs",
    text: "Sixty cloves give sixty bulbs",
  },
  {
    note: "Projects/Rain garden.md#Next steps",
    do: "append",
    text: "- [ ] Borrow the long spade from [[@Teo Okafor]]",
  },
];

const work = async () => {
  const client = new Client({ name: "claude", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const args = [command, "serve", vault];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  const { isError } = await client.callTool({ name: "edit_notes", arguments: { edits } });
  await client.close();
  if (isError) throw new Error("The client could not edit the notes.");
};

/** The address that `open` prints, with its key. */
const addressOf = async (server) => {
  let printed = "";
  for await (const chunk of server.stdout) {
    printed += String(chunk);
    if (printed.includes("\n")) return printed.trim();
  }
  throw new Error("The page did not open.");
};

const picture = async (address) => {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1000, height: 560 }, deviceScaleFactor: 1.5 });
  await page.goto(address);
  await page.getByText("edited Garlic").click();
  await page.getByRole("button", { name: "Undo", disabled: false }).first().waitFor();
  await page.getByText("some of which go to").first().waitFor();
  await page.screenshot({ path: join(root, "docs/page.png") });
  await browser.close();
};

let server;
try {
  cpSync(join(root, "examples/garden"), vault, { recursive: true });
  await work();
  const args = [command, "open", vault, "--no-browser", "--http", "127.0.0.1:0"];
  server = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  await picture(await addressOf(server));
} finally {
  if (server) {
    server.kill();
    await once(server, "close");
  }
  rmSync(scratch, { recursive: true, force: true });
}
