/** Keys and what they do; and the switch that turns single keys off. */

import { useApp } from "../app.ts";
import { useTitle } from "./screen.tsx";

const KEYS: [keys: string, does: string][] = [
  ["Ctrl K", "Go to a note, or run a command."],
  ["/", "Search."],
  ["g", "Show what changed."],
  ["n", "Begin a new note."],
  ["u", "On a change: undo it."],
  ["e h l", "On a note: edit it, show its history, show its links."],
  ["j k a d", "On a proposal: next note, the one before, accept, decline."],
  ["[ ]", "In a history: older, newer."],
  ["?", "Show this page."],
];

export const Help = () => {
  const app = useApp();
  useTitle("Help");
  return (
    <article class="help">
      <h1>Help</h1>
      <table>
        <caption>Keys</caption>
        <tbody>
          {KEYS.map(([keys, does]) => (
            <tr key={keys}>
              <th scope="row">
                {(keys === "Ctrl K" ? [keys] : keys.split(" ")).map((key) => (
                  <>
                    <kbd key={key}>{key}</kbd>{" "}
                  </>
                ))}
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <label>
          <input
            type="checkbox"
            checked={app.keys.value}
            onChange={(event) => (app.keys.value = event.currentTarget.checked)}
          />{" "}
          Single-key shortcuts
        </label>
      </p>
      <p>
        <button type="button" onClick={() => void app.server.leave()}>
          Close my notes in this browser
        </button>
      </p>
    </article>
  );
};
