/** Rule files: what a knowledge base and a constraint look like as Markdown that people may edit by hand. */

import { setField } from "../markdown/field-edits.ts";
import { readFront, type Value } from "../markdown/frontmatter.ts";
import { readYaml } from "../markdown/yaml-read.ts";
import { blockYaml } from "../markdown/yaml-write.ts";
import { NoteError } from "../markdown/errors.ts";
import { folderPath } from "../notebook/paths.ts";
import type { Base, RuleSet } from "../notebook/rules.ts";
import { readRuleSet } from "./rule-set.ts";

/** What the file says; or why it cannot be used (words that follow its name in a sentence), and the folder it seems to be for. */
export type Read<T> = { value: T } | { reason: string; subfolder: string | null };

export function readMeta(name: string, text: string): Read<Base> {
  const folder = readSubfolder(text);
  if ("reason" in folder) return folder;
  const { front, fields } = readFront(text);
  const { description = "", create_time: createTime = "" } = fields;
  if (typeof (description ?? "") === "object" || typeof (createTime ?? "") === "object")
    return { reason: "has a `description` or `create_time` that is not text", subfolder: folder.value };
  return {
    value: {
      name,
      description: String(description ?? ""),
      subfolder: folder.value,
      organizationRules: unframed(text.slice(front.bodyStart), lineEnding(text)),
      createTime: String(createTime ?? ""),
    },
  };
}

/** `old` is the file as it stands, "" for a new one; what it holds beside the base is kept. */
export function writeMeta(old: string, base: Base): string {
  const before = old === "" ? null : readMeta(base.name, old);
  const was = before && "value" in before ? before.value : null;
  let text = old;
  if (was?.createTime !== base.createTime) text = setField("create_time", base.createTime)(text);
  if (was?.description !== base.description) text = setField("description", base.description)(text);
  if (was?.subfolder !== base.subfolder) text = setField("subfolder", base.subfolder)(text);
  if (was?.organizationRules === base.organizationRules) return text;
  const eol = lineEnding(text);
  const head = text.slice(0, readFront(text).front.bodyStart);
  return `${head}${head.endsWith("\n") ? "" : eol}${eol}${base.organizationRules}${eol}`;
}

const lineEnding = (text: string): string => (/^[^\n]*\r\n/.test(text) ? "\r\n" : "\n");

// The blank line before the text and the line ending after it belong to the file; all else belongs to the text.
function unframed(body: string, eol: string): string {
  const inner = body.startsWith(eol) ? body.slice(eol.length) : body;
  return inner.endsWith(eol) ? inner.slice(0, -eol.length) : inner;
}

export function readConstraint(text: string): Read<{ subfolder: string; rules: RuleSet }> {
  const folder = readSubfolder(text);
  if ("reason" in folder) return folder;
  const subfolder = folder.value;
  const block = rulesBlock(text);
  if ("reason" in block) return { ...block, subfolder };
  const source = text.slice(block.start, block.end);
  // Its complaints count lines as if it were frontmatter, which begins on the second; the lines above make them those of the file.
  const above = text.slice(0, block.start).split("\n").length - 2;
  const yaml = readYaml("\n".repeat(Math.max(0, above)) + source);
  if ("trouble" in yaml)
    return { reason: `has a yaml block that cannot be read: ${yaml.trouble}`, subfolder };
  // Lines that were only commented out must not lift the rules unseen.
  if (Object.keys(yaml.fields).length === 0 && !/^\s*\{\s*\}\s*$/.test(source))
    return { reason: "has an empty yaml block; write {} for no rules", subfolder };
  try {
    return { value: { subfolder, rules: readRuleSet(yaml.fields) } };
  } catch (error) {
    if (error instanceof NoteError)
      return { reason: `holds rules that cannot be used: ${sentenceEnd(error)}`, subfolder };
    throw error;
  }
}

export const sentenceEnd = (error: NoteError): string => error.message.replace(/\.$/, "");

/** `old` is the file as it stands, "" for a new one; only the block with the rules is replaced, where there is one. */
export function writeConstraint(old: string, subfolder: string, rules: RuleSet): string {
  const block = rulesBlock(old);
  const folder = readSubfolder(old);
  if (!("reason" in block) && !("reason" in folder))
    return old.slice(0, block.from) + fenced(rules, lineEnding(old)) + old.slice(block.to);
  return `${setField("subfolder", subfolder)("")}\n## Rules\n\n${fenced(rules, "\n")}`;
}

function fenced(rules: RuleSet, eol: string): string {
  const yaml = Object.keys(rules).length === 0 ? "{}" : blockYaml(rules as { [key: string]: Value }, "", eol);
  const longest = Math.max(2, ...[...yaml.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}yaml${eol}${yaml}${eol}${fence}${eol}`;
}

function readSubfolder(text: string): { value: string } | { reason: string; subfolder: string | null } {
  const { front, fields } = readFront(text);
  const written = fields["subfolder"];
  if (typeof written === "string" || typeof written === "number") {
    const value = folderOrNull(String(written));
    if (value !== null) return { value };
    return { reason: `names the folder ${JSON.stringify(written)}, which cannot be one`, subfolder: null };
  }
  // A folder that a person can still read in a damaged file is the one to close.
  const line = /^subfolder:[ \t]*(["']?)([\p{L}\p{N}][^\r\n"'[\]{}#]*?)\1[ \t]*\r?$/mu.exec(text);
  const reason =
    front.trouble === null
      ? "has no field `subfolder` that names a folder"
      : `has frontmatter that cannot be read: ${front.trouble}`;
  return { reason, subfolder: line && folderOrNull(line[2]!) };
}

function folderOrNull(written: string): string | null {
  try {
    return folderPath(written) || null;
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}

/** The one fenced yaml block: offsets of its inside, and of the whole with its fences. */
type Block = { start: number; end: number; from: number; to: number };

function rulesBlock(text: string): Block | { reason: string } {
  const blocks: Block[] = [];
  let open: { mark: string; yaml: boolean; from: number; start: number } | null = null;
  for (let at = readFront(text).front.bodyStart; at < text.length;) {
    const next = text.indexOf("\n", at) + 1 || text.length;
    const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*(.*?)\s*$/.exec(text.slice(at, next));
    if (fence && !open) open = { mark: fence[1]!, yaml: /^ya?ml$/i.test(fence[2]!), from: at, start: next };
    else if (fence && open && fence[2] === "" && fence[1]!.startsWith(open.mark)) {
      if (open.yaml) blocks.push({ start: open.start, end: at, from: open.from, to: next });
      open = null;
    }
    at = next;
  }
  if (open?.yaml) return { reason: "has a yaml block without an end" };
  if (blocks.length > 1) return { reason: "has more than one yaml block; keep one" };
  return blocks[0] ?? { reason: "has no yaml block with rules" };
}
