/** Addresses of screens. They stand in the fragment, which is never sent: no server and no log learns which note is read. */

/** Several changes of an author: all since a time, or those that are named. */
export type Several = { since: string } | { revisions: string[] };

export type Route =
  | { screen: "home"; query: string }
  | { screen: "change"; id: string }
  | { screen: "proposal"; id: string }
  | { screen: "undo"; author: string; which: Several }
  | { screen: "note"; path: string; at: string | null; section: string | null; line: number | null }
  | { screen: "history"; path: string }
  | { screen: "edit"; path: string }
  | { screen: "new"; path: string }
  | { screen: "links"; path: string }
  | { screen: "check" }
  | { screen: "who" }
  | { screen: "activity" }
  | { screen: "help" }
  | { screen: "lost" };

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** `#/note/People/Ada.md?at=1a2b` to a route. */
export const routeOf = (hash: string): Route => {
  const [whole = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [screen = "", ...rest] = whole.split("/");
  const given = new URLSearchParams(search);
  const path = rest.map(decoded).join("/");
  switch (screen) {
    case "":
      return { screen: "home", query: given.get("q") ?? "" };
    case "change":
    case "proposal":
      return { screen, id: path };
    case "undo":
      return { screen, author: given.get("author") ?? "", which: severalIn(given) };
    case "note":
      return {
        screen,
        path,
        at: given.get("at"),
        section: given.get("section"),
        line: Number(given.get("line")) || null,
      };
    case "history":
    case "edit":
    case "links":
    case "new":
      return { screen, path };
    case "check":
    case "who":
    case "activity":
    case "help":
      return { screen };
    default:
      return { screen: "lost" };
  }
};

const severalIn = (given: URLSearchParams): Several => {
  const revisions = given.get("revisions");
  return revisions === null ? { since: given.get("since") ?? "" } : { revisions: revisions.split(",") };
};

const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** The address of a screen that is about a note. */
export const noteAddress = (
  path: string,
  screen: "note" | "history" | "edit" | "links" | "new" = "note",
  more: { at?: string; section?: string; line?: number } = {},
): string => {
  const given = new URLSearchParams(
    Object.entries(more).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  );
  return `#/${screen}/${encoded(path)}${given.size > 0 ? `?${given}` : ""}`;
};

export const changeAddress = (id: string): string => `#/change/${encodeURIComponent(id)}`;
export const proposalAddress = (id: string): string => `#/proposal/${encodeURIComponent(id)}`;
export const searchAddress = (query: string): string =>
  query === "" ? "#/" : `#/?${new URLSearchParams({ q: query })}`;
export const undoAddress = (author: string, which: Several): string => {
  const several = "since" in which ? which : { revisions: which.revisions.join(",") };
  return `#/undo?${new URLSearchParams({ author, ...several })}`;
};
