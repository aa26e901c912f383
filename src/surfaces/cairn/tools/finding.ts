/** The three tools that find notes: by what is in them, by links, by place. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import type { Filter } from "../../../notebook/filter.ts";
import { timeNamed } from "../../../notebook/moments.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { coverageOf } from "../../fitting.ts";
import { READS, tool } from "../../surface.ts";
import { noteNamed } from "../../naming.ts";
import { toCairn, toFolder } from "../address.ts";
import * as say from "../say.ts";

const PAGE_LIMIT = 200;
const DEPTH_LIMIT = 10;
const SNIPPET = { before: 60, width: 160 };

const limit = z.number().int().optional().describe("Max results per page. Default 20.");
const cursor = z.string().optional().describe("Pagination cursor from previous response");

export const search = tool({
  name: "cairn_search",
  description:
    "Search notes by words, tags, links or time. Gives paths with snippets. At least one of query, tags, path_prefix, backlinks_to, modified_since is needed.",
  annotations: READS,
  input: z.object({
    query: z
      .string()
      .optional()
      .describe("Words, all of which must match; the last may be the beginning of a word"),
    tags: z.array(z.string()).optional().describe("Only notes with all of these tags"),
    path_prefix: z.string().optional().describe("Only notes under this path e.g. 'entities/person'"),
    backlinks_to: z.string().optional().describe("Only notes that link to this path"),
    modified_since: z.string().optional().describe("ISO date; only notes modified after it"),
    limit,
    cursor,
  }),
  async run(notebook, input) {
    const all = await filtersFor(notebook, input);
    if (all.length === 0)
      throw new NoteError(
        "input_refused",
        "Give at least one of query, tags, path_prefix, backlinks_to, modified_since.",
      );
    const sort = input.query === undefined ? "modified" : "rank";
    return say.results(await notebook.find({ all }, { ...pageOf(input), sort, snippet: SNIPPET }));
  },
});

type Search = {
  query?: string;
  tags?: string[];
  path_prefix?: string;
  backlinks_to?: string;
  modified_since?: string;
};
async function filtersFor(notebook: Notebook, input: Search): Promise<Filter[]> {
  const since = input.modified_since === undefined ? null : timeNamed(input.modified_since, notebook);
  if (input.modified_since !== undefined && !since)
    throw new NoteError(
      "input_refused",
      `"${input.modified_since}" is no ISO date. Give one such as 2026-02-24.`,
    );
  return [
    ...(input.query?.trim() ? [{ words: input.query, prefix: true }] : []),
    ...(input.tags ?? []).map((tag): Filter => ({ tag: tag.replace(/^#/, ""), from: "all" })),
    ...(input.path_prefix === undefined ? [] : [{ folder: toFolder(input.path_prefix), deep: true }]),
    ...(input.backlinks_to === undefined ? [] : [{ linksTo: await noteNamed(notebook, input.backlinks_to) }]),
    ...(since ? [{ since }] : []),
  ];
}

function pageOf(input: { limit?: number; cursor?: string }): { limit: number; cursor?: string } {
  const limit = input.limit ?? 20;
  if (limit < 1) throw new NoteError("input_refused", `limit must be from 1 to ${PAGE_LIMIT}.`);
  return {
    limit: Math.min(limit, PAGE_LIMIT),
    ...(input.cursor === undefined ? {} : { cursor: input.cursor }),
  };
}

export const links = tool({
  name: "cairn_links",
  description:
    "The link graph around a note: what links to it and what it links to. No text, only structure.",
  annotations: READS,
  input: z.object({
    path: z.string().describe("Note path"),
    depth: z.number().int().optional().describe(`Steps to follow, 1 to ${DEPTH_LIMIT}. Default 1.`),
    direction: z.enum(["in", "out", "both"]).optional().describe("Link direction. Default 'both'."),
  }),
  async run(notebook, { path: written, depth = 1, direction = "both" }) {
    if (depth < 1 || depth > DEPTH_LIMIT)
      throw new NoteError("input_refused", `depth must be from 1 to ${DEPTH_LIMIT}.`);
    const at = await noteNamed(notebook, written);
    const named = toCairn(at);
    const { total, soFar } = await notebook.find({ path: at }, { limit: 1, sort: "path" });
    // A note that is gone, or is yet to be written, is still linked to.
    const absent = total === 0 && !soFar && direction !== "out";
    const dangling = absent ? await notebook.links({ written: named }) : [];
    const nowhere = dangling.filter((link) => link.path === null);
    if (nowhere.length > 0) return say.graph(named, nowhere, [], depth, coverageOf(notebook));
    const around = (await notebook.read(at)).path;
    const side = async (one: "in" | "out") =>
      direction === one || direction === "both" ? notebook.links({ around, depth, direction: one }) : [];
    return say.graph(named, await side("in"), await side("out"), depth, coverageOf(notebook));
  },
});

export const list = tool({
  name: "cairn_list",
  description: "List notes under a path prefix: path, title, type, time. No text.",
  annotations: READS,
  input: z.object({
    path_prefix: z.string().optional().describe("Path prefix to list. Default: root (all notes)."),
    recursive: z.boolean().optional().describe("Include nested paths. Default false."),
    sort: z
      .enum(["modified", "created", "alpha"])
      .optional()
      .describe("Default 'modified' (most recent first)."),
    limit,
    cursor,
  }),
  async run(notebook, input) {
    const folder = toFolder(input.path_prefix ?? "");
    const deep = input.recursive ?? folder === "";
    const sort = input.sort === "alpha" ? "path" : (input.sort ?? "modified");
    return say.listing(
      input.path_prefix ?? "",
      await notebook.find({ folder, deep }, { ...pageOf(input), sort }),
    );
  },
});
