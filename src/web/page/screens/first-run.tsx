/** The first look: nothing has changed yet, so here is how to let an assistant in. */

import type { Connect } from "../../wire.ts";

export const FirstRun = ({ connect }: { connect: Connect }) => (
  <section class="first-run" aria-labelledby="first">
    <h2 id="first">Nothing has changed here yet</h2>
    <p>
      Once an assistant edits a note, the change stands here, word by word, with one button that takes it
      back. So does what you write in other programs.
    </p>
    <h3>Let an assistant in</h3>
    <p>Paste this into its list of MCP servers:</p>
    <Paste text={entry(connect)} />
    <p>Or, for Claude Code, run:</p>
    <Paste text={claudeCode(connect)} />
    <p>
      Or <a href="#/new/">write a note</a> yourself.
    </p>
  </section>
);

const entry = (connect: Connect): string => {
  const notes = "url" in connect ? { type: "http", ...connect } : connect;
  return JSON.stringify({ mcpServers: { notes } }, null, 2);
};

const claudeCode = (connect: Connect): string =>
  "url" in connect
    ? `claude mcp add --transport http notes ${quoted(connect.url)}`
    : `claude mcp add notes -- ${[connect.command, ...connect.args].map(quoted).join(" ")}`;

const quoted = (word: string): string =>
  /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const Paste = ({ text }: { text: string }) => (
  <div class="paste">
    <pre tabIndex={0} aria-label="Text to paste">
      {text}
    </pre>
    <button type="button" onClick={() => void navigator.clipboard.writeText(text)}>
      Copy
    </button>
  </div>
);
