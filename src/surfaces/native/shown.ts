/** What read_notes shows of one note or file, and how much room there is for all of them together. */

import { escaped } from "../../markdown/label.ts";
import type { Image } from "../surface.ts";
import type { LineRange, Part } from "./lines.ts";
import { withoutEmpty } from "./say.ts";
import { TOKENS_ROOM } from "./token-room.ts";
import { unseenWarning } from "./unseen.ts";

/** `past`: it is asked for as it was. */
export type Wanted = { show: "text" | "outline" | "info"; range: LineRange | null; past: boolean };

/** `pending`: a change of several notes was under way when it was read. */
export type Shown = { text: string[]; data: object; image?: Image; pending?: true };

/** Tokens of text, and bytes of images: with a third more, as they are sent, these stay below the 1 MiB at which clients refuse an answer. */
export type Room = { tokens: number; images: number };
export const FULL_ROOM: Room = { tokens: TOKENS_ROOM, images: 700_000 };

/** A text below its handle, in a block of its own, and a warning of what cannot be seen in it. */
export function shownText(whole: string, path: string, part: Part, about: object = {}): Shown {
  const handle = part.handle ?? whole;
  const warning = unseenWarning(part.text, part.from);
  const place = part.lines === null ? "" : `, lines ${part.lines}`;
  const rest = part.cut === null ? "" : ` (cut: ${part.cut})`;
  return {
    text: [
      `${escaped(handle)}${place}${rest}`,
      part.text,
      ...(warning === null ? [] : [`Warning about ${escaped(path)}: ${warning}`]),
    ],
    data: {
      note: handle,
      ...about,
      ...withoutEmpty({ lines: part.lines }),
      text: part.text,
      ...withoutEmpty({ cut: part.cut, warning }),
    },
  };
}
