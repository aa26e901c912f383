/** Another program that saves a note again and again, as editors do: in place, or by putting a new file in its place. */

import * as fs from "node:fs";

/** `saw`: whether its own last text was still there when it read the note to save the next. */
export type Saved = { saved: number; saw: boolean };

const [path = "", way = "in place", every = "5"] = process.argv.slice(2);
const line = (number: number): string => `editor ${number}\n`;
let number = 0;

function save(): void {
  number++;
  const file = fs.openSync(path, "r+");
  const before = fs.readFileSync(file, "utf8");
  const text = before.replace(/^editor \d+\n/m, line(number));
  // A note that somebody else is just emptying is not saved over.
  if (text !== before) {
    if (way === "in place") {
      fs.ftruncateSync(file, 0);
      fs.writeSync(file, text, 0);
    } else {
      fs.writeFileSync(`${path}~`, text);
      fs.renameSync(`${path}~`, path);
    }
    const said: Saved = { saved: number, saw: before.includes(line(number - 1)) };
    fs.writeSync(1, `${JSON.stringify(said)}\n`);
  } else number--;
  fs.closeSync(file);
}

const timer = setInterval(() => {
  try {
    save();
  } catch (error) {
    // Between two names of the note there may be a moment without one.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}, Number(every));
process.stdin.on("end", () => clearInterval(timer));
process.stdin.resume();
