/** The two forms of a link taken apart, and what their targets can lead to: notes, attachments, or nothing in the vault. */

import { BANG } from "./characters.ts";
import type { Destination } from "./destinations.ts";
import type { LinkMark } from "./links.ts";

/** Obsidian's file types other than notes: a target that ends so is an attachment in either form. */
export const ATTACHMENTS: ReadonlySet<string> = new Set(
  "avif bmp gif jpeg jpg png svg webp flac m4a mp3 ogg wav webm 3gp mkv mov mp4 ogv pdf canvas base".split(
    " ",
  ),
);

/** A Markdown link names a file, so these endings are files there; `[[Node.js]]` may well be a note. */
const OTHER_FILES: ReadonlySet<string> = new Set(
  (
    "7z bash bat bib bz2 c cfg conf cpp cs css csv dll doc docx eml epub exe go gz h heic heif htm html ics ini ipynb jar " +
    "java js json jsonl jsx key kt less log lua mjs mobi numbers odp ods odt pages php pl ppt pptx ps1 py rar rb rs rst " +
    "rtf scss sh sql sqlite swift tar tex tgz tif tiff toml ts tsv tsx txt vue wasm xhtml xls xlsx xml yaml yml zip"
  ).split(" "),
);

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const SCHEME_WITH_HOST = /^[a-z][a-z0-9+.-]*:\/\//i;

export const hasScheme = (written: string): boolean => written.includes(":") && SCHEME.test(written);

/** `either`: the attachment of that name where there is one, else the note. */
export type TargetKind = "note" | "attachment" | "either";

/** What a target, anchor left off, can lead to, by its ending. */
export function targetKind(target: string, form: LinkMark["form"]): TargetKind {
  const dot = target.lastIndexOf(".");
  if (dot <= target.lastIndexOf("/")) return "note";
  const ending = target.slice(dot + 1).toLowerCase();
  if (ATTACHMENTS.has(ending) || (form === "markdown" && OTHER_FILES.has(ending))) return "attachment";
  return ending !== "md" && FILE_ENDING.test(ending) ? "either" : "note";
}

const FILE_ENDING = /^[a-z0-9_-]{1,16}$/;

/** Whether a target, anchor left off, can lead to a file of the vault, or to a place in the note itself. `written` is how it stood in the text, where a scheme shows. */
function leadsInside(target: string, written: string, anchor: string, form: LinkMark["form"]): boolean {
  // A heading or block alone is one of the note itself.
  if (target === "") return anchor.length > 1;
  if (target.endsWith("/") || written.startsWith("//")) return false;
  if (form === "markdown" ? hasScheme(written) : written.includes("://") && SCHEME_WITH_HOST.test(written))
    return false;
  return !/(?:^|\/)\.\.?$/.test(target);
}

/** The wikilink or embed from `start` to `end`, its `]]` included; null where it leads to nothing in the vault. Its line is numbered later. */
export function wikiLink(
  text: string,
  start: number,
  end: number,
  where: LinkMark["where"],
): LinkMark | null {
  const embed = text.charCodeAt(start) === BANG;
  const inside = start + (embed ? 3 : 2);
  const written = text.slice(inside, end - 2);
  const pipe = written.indexOf("|");
  // In a table the pipe is written `\|`, lest it end the cell.
  const stop = pipe < 0 ? written.length : written[pipe - 1] === "\\" ? pipe - 1 : pipe;
  const hash = written.slice(0, stop).indexOf("#");
  const place = written.slice(0, hash < 0 ? stop : hash);
  const target = place.trim();
  const anchor = hash < 0 ? "" : written.slice(hash, stop).trimEnd();
  if (!leadsInside(target, target, anchor, "wiki")) return null;
  const targetStart = inside + place.length - place.trimStart().length;
  return {
    form: "wiki",
    embed,
    target,
    anchor,
    label: pipe < 0 ? null : written.slice(pipe + 1).trim(),
    start,
    end,
    targetStart,
    targetEnd: targetStart + target.length,
    line: 0,
    where,
  };
}

/** A Markdown link, image or definition with that destination; null where it leads to nothing in the vault. Its line is numbered later. */
export function markdownLink(
  text: string,
  destination: Destination,
  { start, end, embed, label }: Pick<LinkMark, "start" | "end" | "embed" | "label">,
): LinkMark | null {
  const written = text.slice(destination.start, destination.end);
  const hash = written.indexOf("#");
  // An escape is Markdown's, so even `\#` begins an anchor; a `#` in a name is written `%23`.
  const place = hash < 0 ? written : written.slice(0, hash).replace(/\\$/, "");
  const target = percentDecoded(unescaped(place));
  const anchor = hash < 0 ? "" : written.slice(hash);
  if (!leadsInside(target, place, anchor, "markdown")) return null;
  return {
    form: "markdown",
    embed,
    target,
    anchor,
    label,
    start,
    end,
    targetStart: destination.start,
    targetEnd: destination.start + place.length,
    line: 0,
    where: "body",
  };
}

const unescaped = (written: string): string =>
  written.includes("\\") ? written.replace(/\\([!-/:-@[-`{-~])/g, "$1") : written;

/** As typed where it is no valid encoding: `100%.md` is a name too. */
export function percentDecoded(written: string): string {
  if (!written.includes("%")) return written;
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
