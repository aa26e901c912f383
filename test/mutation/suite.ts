/** The tests that hold the files that keep notes safe, run as `node suite.mjs`: all of them, or some of them with one mutant switched on. */

import "../../src/disk/files.test.ts";
import "../../src/disk/files-together.test.ts";
import "../../src/disk/journal.test.ts";
import "../../src/disk/journal-pending.test.ts";
import "../../src/disk/lock.test.ts";
import "../../src/stores/folder.test.ts";
import "../../src/stores/folder-vault.test.ts";
import "../../src/stores/folder-crash.test.ts";
import "../../src/stores/folder-names.test.ts";
import "../../src/stores/folder-late.test.ts";
import "../../src/stores/oddities.test.ts";
import "../../src/markdown/frontmatter.test.ts";
import "../../src/markdown/field-edits.test.ts";
import "../faults/power.test.ts";
import { runTests } from "./runner.ts";

const atStart = $measure.reached();
const numbers = process.argv[2] ? process.argv[2].split(",").map(Number) : null;
const ran = await runTests(numbers, { stop: numbers !== null });
const failed = [...ran.values()].flatMap((each) => each.failed ?? []);
const told = JSON.stringify({ ran: [...ran], atStart, taken: $measure.taken(), failed });
process.stdout.write(`\n${told}\n`, () => process.exit(failed.length > 0 ? 1 : 0));
