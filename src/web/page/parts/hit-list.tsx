/** What a search found: titles, the words in their place, and how the question was read. */

import type { Hit, Hits, Mark } from "../../wire.ts";
import { noteAddress } from "../route.ts";
import { dayOf, folderOf, plural, seen } from "../words.ts";
import { LongRest } from "./long-list.tsx";

/** So many stand in one answer: few, because each letter that is typed draws them anew. So many are listed at all. */
const PAGE = 6;
const MOST = 200;

export const HitList = ({ hits, query }: { hits: Hits; query: string }) => {
  const { total, corrected, byMeaning, indexing, unread } = hits;
  return (
    <section aria-label="Found" onKeyDown={step}>
      <p class="count" role="status">
        {total === 0 ? nothing(query, indexing) : plural(total, "note")}
        {byMeaning > 0 && `, ${byMeaning} of them by meaning alone`}
        {corrected.map(({ from, to }) => `; “${from}” read as “${to}”`)}
        {total > MOST && `; the first ${MOST} are listed, more words find fewer`}
        {total > 0 && indexing !== null && `; still indexing, ${indexing}`}
        {unread > 0 &&
          `${total === 0 ? " " : "; "}${plural(unread, "note")} could not be read when last tried`}
      </p>
      <HitPage hits={hits.hits} />
      <LongRest<Hits>
        key={query}
        call="search"
        input={{ query }}
        size={PAGE}
        first={hits}
        show={(page) => <HitPage hits={page.hits} />}
      />
    </section>
  );
};

const HitPage = ({ hits }: { hits: readonly Hit[] }) => (
  <ol class="hits">
    {hits.map((hit) => (
      <li key={hit.path}>
        <HitLine hit={hit} />
      </li>
    ))}
  </ol>
);

const nothing = (query: string, indexing: string | null): string =>
  indexing === null ? `Nothing is found for “${query}”.` : `Still indexing, ${indexing}.`;

const HitLine = ({ hit }: { hit: Hit }) => (
  <a class="hit" href={noteAddress(hit.path, "note", hit.section ? { section: hit.section } : {})}>
    <span class="title">{seen(hit.title)}</span>
    <span class="where">
      {[
        folderOf(hit.path),
        hit.section ? `§ ${hit.section.replace(/[*`]/g, "")}` : "",
        dayOf(new Date(hit.modified)),
      ]
        .filter((part) => part !== "")
        .map(seen)
        .join(" · ")}
    </span>
    {hit.snippet && (
      <span class="snippet">
        <Marked text={hit.snippet.text} marks={hit.snippet.marks} />
      </span>
    )}
  </a>
);

/** A text with the places marked that were found. */
export const Marked = ({ text, marks }: { text: string; marks: readonly Mark[] }) => {
  let at = 0;
  const parts = marks.flatMap(([start, end]) => {
    const plain = text.slice(at, start);
    at = end;
    return [plain, <mark key={start}>{text.slice(start, end)}</mark>];
  });
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
};

/** Arrows go from hit to hit, and back to the field. */
const step = (event: KeyboardEvent): void => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const all = [...document.querySelectorAll<HTMLElement>(".hits a")];
  const next = all[all.indexOf(document.activeElement as HTMLElement) + by];
  (next ?? (by < 0 ? document.getElementById("search") : null))?.focus();
};
