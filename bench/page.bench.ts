/** The page in Chromium, with the processor slowed four times, against the bars it has: `npm run bench -- page [--size N] [--actions N]`. */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium, type Browser, type CDPSession, type Page } from "playwright-core";
import { chromiumPath, QUIET } from "../test/page/chromium.ts";
import { openTab, openVault, type Opened } from "../test/page/opened.ts";
import { makeHome } from "../test/process.ts";
import { median, pause, right, timed, until } from "./measure.ts";
import { openPages } from "./page-listeners.ts";
import { makeVault, noteName, notePathOf } from "./vault.ts";

/** `actions`: an action every two seconds is ten minutes of use. */
const { values } = parseArgs({
  options: { size: { type: "string", default: "100000" }, actions: { type: "string", default: "300" } },
});
const [size, actions] = [Number(values.size), Number(values.actions)];
const SMALL = 100;
const SLOWED = 4;
const FRAME = 1000 / 60;

const row = (what: string, ours: string, beside: string, figure: number, bar: number, unit = ""): void =>
  console.log(
    `| ${what} | ${ours} | ${beside} | ${figure.toFixed(unit === "" ? 2 : 1)}${unit} | ≤ ${bar}${unit}: ${figure <= bar ? "met" : "**missed**"} |`,
  );

type Slow = { page: Page; session: CDPSession; close(): Promise<void> };
const slowTab = async (browser: Browser, opened: Opened): Promise<Slow> => {
  const { page, context } = await openTab(browser, opened);
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await session.send("Performance.enable");
  return { page, session, close: () => context.close() };
};

/** Scripts and styles as they are sent compressed. */
const loads = async (browser: Browser, opened: Opened): Promise<void> => {
  const { page, close } = await slowTab(browser, opened);
  const sizes = new Map<string, number>();
  page.on("response", async (response) => {
    if (!/\/assets\//.test(response.url())) return;
    sizes.set(response.url(), gzipSync(await response.body(), { level: 9 }).length);
  });
  const sum = (): number => [...sizes.values()].reduce((all, bytes) => all + bytes, 0) / 1000;
  await page.reload();
  await page.goto(`${opened.base}#/note/${encodeURI(notePathOf(1))}`);
  await page.waitForSelector(".reading");
  await pause(500);
  row("scripts and styles to read a note", `${sum().toFixed(1)} kB`, "", sum(), 95, " kB");
  await page.goto(`${opened.base}#/edit/${encodeURI(notePathOf(1))}`);
  await page.waitForSelector(".cm-content");
  await pause(500);
  row("to edit one", `${sum().toFixed(1)} kB`, "", sum(), 235, " kB");
  await close();
};

/** Milliseconds from the beginning of the navigation until the search has the keyboard; beside it a page of the same server that holds nothing. */
const opening = async (browser: Browser, opened: Opened): Promise<void> => {
  const { page, close } = await slowTab(browser, opened);
  await page.addInitScript(
    `addEventListener("focusin", ({ target }) => { if (target.id === "search") window.taken = performance.now(); })`,
  );
  const [ours, empty]: [number[], number[]] = [[], []];
  for (let round = 0; round < 12; round++) {
    await page.goto(`${opened.base}healthz`);
    empty.push(Number(await page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")));
    await page.goto(opened.base);
    await until(async () => (await page.evaluate("window.taken !== undefined")) === true, 5);
    ours.push(Number(await page.evaluate("window.taken")));
  }
  const [mine, other] = [median(ours), median(empty)];
  row(
    "from opening to a search that takes keys",
    `${mine.toFixed(0)} ms`,
    `${other.toFixed(0)} ms`,
    mine / other,
    3,
  );
  await close();
};

/** In the page: when the hits of a letter were drawn, and how long the same question takes where nothing is typed and nothing drawn. */
const WATCH_HITS = `(() => {
  window.typed = [];
  window.itself = [];
  let watch;
  document.getElementById("search").addEventListener("keydown", () => {
    const begun = performance.now();
    watch?.disconnect();
    const mine = (watch = new MutationObserver(() => {
      const call = performance.getEntriesByType("resource").find(({ name, startTime }) => name.endsWith("api/search") && startTime >= begun);
      if (!call || !document.querySelector(".hits")) return;
      mine.disconnect();
      requestAnimationFrame(() => setTimeout(() => window.typed.push(performance.now() - begun)));
    }));
    mine.observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
  }, true);
  window.askItself = async (token, query) => {
    const begun = performance.now();
    const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
    await (await fetch("api/search", { method: "POST", headers, body: JSON.stringify({ query }) })).json();
    window.itself.push(performance.now() - begun);
  };
})()`;

const typing = async (browser: Browser, opened: Opened): Promise<void> => {
  const { page, close } = await slowTab(browser, opened);
  const token = await opened.token();
  await page.evaluate(WATCH_HITS);
  for (let round = 0; round < 8; round++) {
    await page.fill("#search", "");
    let query = "";
    for (const letter of noteName(round + 10)) {
      query += letter;
      await page.keyboard.press(letter === " " ? "Space" : letter);
      await pause(400);
      await page.evaluate(`askItself(${JSON.stringify(token)}, ${JSON.stringify(query)})`);
      await pause(100);
    }
    await page.evaluate("performance.clearResourceTimings()");
  }
  const [typed, itself] = (await page.evaluate("[window.typed, window.itself]")) as [number[], number[]];
  right(typed.length > 10, "letters that found something");
  const beyond = median(typed) - median(itself);
  row(
    "a letter typed to its hits, beyond the answer itself",
    `${median(typed).toFixed(1)} ms`,
    `${median(itself).toFixed(1)} ms`,
    beyond,
    Math.round(2 * FRAME),
    " ms",
  );
  await close();
};

/** In the page: when the line of that note was drawn. */
const WATCH_LINE = `(wanted) => {
  window.heard = null;
  const watch = new MutationObserver(() => {
    if (!(document.querySelector(".revision")?.textContent ?? "").includes(wanted)) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.heard = Date.now())));
  });
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
}`;

const hearing = async (browser: Browser, opened: Opened, token: string): Promise<void> => {
  const { page, close } = await slowTab(browser, opened);
  await page.waitForSelector("#changed, #first");
  const found: number[] = [];
  for (let round = 0; round < 20; round++) {
    const name = `Heard ${round} ${Date.now()}`;
    await page.evaluate(`(${WATCH_LINE})(${JSON.stringify(name)})`);
    await opened.call(token, "write_note", { path: `${name}.md`, text: "A new note.\n" });
    const answered = Date.now();
    await until(async () => (await page.evaluate("window.heard !== null")) === true, 20);
    found.push(Number(await page.evaluate("window.heard")) - answered);
    await pause(300);
  }
  row(
    "a client's change to its line on an open page, beyond its own call",
    `${median(found).toFixed(0)} ms`,
    "6 frames",
    median(found),
    6 * FRAME,
    " ms",
  );
  await close();
};

/** Uses the page as a person does; gives the megabytes of its heap then. */
const usedMemory = async (browser: Browser, opened: Opened, notes: number): Promise<number> => {
  const { page, session, close } = await slowTab(browser, opened);
  const at = async (address: string, selector: string): Promise<void> => {
    await page.goto(`${opened.base}${address}`);
    await page.waitForSelector(selector);
  };
  for (let action = 0; action < actions; action++) {
    const path = encodeURI(notePathOf((action * 37) % notes));
    const screens: [string, string][] = [
      ["#/", "#search"],
      [`#/?q=note+${action % notes}`, ".hits"],
      [`#/note/${path}`, ".reading"],
      [`#/links/${path}`, ".page-head"],
      [`#/history/${path}`, ".page-head"],
      [`#/edit/${path}`, ".cm-content"],
    ];
    await at(...screens[action % screens.length]!);
    await page.mouse.wheel(0, 3000);
  }
  await at("#/", "#search");
  await pause(1000);
  for (let times = 0; times < 3; times++) await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  await close();
  return metrics.find(({ name }) => name === "JSHeapUsedSize")!.value / 1024 / 1024;
};

const serverMemory = ({ pid }: Opened): number =>
  Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

/** Twenty pages, as the server sees them: each with its stream, asking again as a page does. Blocks with them and without take turns. */
const manyPages = async (opened: Opened, token: string): Promise<void> => {
  const append = async (times: number[], rounds: number): Promise<void> => {
    for (let at = 0; at < rounds; at++) {
      const edits = [{ note: notePathOf(at), do: "append", text: "line" }];
      times.push((await timed(() => opened.call(token, "edit_notes", { edits }))).ms);
      await pause(200);
    }
  };
  await append([], 30);
  const [without, beside]: [number[], number[]] = [[], []];
  const [before, after]: [number[], number[]] = [[], []];
  for (let block = 0; block < 4; block++) {
    await append(without, 30);
    before.push(serverMemory(opened));
    const pages = await openPages(opened, 20);
    await append([], 5);
    await append(beside, 30);
    after.push(serverMemory(opened));
    right(pages.heard() > 20, "pages that heard of changes");
    pages.close();
    await append([], 5);
  }
  row(
    "the server with 20 open pages, memory",
    `${median(after).toFixed(0)} MB`,
    `${median(before).toFixed(0)} MB`,
    median(after) / median(before),
    1.2,
  );
  row(
    "a client's append with 20 open pages",
    `${median(beside).toFixed(2)} ms`,
    `${median(without).toFixed(2)} ms`,
    median(beside) / median(without),
    1.1,
  );
};

const vaultOf = async (notes: number): Promise<Opened> => {
  const home = makeHome();
  makeVault(home.vault, notes);
  const opened = await openVault(home);
  const token = await opened.token();
  for (;;) {
    const { indexing } = (await (await opened.api(token, "hello")).json()) as { indexing: string | null };
    if (indexing === null) return opened;
    await pause(500);
  }
};

const browser = await chromium.launch({ executablePath: chromiumPath()!, args: QUIET });
console.log("| what | ours | beside | figure | bar |\n| --- | --- | --- | --- | --- |");
const small = await vaultOf(SMALL);
const token = await small.identity("bench");
await loads(browser, small);
await opening(browser, small);
await typing(browser, small);
await hearing(browser, small, token);
await manyPages(small, token);
const large = await vaultOf(size);
const [much, little] = [await usedMemory(browser, large, size), await usedMemory(browser, small, SMALL)];
row(
  `memory of the page, ${size.toLocaleString("en-US")} notes beside ${SMALL}, after ${actions} actions`,
  `${much.toFixed(1)} MB`,
  `${little.toFixed(1)} MB`,
  much / little,
  1.5,
);
await browser.close();
await large.end();
await small.end();
