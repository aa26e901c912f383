/** Surface and Tool: a dialect as a table of values, and how its refusals are worded. */

import type { z } from "zod";
import type { NoteError } from "../markdown/errors.ts";
import type { Notebook } from "../notebook/notebook.ts";

export type Annotations = {
  title?: string;
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: false;
};

export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const ADDS: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
/** Called again, it changes nothing but the time of the change (test/idempotent.test.ts). */
export const REPLACES: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};
/** Called again, it changes more: text is found and replaced once more, or the next note of that name goes. */
export const EDITS: Annotations = { ...REPLACES, idempotentHint: false };
export const REMOVES: Annotations = EDITS;

/** Words for a reader, one block of text each, beside the same as data. */
export type Worded = { text: string[]; structured: object };
/** An image of the vault, byte for byte. */
export type Image = { bytes: Uint8Array; type: string };
/** Texts and images in their order, and no data beside them: some clients then show the data alone. */
export type Illustrated = { blocks: (string | Image)[] };
/** An answer: text as it is; an object, which goes out as structured content and as JSON text; text with a remark in a block of its own; words beside data; or texts and images. */
export type Answer = string | object | { text: string; remark: string } | Worded | Illustrated;

export type Tool = {
  name: string;
  /** A call by one of these names is answered, too. */
  aliases?: string[];
  description: string;
  annotations: Annotations;
  input: z.ZodObject;
  /** What clients are shown instead of `input`, where a call may leave out what the spec requires and is still answered by the tool. */
  advertised?: z.ZodObject;
  output?: z.ZodObject;
  /** It writes only for some calls, so a read-only server keeps it; the calls that would write are refused there. */
  readsToo?: true;
  /** It changes rules, which is kept to whoever administers the vault. */
  changesRules?: true;
  /** The spec promises a whole note, so the answer may be as large as a note may. */
  wholeNote?: true;
  run(notebook: Notebook, input: any): Promise<Answer>;
};

/** What a client may be helped to fill in. */
export type Completed = "note" | "folder" | "tag" | "date";
export type Prompt = {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required?: true; complete?: Completed }[];
  /** The message to the model, for arguments that were checked to be there. It never holds text of a note. */
  text(given: Record<string, string | undefined>): string;
};

export type Surface = {
  name: string;
  instructions: string;
  tools: Tool[];
  /** Arguments whose type is only written otherwise are taken for what they mean (protocol/coercion.ts). */
  coerces?: true;
  /** Notes can be read, listed and subscribed to as resources, too. */
  resources?: true;
  prompts?: Prompt[];
  /** How this dialect words a refusal. */
  explain(error: NoteError): string | object;
  /** Added once, to the first good answer on a connection; built when the connection begins. */
  opening?(notebook: Notebook): Promise<string>;
};

/** Ties the type of `input` to `run`; does nothing at run time. */
export const tool = <S extends z.ZodObject>(
  it: Omit<Tool, "input" | "run"> & { input: S; run(notebook: Notebook, input: z.infer<S>): Promise<Answer> },
): Tool => it;
