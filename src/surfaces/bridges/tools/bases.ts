/** The four tools for knowledge bases and the rules of their folders. */

import { z } from "zod";
import { ADDS, READS, REPLACES, tool } from "../../surface.ts";
import { constrainedFolder } from "../address.ts";
import * as say from "../say.ts";

export const listBases = tool({
  name: "list_knowledge_bases",
  description:
    "List the knowledge bases: name, description, folder and the beginning of their organization rules.",
  annotations: READS,
  input: z.object({}),
  async run(notebook) {
    const { bases, troubles } = await notebook.bases.book();
    return say.bases(bases, troubles);
  },
});

export const addBase = tool({
  name: "add_knowledge_base",
  description:
    "Make a folder of the vault a knowledge base, with rules for whoever writes in it. Folders of bases may not overlap.",
  annotations: ADDS,
  changesRules: true,
  input: z.object({
    name: z.string().describe("Unique name: letters, digits, - and _, at most 100"),
    description: z.string().describe("What it is for, for people"),
    subfolder: z.string().describe("Its folder, from the vault's root, e.g. 'research/ai'"),
    organization_rules: z.string().describe("How its notes are to be written and kept, in words"),
  }),
  async run(notebook, { organization_rules: organizationRules, ...input }) {
    const { base } = await notebook.bases.add({ ...input, organizationRules });
    return { knowledge_base: say.baseDetails(base), next_steps: say.NEXT_STEPS };
  },
});

export const updateBase = tool({
  name: "update_knowledge_base",
  description:
    "Change the description, folder or organization rules of a knowledge base. A new folder moves no notes.",
  annotations: REPLACES,
  changesRules: true,
  input: z.object({
    name: z.string().describe("Name of the knowledge base"),
    description: z.string().optional().describe("New description"),
    subfolder: z.string().optional().describe("New folder, from the vault's root"),
    organization_rules: z.string().optional().describe("New organization rules"),
  }),
  async run(notebook, { organization_rules: organizationRules, ...input }) {
    const { base, notes } = await notebook.bases.update({ ...input, organizationRules });
    return { knowledge_base: say.baseDetails(base), notes: notes.map((message) => ({ message })) };
  },
});

export const constrainFolder = tool({
  name: "add_knowledge_base_folder_constraint",
  description:
    "Set the rules that every note below a folder must satisfy; writes that break them are refused. Replaces the rules the folder had; {} asks for nothing. The most specific folder's rules apply alone.",
  annotations: REPLACES,
  changesRules: true,
  input: z.object({
    kb_name: z.string().describe("Name of the knowledge base"),
    subfolder: z
      .string()
      .describe("Folder inside the base, from the vault's root, e.g. 'research/ai/papers'"),
    // Not a record of zod's: that would drop a key `__proto__` unseen, where an unknown key is refused.
    rules: z
      .unknown()
      .meta({ type: "object" })
      .describe(
        "{frontmatter: {required_fields: [{name, type: string|number|boolean|date|array, pattern?, allowed_values?}]}, filename: {pattern}, content: {min_length?, max_length?, required_sections?}}; each part may be left out. Patterns: RE2 syntax, no lookaround, no back references",
      ),
  }),
  async run(notebook, { kb_name: base, subfolder: written, rules }) {
    const subfolder = await constrainedFolder(notebook, base, written);
    const { constraint, standing } = await notebook.bases.constrain({ base, subfolder, rules });
    return say.constrained(constraint, standing);
  },
});
