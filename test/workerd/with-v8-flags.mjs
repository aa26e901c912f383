/** Adds flags for V8 to the settings of a workerd, which the simulator has no option for: a message of Cap'n Proto from stdin to stdout. */

import { readFileSync } from "node:fs";

const WORD = 8;
/** Kinds of pointers, and of what a list holds. */
const [LIST, BYTES, POINTERS] = [1, 2, 6];
/** `v8Flags` is the third of Config's pointers. */
const V8_FLAGS = 2;

const flags = process.argv.slice(2);
const message = readFileSync(0);
const segments = message.readUInt32LE(0) + 1;
const head = message.subarray(0, WORD * Math.ceil((1 + segments) / 2));
const size = message.readUInt32LE(4);
const first = message.subarray(head.length, head.length + WORD * size);

/** Words from behind one pointer to what it points to, and what that is. */
const putPointer = (bytes, at, words, count, kind) => {
  bytes.writeUInt32LE(((words << 2) | LIST) >>> 0, at);
  bytes.writeUInt32LE(((count << 3) | kind) >>> 0, at + 4);
};

const config = 1 + (first.readInt32LE(0) >> 2);
const slot = config + first.readUInt16LE(4) + V8_FLAGS;
if (first.readUInt16LE(6) <= V8_FLAGS || first.readBigUInt64LE(WORD * slot) !== 0n)
  throw new Error("The settings are not of the form that is known here.");
putPointer(first, WORD * slot, size - slot - 1, flags.length, POINTERS);

const pointers = Buffer.alloc(WORD * flags.length);
const texts = flags.map((flag) =>
  Buffer.alloc(WORD * Math.ceil((flag.length + 1) / WORD), 0).fill(flag, 0, flag.length),
);
let end = flags.length;
flags.forEach((flag, at) => {
  putPointer(pointers, WORD * at, end - at - 1, flag.length + 1, BYTES);
  end += texts[at].length / WORD;
});
head.writeUInt32LE(size + end, 4);
process.stdout.write(
  Buffer.concat([head, first, pointers, ...texts, message.subarray(head.length + first.length)]),
);
