/** NotePath: one spelling for each note, no way out of the folder, no hidden folder, portable where it is new. */

import { NoteError } from "../markdown/errors.ts";
import { hasHalfCharacter } from "../markdown/half-characters.ts";
import { ATTACHMENTS } from "../markdown/link-forms.ts";

declare const kind: unique symbol;
/** Vault-relative, `/` between segments, ends in `.md`, NFC or as it is on disk. */
export type NotePath = string & { readonly [kind]: "note" };
/** Any other visible file, as it is on disk: an image, a PDF, a canvas, a table. */
export type AttachmentPath = string & { readonly [kind]: "attachment" };
/** What links lead to. */
export type LinkedPath = NotePath | AttachmentPath;
/** A Markdown file below `.llm_bridges/knowledge_base/`. */
export type RulePath = string & { readonly [kind]: "rule" };
export type FilePath = NotePath | RulePath;
/** A place below `.trash/`. */
export type TrashPath = string & { readonly [kind]: "trash" };

export const isNote = (path: string): path is NotePath => path.endsWith(".md");
/** Whether it is a visible file that is no note: settings and rules are hidden. */
export const isAttachment = (path: string): path is AttachmentPath => !isNote(path) && !path.startsWith(".");
export const nameOf = (path: LinkedPath): string => {
  const bare = withoutEnding(path);
  return bare.slice(bare.lastIndexOf("/") + 1);
};
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
/** An attachment keeps its ending. */
/** Whether a path is one of these folders, or lies below one. */
export function liesIn(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.size > 0) for (let at = path; at !== ""; at = folderOf(at)) if (folders.has(at)) return true;
  return false;
}

export const withoutEnding = (path: LinkedPath): string => (isNote(path) ? path.slice(0, -3) : path);

const PATH_LIMIT = 1024;
const TOO_LONG = `is longer than ${PATH_LIMIT} characters`;
const SEGMENT_LIMIT = 255;
/** Where the rule files of knowledge bases are. */
export const RULES = ".llm_bridges/knowledge_base/";

/** A caller's words for a note, as a path: refused, never corrected, where they could mean a place that is not a note. */
export function notePath(written: string): NotePath {
  const reason =
    pathTrouble(written) ??
    (written.endsWith(".md") && !written.endsWith("/.md") && written !== ".md"
      ? null
      : "does not name a Markdown note (`.md`)");
  if (reason) throw refused(written, reason);
  return written.normalize("NFC") as NotePath;
}

/** A caller's words for a note or an attachment, as a path: refused where they could mean any other place. */
export function linkedPath(written: string): LinkedPath {
  if (isNote(written)) return notePath(written);
  const reason = pathTrouble(written);
  if (reason) throw refused(written, reason);
  return written.normalize("NFC") as AttachmentPath;
}

/** Reads words that leave `.md` out. */
export function namedNote(written: string): NotePath {
  const reason = pathTrouble(written);
  if (reason) throw refused(written, reason);
  return notePath(`${written}.md`);
}

/** The place of a file that goes with its folder: its own name is there already, and is carried along as it is. */
export function carriedTo(folder: string, rest: string): LinkedPath {
  const path = `${folder}/${rest}`;
  if (folder === "") throw refused(folder, "is empty");
  if (path.length > PATH_LIMIT) throw refused(path, TOO_LONG);
  return path as LinkedPath;
}

/** A caller's words for a folder, as a path; "" is the vault itself. */
export function folderPath(written: string): string {
  let end = written.length;
  while (written[end - 1] === "/") end--;
  const bare = written.slice(0, end);
  const reason = bare === "" ? (written === "" ? null : "is absolute") : pathTrouble(bare);
  if (reason) throw refused(written, reason);
  return bare.normalize("NFC");
}

export function rulePath(written: string): RulePath {
  const inner = written.startsWith(RULES) ? written.slice(RULES.length) : "";
  const reason = inner.endsWith(".md") ? pathTrouble(inner) : "is no rule file";
  if (reason) throw refused(written, reason);
  return written as RulePath;
}

/** What of a name that is to be made does not work on every system, or as a note: which segments, and why. One that exists may be odd. `mdWritten`: whoever chose it wrote `.md`, too. */
export function oddSegments(
  path: NotePath,
  { mdWritten = false }: { mdWritten?: boolean } = {},
): { at: number; segment: string; reason: string }[] {
  const segments = path.split("/");
  return segments.flatMap((segment, at) => {
    const isName = at === segments.length - 1 && isNote(path);
    const reason =
      portabilityTrouble(segment) ??
      // Every system takes such a file; but without its `.md`, as links write it, the name would end oddly.
      (/[ .]\.md$/.test(segment) ? ENDS_ODDLY : null) ??
      (isName && !mdWritten ? otherKind(path) : null);
    return reason === null ? [] : [{ at, segment, reason }];
  });
}

function otherKind(path: NotePath): string | null {
  const ending = endingOfOther(nameOf(path));
  return (
    ending &&
    `has a name that ends in .${ending}, as files of another kind do; notes are Markdown. Leave that off, or write a space in place of the dot`
  );
}

/** Handles (notebook/handle.ts) put these marks after a note's path: with one of them in a name, no handle could mean the note. */
export const breaksHandles = (name: string): boolean => /\.md[#@]/.test(name);

/** Besides attachments: what callers ask for who mean a file of that kind. `Node.js` and `2026.11.15` are good names. */
const OTHER_KINDS = new Set(["txt", "html", "json", "csv", "docx", "xlsx", "pptx", "zip"]);

/** The ending by which a name seems to be another kind of file than a note, or null. */
export function endingOfOther(name: string): string | null {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return name.includes(".") && (ATTACHMENTS.has(ending) || OTHER_KINDS.has(ending)) ? ending : null;
}

/** Why a name that is there already is trouble, here or on another system; null where it is none. */
export const nameTrouble = (segment: string): string | null =>
  (hasControl(segment) ? "has a control character" : segmentTrouble(segment)) ?? portabilityTrouble(segment);

export function refused(written: string, reason: string): NoteError {
  const shown = JSON.stringify(written.length > 200 ? `${written.slice(0, 200)}…` : written);
  return new NoteError(
    "path_refused",
    `The path ${shown} ${reason}. Give a path inside the vault, such as "folder/note".`,
    {
      path: written.slice(0, 200),
      reason,
    },
  );
}

function pathTrouble(path: string): string | null {
  if (path === "") return "is empty";
  if (path.length > PATH_LIMIT) return TOO_LONG;
  if (path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path)) return "is absolute";
  if (path.endsWith("/")) return "names a folder, where a note is meant";
  if (path.includes("\\")) return "has a backslash";
  if (hasControl(path)) return "has a control character";
  if (hasHalfCharacter(path)) return "holds half a character (a lone surrogate)";
  for (const segment of path.split("/")) {
    const reason = segmentTrouble(segment);
    if (reason) return reason;
  }
  return null;
}

/** Most names, in which nothing can hide: looking closer takes longer than all the rest of a path. */
const PLAIN_SEGMENT = /^[A-Za-z0-9][A-Za-z0-9 _.-]*$/;

// What a segment would be for a system that folds width, drops invisible characters, trims dots and decodes percent signs.
function segmentTrouble(segment: string): string | null {
  if (PLAIN_SEGMENT.test(segment)) return null;
  if (segment === "") return "has an empty segment";
  if (segment === "~") return "begins with ~";
  for (const form of [segment, decoded(segment)]) {
    const plain = form.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
    if (/^\.+$/.test(plain.trim())) return "has a `.` or `..` segment";
    if (plain.trimStart().startsWith(".")) return "has a hidden segment";
    if (form !== segment && /[\\/]/.test(plain)) return "has an encoded slash";
    // Short names under which Windows answers for the folders that are reserved.
    if (/^(?:git|obsidi|notewr|trash|llm_br)~\d+$/i.test(plain)) return "has a hidden segment";
  }
  return null;
}

function decoded(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function hasControl(text: string): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(text);
}

const ENDS_ODDLY = "has a segment that begins with a space or ends with a space or a dot";
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function portabilityTrouble(segment: string): string | null {
  const forbidden = /[<>:"|?*\\]/.exec(segment);
  if (forbidden) return `has the character ${forbidden[0]}, which some systems do not allow`;
  if (BIDI.test(segment)) return "has a character that turns the direction of writing";
  if (/^ |[. ]$/.test(segment)) return ENDS_ODDLY;
  if (breaksHandles(segment)) return "has `.md#` or `.md@` in a name, where a handle would end";
  if (DEVICES.test(segment)) return "has a name that is reserved on Windows";
  if (new TextEncoder().encode(segment).length > SEGMENT_LIMIT)
    return `has a segment of over ${SEGMENT_LIMIT} bytes`;
  return null;
}
