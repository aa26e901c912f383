/** The state of the page: where it is, who it speaks to, what it was told, and what it tells in passing. */

import { signal, type Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Hello, PageEvent, Proposals, Refusal } from "../wire.ts";
import type { Acts } from "./acts.ts";
import { DRAFTS } from "./drafts.ts";
import { openMemory, type Memory } from "./memory.ts";
import { routeOf, type Route } from "./route.ts";
import { seen } from "./words.ts";
import { openServer, Refused, tokenKey, type Server } from "./server.ts";

/** A line that is told in passing, with something that can be done about it. */
export type Notice = {
  words: string;
  act?: { words: string; run(): Promise<void> | void };
  isTrouble?: boolean;
  /** The screen to which it goes along, once; any other ends it. */
  to?: Route["screen"];
};

export type App = Memory & {
  server: Server;
  route: Signal<Route>;
  entered: Signal<boolean>;
  hello: Signal<Hello | null>;
  /** Whether the server answers, and tells of changes. */
  there: Signal<"yes" | "silent" | "gone">;
  notice: Signal<Notice | null>;
  /** Proposals that wait: how many, and the first of them. */
  waiting: Signal<Proposals>;
  /** Whether single keys do something. */
  keys: Signal<boolean>;
  /** What the screens that are shown can do, the last one last. */
  acts: Acts[];
  /** What stands open above the screen. */
  above: Signal<"switcher" | null>;
  /** Calls the listener with each event, until the function that it gives is called. */
  onEvent(listener: (event: PageEvent) => void): () => void;
  go(address: string): void;
  /** Tells what went wrong with something that a person asked for. */
  failed(error: unknown): void;
  /** Begins to listen, once somebody has entered. */
  begin(): Promise<void>;
};

const KEYS = "notewright keys";
/** Milliseconds between two looks at how far the indexing is. */
const INDEXING_PAUSE = 1500;

export const openApp = (): App => {
  const entered = signal(false);
  const server = openServer(localStorage, () => (entered.value = false));
  const listeners = new Set<(event: PageEvent) => void>();
  const hello = signal<Hello | null>(null);
  let listens = false;
  const app: App = {
    server,
    route: signal(routeOf(location.hash)),
    entered,
    hello,
    there: signal("yes"),
    notice: signal(null),
    waiting: signal({ proposals: [], total: 0, more: false }),
    keys: signal(localStorage.getItem(KEYS) !== "off"),
    acts: [],
    above: signal(null),
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    go: (address) => void (location.hash = address),
    failed(error) {
      const refusal = refusalOf(error);
      if (refusal) app.notice.value = { words: refusal.message, isTrouble: true };
    },
    ...openMemory(localStorage, () => `notewright ${hello.value?.id ?? ""} `),
    async begin() {
      await greet();
      entered.value = true;
      if (listens) return;
      listens = true;
      void server
        .listen(hello.value!.heard, heard, (there) => void listened(there))
        .then(() => (listens = false));
    },
  };
  const heard = (event: PageEvent): void => {
    for (const listener of listeners) listener(event);
  };
  let tells = true;
  /** Where no events come, a call says whether the server answers at all. */
  const listened = async (there: boolean): Promise<void> => {
    tells = there;
    const answers =
      there ||
      (await server.call("hello").then(
        () => true,
        () => false,
      ));
    if (tells === there) app.there.value = there ? "yes" : answers ? "silent" : "gone";
  };
  /** While notes are being indexed the server is asked again; once they are, every list is. */
  const greet = async (): Promise<void> => {
    const wasIndexing = hello.value?.indexing != null;
    hello.value = await server.call<Hello>("hello");
    if (hello.value.indexing !== null) setTimeout(() => void greet().catch(() => undefined), INDEXING_PAUSE);
    else if (wasIndexing) heard({ kind: "reset" });
  };
  addEventListener("hashchange", () => (app.route.value = routeOf(location.hash)));
  // Somebody came in anew, in another tab.
  addEventListener("storage", ({ key, newValue }) => {
    if (key === tokenKey() && newValue !== null && !entered.value) void app.begin().catch(app.failed);
  });
  addEventListener("beforeunload", (event) => {
    if (app.isHereAlone(DRAFTS)) event.preventDefault();
  });
  app.keys.subscribe((on) => localStorage.setItem(KEYS, on ? "on" : "off"));
  return app;
};

/** What to show of an error; null where nobody is to see it, because what was asked for is not wanted any more. */
export const refusalOf = (error: unknown): Refusal | null => {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof DOMException && error.name === "AbortError") return null;
  return { code: "defect", message: "Something in this page went wrong. Load it again." };
};

const Context = createContext<App | null>(null);
export const AppContext = Context.Provider;
export const useApp = (): App => useContext(Context)!;

/** What people call some clients, by what those call themselves. */
const CLIENTS: Record<string, string> = {
  "claude-ai": "Claude",
  "claude-desktop": "Claude",
  "claude-code": "Claude Code",
  "cursor-vscode": "Cursor",
};

/** An author as the page names them: whoever sits before it is "you", also in other programs. */
export const useAuthor = (): ((author: string) => string) => {
  const { author: mine } = useApp().hello.value!;
  return (author) => (author === mine ? "You" : (CLIENTS[author] ?? seen(author)));
};

/** An author as they are named within a sentence. */
export const inSentence = (called: string): string => (called === "You" ? "you" : called);
