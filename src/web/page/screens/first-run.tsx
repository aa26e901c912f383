/** The first look: nothing has changed yet, so here is how to let an assistant in. */

import type { Hello } from "../../wire.ts";

export const FirstRun = ({ hello }: { hello: Hello }) => {
  const config = JSON.stringify(
    { mcpServers: { notes: { command: "npx", args: ["-y", "notewright", "serve", hello.place] } } },
    null,
    2,
  );
  return (
    <section class="first-run" aria-labelledby="first">
      <h2 id="first">Nothing has changed here yet</h2>
      <p>
        Once an assistant edits a note, the change stands here, word by word, with one button that takes it
        back. So does what you write in other programs.
      </p>
      <h3>Let an assistant in</h3>
      <p>Paste this into its list of MCP servers:</p>
      <Paste text={config} />
      <p>Or, for Claude Code, run:</p>
      <Paste text={`claude mcp add notes -- npx -y notewright serve ${quoted(hello.place)}`} />
      <p>
        Or <a href="#/new/">write a note</a> yourself.
      </p>
    </section>
  );
};

const quoted = (path: string): string =>
  /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

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
