/** The page begins: a key in the address is exchanged first, and does not stay there. */

import { render } from "preact";
import "./styles/base.css";
import "./styles/screens.css";
import "./styles/diff.css";
import "./styles/reading.css";
import "./styles/editing.css";
import { AppContext, openApp } from "./app.ts";
import { listenForKeys } from "./keys.ts";
import { Shell } from "./shell.tsx";

const key = /^#key=([\w-]+)$/.exec(location.hash)?.[1];
if (key !== undefined) history.replaceState(null, "", `${location.pathname}#/`);

const app = openApp();
listenForKeys(app);

const begin = async (): Promise<void> => {
  if (key !== undefined) await app.server.enter({ key });
  if (app.server.entered()) await app.begin();
};
await begin().catch(app.failed);
render(
  <AppContext value={app}>
    <Shell />
  </AppContext>,
  document.getElementById("app")!,
);
