/** Keys and what they do; and the switch that turns single keys off. */

import { KEYS } from "../acts.ts";
import { useApp } from "../app.ts";
import { useTitle } from "./screen.tsx";

export const Help = () => {
  const app = useApp();
  useTitle("Help");
  return (
    <article class="help">
      <h1>Help</h1>
      <table>
        <caption>Keys</caption>
        <tbody>
          {[["Ctrl K", "go to a note, or run a command"], ...KEYS].map(([key, does]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
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
