/** A glance at the note that a link leads to, while the pointer rests on the link or the keyboard is there. It may be moved onto; Escape closes it. Nothing outside is ever asked for. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Preview } from "../../wire.ts";
import { useApp, type App } from "../app.ts";
import { routeOf } from "../route.ts";
import { seen } from "../words.ts";
import { htmlOf, type Renderer } from "./reader.tsx";

/** Milliseconds that the pointer rests before it is shown, and that it may be away before it goes. */
const [REST, AWAY] = [300, 250];
const ID = "glance";

type Shown = { preview: Preview; link: HTMLElement };

/** For the links of the element that it stands in. */
export const Glance = ({ renderer }: { renderer: Renderer }) => {
  const app = useApp();
  const host = useRef<HTMLDivElement>(null);
  const shown = useSignal<Shown | null>(null);
  useEffect(() => watchLinks(app, host.current!.parentElement!, (next) => (shown.value = next)), [renderer]);
  return (
    <div ref={host} class="glance-place">
      {shown.value && <Card key={shown.value.preview.path} renderer={renderer} shown={shown.value} />}
    </div>
  );
};

const Card = ({ renderer, shown: { preview, link } }: { renderer: Renderer; shown: Shown }) => {
  const [card, body] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  useEffect(() => {
    body.current!.innerHTML = htmlOf(renderer, preview, preview.text).html;
    makeInert(body.current!);
    put(card.current!, link);
    link.setAttribute("aria-describedby", ID);
    return () => link.removeAttribute("aria-describedby");
  }, [preview]);
  return (
    <div ref={card} id={ID} class="glance" role="tooltip">
      <p class="title">{seen(preview.title)}</p>
      <div ref={body} class="reading" />
      {preview.text.trim() === "" && <p class="meta">There is nothing in it yet.</p>}
      {preview.cut && <p class="meta">It goes on.</p>}
    </div>
  );
};

/** It is looked at, not walked through: links are words, and images are not asked for. */
const makeInert = (place: HTMLElement): void => {
  for (const link of place.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  for (const image of place.querySelectorAll("img")) image.replaceWith(image.alt);
  for (const named of place.querySelectorAll("[id]")) named.removeAttribute("id");
};

/** Below the link, or above it where there is more room. */
const put = (card: HTMLElement, link: HTMLElement): void => {
  const around = (card.offsetParent as HTMLElement).getBoundingClientRect();
  const at = link.getClientRects()[0] ?? link.getBoundingClientRect();
  const room = around.width - card.offsetWidth;
  card.style.left = `${Math.max(0, Math.min(room, at.left - around.left))}px`;
  const below = at.bottom + card.offsetHeight + 8 < innerHeight || at.top < card.offsetHeight;
  card.style.top = below
    ? `${at.bottom - around.top + 4}px`
    : `${at.top - around.top - card.offsetHeight - 4}px`;
};

const watchLinks = (app: App, place: HTMLElement, show: (shown: Shown | null) => void): (() => void) => {
  let current: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leaving = new AbortController();
  const close = (): void => {
    clearTimeout(timer);
    leaving.abort();
    current = null;
    show(null);
  };
  const open = (link: HTMLElement): void => {
    if (link === current) return clearTimeout(timer);
    close();
    current = link;
    timer = setTimeout(() => void ask(link), REST);
  };
  const ask = async (link: HTMLElement): Promise<void> => {
    const route = routeOf(link.getAttribute("href") ?? "");
    if (route.screen !== "note") return;
    leaving = new AbortController();
    const { path, section } = route;
    const input = section === null ? { path } : { path, section };
    const preview = await app.server.call<Preview>("preview", input, leaving.signal).catch(() => null);
    if (preview && current === link) show({ preview, link });
  };
  const away = (): void => {
    clearTimeout(timer);
    timer = setTimeout(close, AWAY);
  };
  const linkAt = (target: EventTarget | null): HTMLElement | null =>
    (target as Element).closest<HTMLElement>(".reading:not(.glance .reading) a.inward");
  const over = (event: PointerEvent): void => {
    const link = event.pointerType === "touch" ? null : linkAt(event.target);
    if (link) open(link);
    else if ((event.target as Element).closest(".glance")) clearTimeout(timer);
    else if (current && !current.matches(":focus-visible")) away();
  };
  const focus = (event: FocusEvent): void => {
    const link = linkAt(event.target);
    if (link?.matches(":focus-visible")) open(link);
    else close();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && current) close();
  };
  place.addEventListener("pointerover", over);
  place.addEventListener("pointerleave", away);
  place.addEventListener("focusin", focus);
  place.addEventListener("focusout", close);
  document.addEventListener("keydown", key);
  return () => {
    close();
    place.removeEventListener("pointerover", over);
    place.removeEventListener("pointerleave", away);
    place.removeEventListener("focusin", focus);
    place.removeEventListener("focusout", close);
    document.removeEventListener("keydown", key);
  };
};
