/** The door: how to come in, for whoever has no token, or none any more. */

import { useSignal } from "@preact/signals";
import { refusalOf, useApp } from "../app.ts";
import { DRAFTS } from "../drafts.ts";
import { seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

const takesPassphrase = (): boolean =>
  document.querySelector('meta[name="door"]')?.getAttribute("content") === "passphrase";

export const Enter = () => {
  const app = useApp();
  const problem = useSignal(app.notice.value?.isTrouble ? app.notice.value.words : "");
  useTitle("Open your notes");
  const enter = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement).get("passphrase");
    try {
      await app.server.enter({ passphrase: String(given) });
      app.notice.value = null;
      await app.begin();
    } catch (error) {
      problem.value = refusalOf(error)?.message ?? "";
    }
  };
  return (
    <main class="door" id="main">
      <p class="brand">Notewright</p>
      <h1>Your notes are closed</h1>
      {problem.value !== "" && (
        <p class="refusal" role="alert">
          {seen(problem.value)}
        </p>
      )}
      {app.rememberedBelow(DRAFTS).length > 0 && (
        <p>
          {app.isHereAlone(DRAFTS)
            ? "What you wrote and did not save is too long for this browser to keep. Leave this page open: you find it again here once your notes are open."
            : "What you wrote and did not save is kept in this browser: you find it again once they are open."}
        </p>
      )}
      <p>
        Open them from a terminal on the computer that serves them. The page then stays open for twelve hours.
      </p>
      <pre class="command">notewright open</pre>
      {takesPassphrase() && (
        <form onSubmit={(event) => void enter(event as unknown as SubmitEvent)}>
          <label for="passphrase">Or with your passphrase</label>
          <input type="text" name="username" value="owner" autocomplete="username" hidden />
          <input id="passphrase" name="passphrase" type="password" autocomplete="current-password" required />
          <button class="main">Open</button>
        </form>
      )}
    </main>
  );
};
