/** read_notes of a PDF: the text of its pages, each in a block of its own, as many as there is room for. */

import { escaped } from "../../markdown/label.ts";
import { pagesIn } from "../../notebook/files/pdf.ts";
import { NoteError } from "../../markdown/errors.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { NamedFile } from "./address.ts";
import { partOf, type LineRange, type Part } from "./lines.ts";
import { withoutEmpty } from "./say.ts";
import type { Shown } from "./shown.ts";
import { tokensIn } from "./token-room.ts";
import { unseenWarning } from "./unseen.ts";

/** `lines` are those of one page. */
export async function showPdf(
  notebook: Notebook,
  { path, anchor }: NamedFile,
  range: LineRange | null,
  room: number,
): Promise<Shown> {
  const asked = pagesIn(anchor);
  if (range !== null && asked.to !== asked.from)
    throw new NoteError("input_refused", `Lines of a PDF are those of one page: name it, "${path}#page=1".`);
  const { pages, texts } = await notebook.pdf(path, asked);
  const shown: { page: number; part: Part }[] = [];
  let left = room;
  for (const [at, text] of texts.entries()) {
    const page = asked.from + at;
    const cost = tokensIn(text);
    // The first page is cut to the room; any other waits until it is asked for.
    if (at > 0 && cost > left) break;
    shown.push({ page, part: partOf({ path: `${path}#page=${page}`, text }, null, range, left) });
    left -= cost;
  }
  const last = shown.at(-1)!.page;
  const end = Math.min(asked.to, pages);
  const next = last < end ? `${path}#page=${last + 1}-${end}` : null;
  const first = {
    head: `${escaped(path)}, page ${asked.from}${last > asked.from ? `-${last}` : ""} of ${pages}`,
  };
  return {
    text: [
      `${first.head}${next === null ? "" : ` (go on with "${escaped(next)}")`}`,
      ...shown.flatMap(({ page, part }) => pageBlocks(path, page, part)),
    ],
    data: {
      note: `${path}#page=${asked.from}${last > asked.from ? `-${last}` : ""}`,
      type: "application/pdf",
      pages,
      texts: shown.map(({ page, part }) => ({
        page,
        text: part.text,
        ...withoutEmpty({ lines: part.lines, cut: part.cut }),
      })),
      ...withoutEmpty({ next }),
    },
  };
}

function pageBlocks(path: string, page: number, { text, lines, cut, from }: Part): string[] {
  const place = `${escaped(path)}#page=${page}${lines === null ? "" : `, lines ${lines}`}`;
  if (text.trim() === "") return [`${place}: no text; it may be a picture of one.`];
  const warning = unseenWarning(text, from);
  return [
    `${place}${cut === null ? "" : ` (cut: ${cut})`}`,
    text,
    ...(warning === null ? [] : [`Warning about ${escaped(path)}, page ${page}: ${warning}`]),
  ];
}
