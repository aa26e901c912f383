/** The three pages of signing in: the passphrase, the consent, and a refusal. */

import type { Identity } from "../identity/identity.ts";
import { isLoopback } from "../markdown/loopback.ts";
import type { Words } from "./owner.ts";
import { html, page, shownName, type Html } from "./page.ts";

/** What the owner is asked to agree to. */
export type Asked = {
  /** As the client calls itself; nobody has checked it. */
  clientName: string;
  /** The host of its metadata document, which it controls; null where it only registered. */
  clientDomain: string | null;
  redirectUri: string;
  /** What the vault is called. */
  vault: string;
};

/** What the form says, as it is shown again where something is wrong with it. */
export type Choice = { name: string; rights: Identity["rights"]; folders: string };

const problemOf = (problem: string | null): Html =>
  problem === null ? html`` : html`<p class="problem" role="alert">${problem}</p>`;

export const signInPage = (words: Words, problem: string | null = null, status = 200, wait = 0): Response =>
  page(
    "Sign in to Notewright",
    html`<h1>An app asks for access to your notes</h1>
      <p>
        Sign in to see which app it is, and to decide what it may do. If you have not just connected an app,
        close this page.
      </p>
      ${problemOf(problem)}
      <form method="post">
        <input type="text" name="username" value="owner" autocomplete="username" hidden />
        <div class="field">
          <label for="secret">${words.secret}</label>
          <input
            id="secret"
            name="secret"
            type="password"
            autocomplete="current-password"
            required
            autofocus
          />
          <small>Or a one-time code: <code>${words.code}</code></small>
        </div>
        <div class="buttons"><button class="main">Sign in</button></div>
      </form>`,
    status,
    wait > 0 ? { "retry-after": String(wait) } : {},
  );

export const refusedPage = (why: string, status = 400): Response =>
  page(
    "Not possible",
    html`<h1>This app cannot be connected</h1>
      <p>${why}</p>
      <p>Nothing was given to it. You can close this page.</p>`,
    status,
  );

/** Where the answer goes, in words, with a warning where that proves nothing. */
const destinationOf = (redirectUri: string): { where: Html; warning: string | null } => {
  const { protocol, hostname } = new URL(redirectUri);
  if (protocol === "https:" || protocol === "http:") {
    if (!isLoopback(hostname)) return { where: html`<strong>${hostname}</strong>`, warning: null };
    return {
      where: html`<strong>${hostname}</strong>, a program on the computer where you opened this page`,
      warning:
        "Any program on this computer can wait for the answer, whatever name it gives. Allow it only if you have just started to sign in from it.",
    };
  }
  return {
    where: html`whichever program opens <strong>${protocol}</strong> addresses on this device`,
    warning:
      "Any program on this device can claim such addresses. Allow it only if you have just started to sign in from it.",
  };
};

const RIGHTS: [Identity["rights"], string, string][] = [
  ["read", "Read", "search and read notes"],
  ["propose", "Read and propose", "what it would create, change, move or remove waits until you accept it"],
  ["write", "Read and write", "also create, change, move and remove notes; all of it can be undone"],
  ["admin", "Everything", "also change the rules of knowledge bases"],
];

export type ConsentOptions = {
  words: Words;
  /** Posted back; it works once. */
  handle: string;
  choice: Choice;
  problem: string | null;
};

export const consentPage = (asked: Asked, { words, handle, choice, problem }: ConsentOptions): Response => {
  const name = shownName(asked.clientName);
  const { where, warning } = destinationOf(asked.redirectUri);
  const rights = RIGHTS.map(
    ([value, label, what]) =>
      html`<label class="choice"
        ><input
          type="radio"
          name="rights"
          value="${value}"
          ${choice.rights === value ? html` checked` : html``}
        />
        <span>${label}</span><small>${what}</small></label
      > `,
  );
  return page(
    `Allow ${name}?`,
    html`<h1>Allow “${name}” to use your notes?</h1>
      <dl class="facts">
        <div>
          <dt>Who it is</dt>
          <dd>
            ${asked.clientDomain === null ? html`It calls itself “${name}”. <strong>Nobody vouches for that.</strong>` : html`Published by <strong>${asked.clientDomain}</strong>`}
          </dd>
        </div>
        <div>
          <dt>Where the answer goes</dt>
          <dd>${where}</dd>
        </div>
        <div>
          <dt>Notes</dt>
          <dd>${asked.vault}</dd>
        </div>
      </dl>
      ${warning === null ? html`` : html`<p class="warning">${warning}</p>`} ${problemOf(problem)}
      <form method="post">
        <input type="hidden" name="consent" value="${handle}" />
        <fieldset>
          <legend>What it may do</legend>
          ${rights}
        </fieldset>
        ${foldersField(choice.folders)}
        <div class="field">
          <label for="name">Name</label>
          <input
            id="name"
            name="name"
            type="text"
            maxlength="63"
            required
            autocomplete="off"
            value="${choice.name}"
          />
          <small>The author of its changes. <code>${words.end}</code> with this name ends its access.</small>
        </div>
        <div class="buttons">
          <button name="decision" value="deny" formnovalidate>Deny</button>
          <button name="decision" value="allow" class="main">Allow</button>
        </div>
      </form>`,
    problem === null ? 200 : 400,
  );
};

const foldersField = (folders: string): Html =>
  html`<div class="field">
    <label for="folders">Only these folders</label>
    <textarea id="folders" name="folders" rows="2" autocomplete="off">${folders}</textarea>
    <small>One on each line. Empty: all of them.</small>
  </div> `;
