/** read_notes of files: images as they are, canvases in words, bases and SVG as text, PDF by page. Whatever else a file is, it is named and refused; one over its limit is not read. */

import { bytesText } from "../../markdown/bytes-text.ts";
import { canvasText } from "../../markdown/canvas-text.ts";
import { NoteError } from "../../markdown/errors.ts";
import { escaped } from "../../markdown/label.ts";
import type { FirstBytes } from "../../notebook/attachments.ts";
import { imageHead, type ImageHead, type Pixels } from "../../notebook/files/image-head.ts";
import { endingOf, isPdf, isShownText, mediaType } from "../../notebook/files/media-type.ts";
import { decodeText } from "../../notebook/note.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { NOTE_LIMIT } from "../../notebook/parts.ts";
import { isCanvas } from "../../notebook/pointer.ts";
import { firstLinks, linkLine } from "./about.ts";
import type { NamedFile } from "./address.ts";
import { partOf } from "./lines.ts";
import { showPdf } from "./pdf-reading.ts";
import { time, withoutEmpty } from "./say.ts";
import { FULL_ROOM, shownText, type Room, type Shown, type Wanted } from "./shown.ts";

/** So much of a file is read to see what it is: the headers of an image are in it, but for rare ones. */
const HEAD = 256 * 1024;
/** The longest side of an image that is shown, in pixels. */
const SIDE = 8000;

/** `no room`: an image that could be shown, and not beside the others of this answer. */
export async function showFile(
  notebook: Notebook,
  named: NamedFile,
  { show, range, past }: Wanted,
  room: Room,
): Promise<Shown | "no room"> {
  const { path } = named;
  if (past) throw refused(`"${path}" is a file, and the history keeps no text of files. Leave "at" out.`);
  if (show === "outline")
    throw refused(`"${path}" is a file and has no outline. Leave "show" out, or give "info".`);
  const head = await notebook.file(path, HEAD);
  if (show === "info") return showInfo(notebook, head);
  const image = imageHead(head.bytes);
  if (image !== null) return showImage(notebook, head, image, room);
  if (isPdf(head.bytes)) return showPdf(notebook, named, range, room.tokens);
  if (!isShownText(path)) throw refused(notShown(head));
  const text = await readText(notebook, head);
  const type = mediaType(path, head.bytes);
  return shownText(path, path, partOf({ path, text }, null, range, room.tokens), { type });
}

const refused = (sentence: string): NoteError => new NoteError("file_refused", sentence);

/** `"a.png" (image/png, 12.3 kB, 640 × 480 px)`. */
const about = ({ path, size, bytes }: FirstBytes, pixels: Pixels | null = null): string =>
  `"${path}" (${[mediaType(path, bytes), bytesText(size), ...(pixels ? [sayPixels(pixels)] : [])].join(", ")})`;
const sayPixels = ({ width, height }: Pixels): string => `${width} × ${height} px`;

const IMAGES = ["png", "jpg", "jpeg", "gif", "webp"];

const notShown = (head: FirstBytes): string =>
  IMAGES.includes(endingOf(head.path))
    ? `${about(head)} is named as an image and does not begin as one: it is damaged, or of another kind.`
    : `${about(head)} cannot be shown. What can: PNG, JPEG, GIF and WebP images, SVG, canvases, bases and PDF.`;

async function showImage(
  notebook: Notebook,
  head: FirstBytes,
  { type, pixels }: ImageHead,
  room: Room,
): Promise<Shown | "no room"> {
  const { path, size } = head;
  const isLarge =
    size > FULL_ROOM.images || (pixels !== null && Math.max(pixels.width, pixels.height) > SIDE);
  if (isLarge)
    throw new NoteError(
      "too_large",
      `${about(head, pixels)} is too large to be shown: an image may have ${bytesText(FULL_ROOM.images)} and ${SIDE} px a side. Make a smaller copy and read that.`,
      { path, size, limit: FULL_ROOM.images, side: SIDE },
    );
  if (size > room.images) return "no room";
  const { bytes } = head.bytes.length < size ? await notebook.file(path, FULL_ROOM.images) : head;
  const whole = imageHead(bytes);
  if (!whole?.whole || whole.pixels === null || whole.type !== type)
    throw refused(`${about(head, pixels)} is damaged: it breaks off, or its header makes no sense.`);
  const said = `${escaped(path)} (${type}, ${bytesText(size)}, ${sayPixels(whole.pixels)})`;
  return { text: [said], data: { note: path, type, bytes: size, ...whole.pixels }, image: { bytes, type } };
}

/** The text of an SVG or a base; of a canvas its nodes and edges. */
async function readText(notebook: Notebook, head: FirstBytes): Promise<string> {
  const { path, size } = head;
  if (size > NOTE_LIMIT)
    throw new NoteError(
      "too_large",
      `${about(head)} is too large to be shown: a text may have ${NOTE_LIMIT / 1024 / 1024} MiB.`,
      { path, size, limit: NOTE_LIMIT },
    );
  const { bytes } = head.bytes.length < size ? await notebook.file(path, NOTE_LIMIT) : head;
  const text = decodeText(bytes);
  if (text === null) throw refused(`${about(head)} is damaged: it is no UTF-8 text.`);
  const shown = isCanvas(path) ? canvasText(text) : text;
  if (shown === null) throw refused(`${about(head)} is damaged: it is no canvas in JSON.`);
  return shown;
}

/** What is known of a file without reading it to the end. */
async function showInfo(notebook: Notebook, head: FirstBytes): Promise<Shown> {
  const { path, size, modified, bytes } = head;
  const pixels = imageHead(bytes)?.pixels ?? null;
  const type = mediaType(path, bytes);
  const links = firstLinks((await notebook.links({ toFile: path })).map(({ source }) => source));
  const into = linkLine("linked from", links);
  const what = [`type ${type}`, bytesText(size), ...(pixels ? [sayPixels(pixels)] : [])].join(", ");
  return {
    text: [[escaped(path), `${what}, modified ${time(modified)}`, into].join("\n")],
    data: {
      note: path,
      type,
      bytes: size,
      ...withoutEmpty({ width: pixels?.width, height: pixels?.height }),
      modified: time(modified),
      links_in: links,
    },
  };
}
