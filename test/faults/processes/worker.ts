/** One process of several on a vault: writes until it has written enough or is killed, and says what it was promised. */

import { join } from "node:path";
import { setField } from "../../../src/markdown/field-edits.ts";
import { dice } from "../dice.ts";
import { openTestFolder } from "../notebook.ts";
import { notePathOf, type Said } from "./words.ts";

const [folder = "", name = "", from = "0", to = "0", notes = "0", durability = "fast"] =
  process.argv.slice(2);
const say = (said: Said): void => void process.stdout.write(`${JSON.stringify(said)}\n`);
const chance = dice([...`${name} ${from}`].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));

let wait = 0;
const { notebook, close } = await openTestFolder(join(folder, "vault"), {
  index: join(folder, "index.db"),
  durability: durability === "full" ? "full" : "fast",
  waiting: (milliseconds) => (wait = Math.max(wait, milliseconds)),
});
for (let at = Number(from); at < Number(to); at++) {
  const token = `${name}-${at}`;
  const roll = chance.below(10);
  const one = chance.below(Number(notes));
  const other = (one + 1 + chance.below(Number(notes) - 1)) % Number(notes);
  const kind = roll === 0 ? "pair" : roll === 1 ? "field" : "append";
  const touched = kind === "pair" ? [one, other] : [one];
  const edit =
    kind === "field" ? setField(`by-${name}`, String(at)) : (text: string): string => `${text}${token}\n`;
  say({ begun: token, kind, notes: touched });
  wait = 0;
  await notebook
    .as({ client: name, surface: "test", tool: kind, connection: name })
    .edit(touched.map((number) => ({ path: notePathOf(number), edits: [edit] })));
  say({ done: token, wait });
}
await close();
