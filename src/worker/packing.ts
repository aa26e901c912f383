/** How bodies of notes are packed in the index at the edge, where what is stored is paid for (decision 32). */

import { deflatedAtOnce, inflatedAtOnce } from "../history/deflate.ts";
import type { Sql } from "../sqlite/sql.ts";

export const packing: NonNullable<Sql["packing"]> = {
  pack: (text) => deflatedAtOnce(new TextEncoder().encode(text)),
  unpack: (bytes) => new TextDecoder().decode(inflatedAtOnce(bytes)),
};
