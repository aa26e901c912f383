/** Bytes that are not UTF-8, or are and still surprise: line ends, marks, NULs. */

import { file, MARK, type Item } from "./item.ts";

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const swapped = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

const NOT_UTF8: Record<string, Uint8Array> = {
  "a lone continuation byte": bytes(MARK, [0x80]),
  "an overlong slash": bytes(MARK, [0xc0, 0xaf]),
  "an overlong NUL": bytes(MARK, [0xc0, 0x80]),
  "a surrogate": bytes(MARK, [0xed, 0xa0, 0x80]),
  "half a character": bytes(MARK, [0xe2, 0x82]),
  "above Unicode": bytes(MARK, [0xf4, 0x90, 0x80, 0x80]),
  "five bytes": bytes(MARK, [0xf8, 0x88, 0x80, 0x80, 0x80]),
  "latin 1": Buffer.from(`${MARK} caf\u00e9 na\u00efve`, "latin1"),
  "windows 1252": bytes(MARK, [0x93], "quoted", [0x94]),
  "shift jis": bytes(MARK, [0x93, 0xfa, 0x96, 0x7b]),
  "utf 16 little": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(MARK, "utf16le")]),
  "utf 16 big": Buffer.concat([Buffer.from([0xfe, 0xff]), swapped(MARK)]),
  "utf 32": Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from("z\0\0\0")]),
  "a picture": bytes([0x89], "PNG\r\n", [0x1a], "\n"),
  "a program": Buffer.concat([Buffer.from([0x7f]), Buffer.from("ELF"), Buffer.from([0xff, 0xff])]),
  "bad bytes in frontmatter": bytes("---\ntitle: ", [0xff], "\n---\n", MARK),
  "megabytes of bad bytes": Buffer.alloc(4_000_000, 0xff),
};

const ODD: Record<string, string | Uint8Array> = {
  empty: "",
  "one byte": "a",
  "one newline": "\n",
  "only a byte order mark": "\ufeff",
  "two byte order marks": `\ufeff\ufeff# ${MARK}`,
  "a byte order mark and frontmatter": `\ufeff---\ntitle: Marked\n---\n${MARK}\n`,
  "a byte order mark in the middle": `# a\ufeffb\n${MARK}`,
  "NUL bytes": `# a\0b\n\0\0\0${MARK}\0`,
  "only NUL bytes": Buffer.alloc(100_000),
  "NUL in frontmatter": `---\ntitle: "a\\0b"\nx: a\0b\n---\n${MARK}\n`,
  "utf 16 without a mark": Buffer.from(MARK, "utf16le"),
  "lone carriage returns": `# a\r${MARK}\r## b\rtext\r`,
  "carriage returns and newlines": `---\r\ntitle: a\r\n---\r\n# b\r\n${MARK}\r\n`,
  "mixed line ends": `# a\r\n${MARK}\n## b\rtext\n\r`,
  "no newline at the end": `# a\n${MARK}`,
  "vertical tabs and form feeds": `# a\v${MARK}\fb\u0085c`,
  "every control character": `${MARK}${Array.from({ length: 32 }, (_, at) => String.fromCharCode(at)).join("")}`,
  noncharacters: `${MARK}\uffff\ufffe\u{1ffff}`,
  "private use": `${MARK}\ue000\u{f0000}`,
  "the replacement character": `${MARK}\ufffd`,
};

export const encodings = (): Item[] => [
  ...Object.entries(NOT_UTF8).map(([name, content]) => file(`encodings/${name}.md`, content, "not_utf8")),
  ...Object.entries(ODD).map(([name, content]) => file(`encodings/${name}.md`, content)),
];
