/** manage_rules: knowledge bases, and the rules that every note in a folder must keep. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import { escaped, label } from "../../../markdown/label.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { folderPath } from "../../../notebook/paths.ts";
import type { Standing } from "../../../notebook/rulebook.ts";
import { sayIssue, type Base } from "../../../notebook/rules.ts";
import { REPLACES, tool, type Answer } from "../../surface.ts";
import { changedAnswer } from "../changed.ts";
import { plainFolder } from "../spelling.ts";
import { dry_run, rows } from "./parameters.ts";
import { plural, oneLine, withoutEmpty } from "../say.ts";

const GUIDE_SHOWN = 500;

export const manageRules = tool({
  name: "manage_rules",
  description:
    "Knowledge bases (a folder and a guide for its writers) and binding folder rules. set_rules answers which notes fail; rules {} lifts them. rules: {frontmatter:{required_fields:[{name,type:string|number|boolean|date|array,pattern?,allowed_values?}]},filename:{pattern},content:{min_length?,max_length?,required_sections?}}",
  annotations: { ...REPLACES, title: "Manage rules" },
  readsToo: true,
  changesRules: true,
  input: z.object({
    do: z.enum(["list", "add_base", "update_base", "set_rules"]),
    base: z.string().optional(),
    folder: z.string().optional(),
    description: z.string().optional(),
    guide: z.string().optional(),
    rules: z.record(z.string(), z.unknown()).optional(),
    dry_run,
  }),
  output: z.object({ bases: rows.optional() }),
  async run(notebook, input): Promise<Answer> {
    const how = { dryRun: input.dry_run ?? false };
    switch (input.do) {
      case "list":
        return listBases(notebook, input.base, input.folder && plainFolder(input.folder, notebook));
      case "add_base":
        return addBase(notebook, input, how);
      case "update_base":
        return updateBase(notebook, input, how);
      case "set_rules":
        return setRules(notebook, input, how);
    }
  },
});

type Input = {
  do: string;
  base?: string;
  folder?: string;
  description?: string;
  guide?: string;
  rules?: object;
};

type DryRun = { dryRun: boolean };

async function addBase(notebook: Notebook, input: Input, how: DryRun): Promise<Answer> {
  const wanted = {
    name: required(input, "base"),
    description: required(input, "description"),
    subfolder: required(input, "folder"),
    organizationRules: required(input, "guide"),
  };
  const { base, changeset } = await notebook.bases.add(wanted, how);
  return changedAnswer(changeset, [`Knowledge base "${base.name}" for "${base.subfolder}/".`]);
}

async function updateBase(notebook: Notebook, input: Input, how: DryRun): Promise<Answer> {
  const { description, folder: subfolder, guide: organizationRules } = input;
  const wanted = {
    name: required(input, "base"),
    ...withoutEmpty({ description, subfolder, organizationRules }),
  };
  const { base, changeset, notes } = await notebook.bases.update(wanted, how);
  return changedAnswer(changeset, [`Knowledge base "${base.name}".`, ...notes]);
}

async function setRules(notebook: Notebook, input: Input, how: DryRun): Promise<Answer> {
  const wanted = {
    base: required(input, "base"),
    subfolder: required(input, "folder"),
    rules: required(input, "rules"),
  };
  const made = await notebook.bases.constrain(wanted, how);
  const sentences = [`Rules of "${made.constraint.subfolder}/".`, standingSentence(made.standing)];
  return changedAnswer(made.changeset, sentences, { failing: failingNotes(made.standing) });
}

function required<K extends "base" | "folder" | "description" | "guide" | "rules">(
  input: Input,
  name: K,
): NonNullable<Input[K]> {
  const value = input[name];
  if (value !== undefined) return value as NonNullable<Input[K]>;
  throw new NoteError("input_refused", `${input.do} needs ${name}.`);
}

const failingNotes = ({ failing: total, first, checked, below }: Standing) => ({
  total,
  first: first.map(({ path, verdict }) => ({ path, issues: verdict.issues.map(sayIssue) })),
  ...(checked < below ? { checked, of: below } : {}),
});

function standingSentence(it: Standing): string {
  const seen = it.checked < it.below ? `of the first ${it.checked}` : `of ${plural(it.below, "note")}`;
  if (it.failing === 0) return `No note ${seen} fails them.`;
  const named = it.first.map(({ path, verdict }) => `${path} (${verdict.issues.map(sayIssue).join("; ")})`);
  return `${it.failing} ${seen} fail them: ${named.slice(0, 10).join(", ")}${it.failing > 10 ? " …" : ""}`;
}

/** Lists one base whole, or all of them with the beginning of their guides. */
async function listBases(
  notebook: Notebook,
  name: string | undefined,
  folder: string | undefined,
): Promise<Answer> {
  const book = await notebook.bases.book();
  const below = folder === undefined ? null : folderPath(folder);
  const wanted = (base: Base) =>
    (name === undefined || base.name === name) &&
    (below === null ||
      `${below}/`.startsWith(`${base.subfolder}/`) ||
      base.subfolder.startsWith(`${below}/`));
  const chosen = book.bases.filter(wanted);
  if (name !== undefined && chosen.length === 0)
    throw new NoteError(
      "base_missing",
      `There is no knowledge base "${name.slice(0, 100)}".${book.bases.length === 0 ? "" : ` There are: ${book.bases.map((base) => base.name).join(", ")}.`}`,
      {
        name,
        next: book.bases.length === 0 ? "add_base makes one." : "",
      },
    );
  const shown = chosen.map((base) => ({
    name: base.name,
    folder: base.subfolder,
    description: base.description,
    guide: name === undefined ? oneLine(base.organizationRules, GUIDE_SHOWN) : base.organizationRules,
    rules: book.constraints
      .filter((it) => it.base === base.name)
      .map(({ subfolder, rules }) => ({ folder: subfolder, ...rules })),
  }));
  const troubles = book.troubles.map(({ file, reason }) => `${file} ${reason}`);
  const lines = shown.flatMap((base) => [
    `${label(base.name)}: ${escaped(base.folder)}/ (${label(base.description)})`,
    ...(base.guide === "" || name !== undefined ? [] : [`  guide: ${base.guide}`]),
    ...base.rules.map(
      ({ folder: at, ...rules }) => `  rules of ${escaped(at)}/: ${escaped(JSON.stringify(rules))}`,
    ),
  ]);
  return {
    text: [
      [
        `${plural(shown.length, "knowledge base")}.`,
        ...lines,
        ...troubles.map((one) => `Trouble: ${escaped(one)}`),
      ].join("\n"),
      // A whole guide is a block of its own, as the text of a note is.
      ...shown.flatMap(({ guide }) => (name === undefined || guide === "" ? [] : [guide])),
    ],
    structured: { bases: shown, ...withoutEmpty({ troubles }) },
  };
}
