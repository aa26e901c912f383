/** The media type of a file: by its first bytes where those tell, else by the ending of its name. */

import { imageHead } from "./image-head.ts";

const BY_ENDING: Record<string, string> = {
  svg: "image/svg+xml",
  avif: "image/avif",
  bmp: "image/bmp",
  heic: "image/heic",
  tif: "image/tiff",
  tiff: "image/tiff",
  flac: "audio/flac",
  m4a: "audio/mp4",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  wav: "audio/wav",
  "3gp": "video/3gpp",
  mkv: "video/x-matroska",
  mov: "video/quicktime",
  mp4: "video/mp4",
  ogv: "video/ogg",
  webm: "video/webm",
  canvas: "application/json",
  base: "application/yaml",
  css: "text/css",
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  epub: "application/epub+zip",
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  txt: "text/plain",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
};
/** Kinds that are known by their bytes: a name alone only says that a file claims to be one. */
const CLAIMED: Record<string, string> = {
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  pdf: "application/pdf",
  png: "image/png",
  webp: "image/webp",
};
const UNKNOWN = "application/octet-stream";

/** The ending of a file's name, in lower case; "" where it has none. */
export const endingOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

/** The endings whose files are text that is shown as it is. */
export const isShownText = (path: string): boolean => ["svg", "canvas", "base"].includes(endingOf(path));

/** PDF readers look for the mark in so many bytes: some programs write something before it. */
const PDF_MARK = 1024;
export const isPdf = (bytes: Uint8Array): boolean =>
  String.fromCharCode(...bytes.subarray(0, PDF_MARK)).includes("%PDF-");

/** An ending may be any word, also one that every object knows. */
const typeIn = (types: Record<string, string>, path: string): string | undefined =>
  Object.hasOwn(types, endingOf(path)) ? types[endingOf(path)] : undefined;

export const mediaType = (path: string, bytes: Uint8Array): string =>
  imageHead(bytes)?.type ?? (isPdf(bytes) ? "application/pdf" : (typeIn(BY_ENDING, path) ?? UNKNOWN));

/** For lists, where no file is read. */
export const mediaTypeByName = (path: string): string =>
  typeIn(CLAIMED, path) ?? typeIn(BY_ENDING, path) ?? UNKNOWN;
