/** What `push` and `pull` have in common: both copies are listed, what would go where is worked out and asked for, then carried. */

import { blobId } from "../disk/hash.ts";
import { escaped, printableJson } from "../markdown/label.ts";
import { carry, type Done } from "../sync/carry.ts";
import { planCarrying, type Carrying } from "../sync/plan.ts";
import { openRemote, vaultAddress } from "../sync/remote.ts";
import { notebookSide, type Whole } from "../sync/side.ts";
import { realFolder } from "../vault/places.ts";
import { accessToken } from "./access-token.ts";
import { openAgreed } from "./agreed-file.ts";
import { goesAhead } from "./install/asking.ts";
import { say, withVault, type Opened } from "./opened-vault.ts";
import { count, plural, progressOn } from "./progress.ts";
import { wholeInTime } from "./server-index.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { pasted } from "./shell-word.ts";

type Verb = "push" | "pull";
const WORDS = {
  push: { to: "there", other: "pull", doing: "Pushing", done: "pushed", did: "Pushed" },
  pull: { to: "here", other: "push", doing: "Pulling", done: "pulled", did: "Pulled" },
} as const;

/** More removals than this many, or than one note of so many, are asked for. */
const REMOVALS = 20;
const ONE_IN = 10;

export const carryCommand =
  (verb: Verb) =>
  async (settings: Settings, environment: Environment): Promise<void> => {
    const { values } = settings;
    const { folder, url } = wordsIn(settings.rest, verb);
    const address = vaultAddress(url);
    const token = accessToken(values["token-file"], environment);
    const dryRun = values["dry-run"] !== undefined;
    const to = dryRun ? "look" : "change";
    await withVault({ call: `${verb} ~/Notes ${url}`, folder, to }, settings, environment, async (open) => {
      if (dryRun) await open.notebook.refresh();
      const who = { client: "notewright", surface: "cli", tool: verb, connection: "" };
      const here = notebookSide(open.notebook.as({ ...who, patience: "endless" }));
      const there = openRemote(address, token);
      const [source, target] = verb === "push" ? [here, there] : [there, here];
      const { agreed, add } = openAgreed(environment, realFolder(open.vault.root), address);
      const [from, into] = [await wholeInTime(source), await wholeInTime(target)];
      const plan = planCarrying(from, into, agreed, WORDS[verb].to);
      const asked = questions(plan, verb, agreed.lines().length === 0);
      if (dryRun) for (const question of asked) say(question);
      else for (const question of asked) if (!(await goesAhead(`${question} Go on?`, values))) return;
      const { doing, done } = WORDS[verb];
      const progress = progressOn(process.stderr, environment, { doing, done });
      const versionOf = blobId;
      const carried = await carry(plan, {
        source,
        target,
        to: WORDS[verb].to,
        versionOf,
        dryRun,
        record: add,
        progress,
      });
      print(carried, { json: values.json !== undefined, all: dryRun });
      summary(carried, plan, { verb, address, dryRun, open, left: from });
      if (carried.some((one) => one.do === "refuse")) process.exitCode = 1;
    });
  };

/** The folder may be left out; the address may not. */
const wordsIn = (rest: readonly string[], verb: Verb): { folder: string | undefined; url: string } => {
  const urls = rest.filter((word) => /^https?:/i.test(word));
  const folders = rest.filter((word) => !urls.includes(word));
  const [url] = urls;
  if (url === undefined || urls.length > 1 || folders.length > 1)
    throw usageError(
      `${verb} takes a folder and an address: notewright ${verb} ~/Notes https://notes.example.org/garden`,
    );
  return { folder: folders[0], url };
};

/** What is asked before anything is changed: where many notes would go, and where two copies meet that both hold notes. */
const questions = ({ steps, held }: Carrying, verb: Verb, never: boolean): string[] => {
  const asked: string[] = [];
  const [where, size] = [verb === "push" ? "there" : "in this vault", held.target.size];
  if (never && steps.length > 0 && size > 0)
    asked.push(
      `These two never met: ${plural(steps.length, "note")} would come to the ${count(size)} that ${size === 1 ? "is" : "are"} ${where}.`,
    );
  const removed = steps.filter((step) => step.do === "remove").length;
  if (removed > REMOVALS || removed * ONE_IN > size)
    asked.push(
      `${count(removed)} of ${plural(size, "note")} would be removed ${where}, because the other side has them no more.`,
    );
  return asked;
};

/** With `all`, one line for each note; else those that a person should look at. */
const print = (carried: readonly Done[], { json, all }: { json: boolean; all: boolean }): void => {
  for (const one of carried)
    if (json) process.stdout.write(`${printableJson(one)}\n`);
    else if (all || ["merge", "copy", "refuse"].includes(one.do)) process.stdout.write(`${line(one)}\n`);
};

const line = ({ do: what, path, from, copy, reason }: Done): string => {
  const more =
    from !== null
      ? ` (from ${from})`
      : copy !== null
        ? ` (both changed; kept beside it as ${copy})`
        : reason === null
          ? ""
          : ` (${reason})`;
  const shown = what === "copy" ? "conflict" : what === "refuse" ? "left" : what;
  return `${shown.padEnd(8)}  ${escaped(path + more)}`;
};

const KINDS: readonly (readonly [Done["do"], string])[] = [
  ["create", "created"],
  ["update", "updated"],
  ["move", "moved"],
  ["merge", "merged"],
  ["copy", "kept as conflict copies"],
  ["remove", "removed"],
];

type Told = { verb: Verb; address: string; dryRun: boolean; open: Opened; left: Whole };

const summary = (
  carried: readonly Done[],
  { waiting }: Carrying,
  { verb, address, dryRun, open, left }: Told,
): void => {
  const of = (what: Done["do"]): number => carried.filter((one) => one.do === what).length;
  const counts = KINDS.flatMap(([what, words]) => (of(what) === 0 ? [] : [`${count(of(what))} ${words}`]));
  const where = verb === "push" ? `to ${address}` : `from ${address}`;
  if (counts.length === 0) say(`There is nothing to ${verb} ${where}.`);
  else if (dryRun) say(`This would ${verb} ${where}: ${counts.join(", ")}. Nothing was changed.`);
  else say(`${WORDS[verb].did} ${where}: ${counts.join(", ")}.`);
  if (waiting > 0)
    say(
      `${count(waiting)} changed on the other side: ${pasted([WORDS[verb].other, address], open.vault)} brings that.`,
    );
  const refused = of("refuse");
  if (refused === 1) say("1 was left as it is; the line above says why.");
  if (refused > 1) say(`${count(refused)} were left as they are; the lines above say why.`);
  const { attachments } = left;
  if (attachments > 0)
    say(
      `${plural(attachments, "other file")} (images, PDFs …) ${attachments === 1 ? "stays where it is" : "stay where they are"}: only notes are carried.`,
    );
};
