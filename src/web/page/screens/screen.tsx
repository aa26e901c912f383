/** Which screen an address means. Those that few people open at once are loaded when they are. */

import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import type { Route } from "../route.ts";
import { Change } from "./change.tsx";
import { Late } from "../parts/late.tsx";
import { seen } from "../words.ts";
import { Activity } from "./activity.tsx";
import { Help } from "./help.tsx";
import { History } from "./history.tsx";
import { Home } from "./home.tsx";
import { UndoAll } from "./undo-all.tsx";

export const Screen = ({ route }: { route: Route }) => {
  switch (route.screen) {
    case "home":
      return <Home query={route.query} />;
    case "change":
      return <Change id={route.id} />;
    case "undo":
      return <UndoAll key={JSON.stringify(route)} author={route.author} which={route.which} />;
    case "note": {
      const { path, at, section, line } = route;
      return (
        <Late
          load={async () => (await import("./note.tsx")).NoteScreen}
          props={{ path, at, section, line }}
        />
      );
    }
    case "history":
      return <History path={route.path} />;
    case "links":
      return <Late load={async () => (await import("./links.tsx")).Links} props={{ path: route.path }} />;
    case "edit":
      return <Late load={async () => (await import("./edit.tsx")).Edit} props={{ path: route.path }} />;
    case "new":
      return <Late load={async () => (await import("./new.tsx")).New} props={{ path: route.path }} />;
    case "proposal":
      return (
        <Late load={async () => (await import("./proposal.tsx")).ProposalScreen} props={{ id: route.id }} />
      );
    case "activity":
      return <Activity />;
    case "check":
      return <Late load={async () => (await import("./check.tsx")).Check} props={{}} />;
    case "who":
      return <Late load={async () => (await import("./who.tsx")).Who} props={{}} />;
    case "help":
      return <Help />;
    default:
      return <Lost />;
  }
};

const Lost = () => {
  useTitle("Nothing here");
  return (
    <>
      <h1>There is nothing at this address</h1>
      <p>
        <a href="#/">To what changed</a>
      </p>
    </>
  );
};

/** The title of the tab. */
export const useTitle = (words: string): void => {
  const { total: waiting } = useApp().waiting.value;
  useEffect(() => {
    const title = words === "" ? "Notewright" : `${seen(words)} · Notewright`;
    document.title = waiting === 0 ? title : `(${waiting}) ${title}`;
  }, [words, waiting]);
};
