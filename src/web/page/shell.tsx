/** What stands around every screen: the vault's name, the way to the others, whether the server is there, and a line told in passing. */

import { useEffect, useRef } from "preact/hooks";
import { useApp, type App } from "./app.ts";
import { useBeingHere } from "./last-here.ts";
import { Enter } from "./screens/enter.tsx";
import { Screen } from "./screens/screen.tsx";
import { Switcher } from "./parts/switcher.tsx";
import { WaitingCount } from "./parts/waiting.tsx";
import { seen } from "./words.ts";

export const Shell = () => {
  const app = useApp();
  return app.entered.value && app.hello.value ? <Opened app={app} /> : <Enter />;
};

const Opened = ({ app }: { app: App }) => {
  useBeingHere();
  const { indexing } = app.hello.value!;
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        To the text
      </a>
      <Header app={app} />
      {app.there.value !== "yes" && (
        <p class="strip" role="status">
          {app.there.value === "gone"
            ? "The server does not answer. What you see may be old; this page tries again by itself."
            : "The server answers, but tells this page of no changes: too many pages may be open. What you see may be old; this page tries again by itself."}
        </p>
      )}
      {indexing !== null && (
        <p class="strip" role="status">
          Notes are being indexed: {indexing}. What is not found yet may still come.
        </p>
      )}
      <WaitingCount />
      <Main app={app} />
      <NoticeLine app={app} />
      {app.above.value === "switcher" && <Switcher />}
    </>
  );
};

/** A fragment of our own would be taken for a screen. */
const toMain = (event: Event): void => {
  event.preventDefault();
  document.getElementById("main")?.focus();
};

const Header = ({ app }: { app: App }) => {
  const { screen } = app.route.value;
  const here = (name: string) => (screen === name ? { "aria-current": "page" as const } : {});
  return (
    <header class="top">
      <a class="vault" href="#/" {...here("home")}>
        {seen(app.hello.value!.vault)}
      </a>
      {app.hello.value!.mayWrite && (
        <a href="#/new/" {...here("new")}>
          + New note
        </a>
      )}
      <nav aria-label="Screens">
        <button type="button" class="plain" onClick={() => (app.above.value = "switcher")}>
          Go to… <kbd>Ctrl K</kbd>
        </button>
        <a href="#/activity" {...here("activity")}>
          Activity
        </a>
        <a href="#/check" {...here("check")}>
          Check
        </a>
        <a href="#/who" {...here("who")}>
          Who
        </a>
        <a href="#/help" {...here("help")}>
          Help
        </a>
      </nav>
    </header>
  );
};

/** The screen gets the focus when it changes, so that a keyboard, and a reader of the screen, go on there. */
const Main = ({ app }: { app: App }) => {
  const main = useRef<HTMLElement>(null);
  const route = app.route.value;
  const place = JSON.stringify([
    route.screen,
    "path" in route ? route.path : "",
    "id" in route ? route.id : "",
  ]);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      if (!main.current?.contains(document.activeElement)) main.current?.focus();
      const { to, ...notice } = app.notice.value ?? { words: "" };
      app.notice.value = to === route.screen ? notice : null;
    }
    first.current = false;
    scrollTo(0, 0);
  }, [place]);
  return (
    <main id="main" ref={main} tabIndex={-1} key={place}>
      <Screen route={route} />
    </main>
  );
};

/** Milliseconds that the line stays, and where something can be done about it. */
const STAYS = 12_000;
const STAYS_WITH_ACT = 30_000;

const NoticeLine = ({ app }: { app: App }) => {
  const notice = app.notice.value;
  useEffect(() => {
    if (!notice) return undefined;
    const end = (): void => {
      // Whoever is about to use it is not hurried.
      if (document.querySelector(".notice:is(:hover, :focus-within)")) timer = setTimeout(end, STAYS);
      else app.notice.value = null;
    };
    let timer = setTimeout(end, notice.act || notice.isTrouble ? STAYS_WITH_ACT : STAYS);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class="notices" role="status" aria-live="polite">
      {notice && (
        <p class={notice.isTrouble ? "notice trouble" : "notice"}>
          <span>{seen(notice.words)}</span>
          {notice.act && (
            <button type="button" onClick={() => void act(app)}>
              {notice.act.words}
            </button>
          )}
          <button
            type="button"
            class="plain"
            aria-label="Close this line"
            onClick={() => (app.notice.value = null)}
          >
            ×
          </button>
        </p>
      )}
    </div>
  );
};

const act = async (app: App): Promise<void> => {
  const { act: wanted } = app.notice.value!;
  app.notice.value = null;
  try {
    await wanted!.run();
  } catch (error) {
    app.failed(error);
  }
};
