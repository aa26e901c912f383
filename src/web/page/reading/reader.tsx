/** A note, read: rendered once, then its images and embeds are asked for. */

import type { MarkdownIt } from "markdown-it";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Note } from "../../wire.ts";
import { useApp, type App } from "../app.ts";
import { embedded, withoutTitle } from "./embedded.ts";
import type { Env } from "./env.ts";
import { isPlain } from "./plain.ts";
import { openRenderer, rendered } from "./render.ts";
import { openSafe, type Safe } from "./safe.ts";

const EMBEDS = 20;
const DEPTH = 2;

/** What turns a note into HTML, made once for the page. */
export type Renderer = { md: MarkdownIt; safe: Safe };
export const openReader = (): Renderer => ({ md: openRenderer(), safe: openSafe() });

type Linking = { path: string; links: Note["links"] };
export const htmlOf = ({ md, safe }: Renderer, note: Linking, body: string): { html: string; env: Env } => {
  const links = new Map(note.links.map(({ target, path }) => [target, path]));
  const { html, env } = rendered(md, body, { path: note.path, links });
  return { html: safe.sanitize(html), env };
};

type Props = { renderer: Renderer; note: Note; onHeadings?: (headings: Env["headings"]) => void };

export const Reader = ({ renderer, note, onHeadings }: Props) => {
  const app = useApp();
  const place = useRef<HTMLDivElement>(null);
  const body = withoutTitle(note);
  const plain = isPlain(body);
  // A link leads elsewhere once its note is made, removed or renamed.
  const leads = note.links.map(({ target, path }) => `${target}\n${path ?? ""}`).join("\n");
  const made = useMemo(() => (plain ? null : htmlOf(renderer, note, body)), [note.version, note.path, leads]);
  useEffect(() => onHeadings?.(made?.env.headings ?? []), [made]);
  useEffect(() => {
    const leaving = new AbortController();
    if (place.current) void fill(app, renderer, place.current, note.path, leaving.signal, 1);
    return () => leaving.abort();
  }, [made]);
  if (!made) return <pre class="source">{body}</pre>;
  return (
    <div
      ref={place}
      class="reading"
      onClick={followFootnote}
      dangerouslySetInnerHTML={{ __html: made.html }}
    />
  );
};

/** A fragment of our own would be taken for a screen. */
const followFootnote = (event: MouseEvent): void => {
  const link = (event.target as Element).closest<HTMLElement>("a.footnote");
  if (!link) return;
  event.preventDefault();
  const place = document.getElementById(link.dataset["to"] ?? "");
  place?.scrollIntoView({ block: "center" });
  place?.querySelector<HTMLElement>("a")?.focus();
};

/** Puts images and embedded notes in their places. */
const fill = async (
  app: App,
  renderer: Renderer,
  place: HTMLElement,
  from: string,
  signal: AbortSignal,
  depth: number,
): Promise<void> => {
  for (const image of place.querySelectorAll<HTMLImageElement>("img[data-image]")) {
    const name = image.dataset["image"]!;
    const address = await app.server.image(name, from).catch(() => null);
    if (signal.aborted && address) URL.revokeObjectURL(address);
    if (signal.aborted) return;
    if (address) show(image, name, address);
    else image.replaceWith(missingImage(name));
  }
  const embeds = [...place.querySelectorAll<HTMLElement>("[data-embed]")].slice(
    0,
    depth > DEPTH ? 0 : EMBEDS,
  );
  for (const embed of embeds) {
    const { embed: path = "", section = "" } = embed.dataset;
    const note = await app.server.call<Note>("note", { path }, signal).catch(() => null);
    if (signal.aborted || !note) continue;
    const body = embedded(note, section);
    if (body === null) embed.classList.add("missing");
    if (body === null || isPlain(body)) continue;
    embed.innerHTML = htmlOf(renderer, note, body).html;
    embed.classList.add("filled");
    for (const inner of embed.querySelectorAll("[id]")) inner.removeAttribute("id");
    await fill(app, renderer, embed, path, signal, depth + 1);
  }
};

/** Its bytes are let go once it is drawn, or cannot be. */
const show = (image: HTMLImageElement, name: string, address: string): void => {
  image.addEventListener("load", () => URL.revokeObjectURL(address), { once: true });
  image.addEventListener(
    "error",
    () => {
      URL.revokeObjectURL(address);
      image.replaceWith(missingImage(name));
    },
    { once: true },
  );
  image.src = address;
};

const missingImage = (name: string): HTMLElement => {
  const words = document.createElement("span");
  words.className = "missing";
  words.textContent = `No image ${name}`;
  return words;
};
