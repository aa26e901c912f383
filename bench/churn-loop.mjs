/** Changes a vault for ever, as fast as a loop can, until it is killed: `node churn-loop.mjs rename|create|append FOLDER`. */

import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [kind, folder] = process.argv.slice(2);
const NOTES = 100;
/** A note that is appended to for ever would fill the disk. */
const LONGEST = 1000;
const place = join(folder, "churn");
const [here, there] = [join(place, "here"), join(place, "there")];
const note = (number) => join(here, `Churned ${number}.md`);
rmSync(place, { recursive: true, force: true });
mkdirSync(here, { recursive: true });
for (let number = 0; number < NOTES; number++)
  writeFileSync(note(number), `# Churned ${number}\n\n[[Note 1]]\n`);

const LOOPS = {
  rename() {
    renameSync(here, there);
    renameSync(there, here);
  },
  create(round) {
    const path = note(`new ${round % NOTES}`);
    writeFileSync(path, `made in round ${round}\n`);
    rmSync(path);
  },
  append(round) {
    const path = note(round % NOTES);
    appendFileSync(path, "more\n");
    if (Math.floor(round / NOTES) % LONGEST === LONGEST - 1) truncateSync(path);
  },
};
process.stdout.write("churning\n");
for (let round = 0; ; round++) LOOPS[kind](round);
