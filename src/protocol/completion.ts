/** Completion: paths, headings, folders, tags and days, as far as they are typed. */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { CompleteRequestParams, CompleteResult } from "@modelcontextprotocol/server";
import { NoteError } from "../markdown/errors.ts";
import { headingsOf } from "../markdown/sections.ts";
import type { Filter } from "../notebook/filter.ts";
import { textOf } from "../notebook/note.ts";
import type { Notebook } from "../notebook/notebook.ts";
import { folderOf, notePath } from "../notebook/paths.ts";
import { fold } from "../notebook/resolve.ts";
import type { Completed, Surface } from "../surfaces/surface.ts";
import { TEMPLATE } from "./resources.ts";

/** The protocol allows no more values. */
const MOST = 100;
const DAYS = 14;

type Values = { values: string[]; total?: number };

export const complete = async (
  surface: Surface,
  notebook: Notebook,
  { ref, argument }: CompleteRequestParams,
): Promise<CompleteResult> => {
  const kind = kindOf(surface, ref, argument.name);
  const { values, total = values.length } = kind
    ? await COMPLETIONS[kind](notebook, argument.value.slice(0, 1000))
    : { values: [] };
  const shown = values.slice(0, MOST);
  return { completion: { values: shown, total, hasMore: total > shown.length } };
};

const kindOf = (surface: Surface, ref: CompleteRequestParams["ref"], name: string): Completed | undefined => {
  if (ref.type === "ref/resource") {
    if (surface.resources && ref.uri === TEMPLATE) return name === "path" ? "note" : undefined;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no such template; there is ${TEMPLATE}.`,
    );
  }
  const prompt = surface.prompts?.find((one) => one.name === ref.name);
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no prompt of that name.");
  return prompt.arguments.find((one) => one.name === name)?.complete;
};

const COMPLETIONS: Record<Completed, (notebook: Notebook, typed: string) => Promise<Values>> = {
  async note(notebook, typed) {
    const hash = typed.indexOf(".md#");
    if (hash !== -1)
      return { values: await headings(notebook, typed.slice(0, hash + 3), typed.slice(hash + 4)) };
    const found = await notebook.find(await pathsLike(notebook, typed), { limit: MOST, sort: "modified" });
    const begins = (path: string) => Number(!fold(path).startsWith(fold(typed)));
    const paths = found.notes.map(({ path }) => path).toSorted((a, b) => begins(a) - begins(b));
    return { values: paths, total: found.total };
  },
  async folder(notebook, typed) {
    const folders = await notebook.folders(folderOf(typed));
    return { values: folders.map(({ name }) => name).filter((name) => fold(name).startsWith(fold(typed))) };
  },
  async tag(notebook, typed) {
    const wanted = fold(typed.replace(/^#/, ""));
    const tags = (await notebook.tags("all"))
      .map(({ name }) => name)
      .filter((name) => fold(name).includes(wanted));
    return { values: tags };
  },
  async date(notebook, typed) {
    const day = (ago: number) =>
      new Date(notebook.now().getTime() - ago * 86_400_000).toISOString().slice(0, 10);
    const days = ["today", "yesterday", ...Array.from({ length: DAYS }, (_, ago) => day(ago))];
    return { values: days.filter((one) => one.startsWith(typed)) };
  },
};

/** Matches notes whose name holds what was typed, below the folder that was typed before it; or below a folder that begins so. */
const pathsLike = async (notebook: Notebook, typed: string): Promise<Filter> => {
  const folder = folderOf(typed);
  const rest = typed.slice(folder === "" ? 0 : folder.length + 1).replace(/\.md$/i, "");
  const inside: Filter = folder === "" ? { all: [] } : { folder, deep: true };
  if (rest === "") return inside;
  const begun = (await notebook.folders(folder)).filter(({ name }) => fold(name).startsWith(fold(typed)));
  const below = begun.slice(0, 10).map(({ name }): Filter => ({ folder: name, deep: true }));
  return { all: [inside, { any: [{ name: rest, part: true }, ...below] }] };
};

const headings = async (notebook: Notebook, path: string, typed: string): Promise<string[]> => {
  try {
    const note = await notebook.read(notePath(path));
    const names = headingsOf(textOf(note)).filter((heading) => !heading.nested && heading.text !== "");
    const fits = names.filter((heading) => fold(heading.text).startsWith(fold(typed)));
    return [...new Set(fits.map((heading) => `${note.path}#${heading.text}`))];
  } catch (error) {
    if (error instanceof NoteError) return [];
    throw error;
  }
};
