/** The frame of every page that the owner sees: no script, no cookie, nothing from elsewhere; whatever came from outside is escaped. */

/** HTML that is safe to send: made by `html` alone. */
export type Html = { readonly html: string };

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!);

type Part = string | number | Html | readonly Html[];
const textOf = (part: Part): string => {
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return "html" in part ? part.html : part.map((each) => each.html).join("");
};

/** A template whose values are escaped, unless they are HTML of ours already. */
export const html = (pieces: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: pieces.map((piece, at) => (at === 0 ? piece : textOf(parts[at - 1]!) + piece)).join(""),
});

/** A name that a stranger chose: on one line, without what cannot be seen, and cut. */
export const shownName = (name: string): string => {
  const plain = name.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain;
};

const STYLE = `
:root { color-scheme: light dark; accent-color: var(--strong); --ink: #1f2421; --paper: #ffffff; --ground: #f2f4f1; --line: #d5dad4; --soft: #5c665f; --strong: #2c6e49; --warn: #8a4b08; --warnground: #fdf3e3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eae7; --paper: #1d2320; --ground: #141816; --line: #38413c; --soft: #a3aea7; --strong: #6fbf8f; --warn: #f0b866; --warnground: #33291a; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 30rem; background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 1.75rem; overflow-wrap: anywhere; }
.brand { margin: 0 0 1rem; color: var(--soft); font-size: .875rem; letter-spacing: .02em; }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
.facts { margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: 8px; }
.facts div { padding: .6rem .85rem; }
.facts div + div { border-top: 1px solid var(--line); }
dt { color: var(--soft); font-size: .8125rem; }
dd { margin: 0; }
.warning, .problem { padding: .7rem .85rem; border-radius: 8px; background: var(--warnground); color: var(--warn); border-left: 4px solid currentColor; }
label, legend { font-weight: 600; }
fieldset { border: 0; padding: 0; margin: 0 0 1.25rem; }
legend { padding: 0; margin-bottom: .35rem; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: .1rem .6rem; padding: .35rem 0; font-weight: 400; }
.choice small { grid-column: 2; }
small { color: var(--soft); }
input[type=text], input[type=password], textarea { display: block; width: 100%; margin: .35rem 0 .25rem; padding: .6rem .7rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; }
input:focus-visible, textarea:focus-visible, button:focus-visible { outline: 2px solid var(--strong); outline-offset: 2px; }
[hidden] { display: none !important; }
.field { margin: 0 0 1.25rem; }
.buttons { display: flex; gap: .75rem; margin: 1.5rem 0 0; }
button { flex: 1; padding: .7rem 1rem; font: inherit; font-weight: 600; border-radius: 8px; border: 1px solid var(--line); background: transparent; color: inherit; cursor: pointer; }
button.main { background: var(--strong); border-color: var(--strong); color: var(--paper); }
code { font-family: ui-monospace, monospace; font-size: .9em; }
`;

/**
 * No `form-action`: Chromium applies it to the redirect that follows the form, too, so the button would be dead.
 * No `cross-origin-opener-policy`: an app that opened the page in a window of its own would not get that window back.
 * The referrer policy is not `no-referrer`, with which browsers would send `Origin: null` with our own forms.
 */
const headersOf = (nonce: string): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
});

export const page = (
  title: string,
  body: Html,
  status = 200,
  more: Record<string, string> = {},
): Response => {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const text = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${{ html: STYLE }}
        </style>
      </head>
      <body>
        <main>
          <p class="brand">Notewright</p>
          ${body}
        </main>
      </body>
    </html> `;
  return new Response(text.html, { status, headers: { ...headersOf(nonce), ...more } });
};
