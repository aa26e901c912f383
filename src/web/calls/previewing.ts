/** How a note begins, for a glance at it: a few paragraphs, never the whole. */

import { z } from "zod";
import { notePath } from "../../notebook/paths.ts";
import type { Note } from "../../notebook/note.ts";
import { READS, tool } from "../../surfaces/surface.ts";
import type { Preview } from "../wire.ts";
import { linksOf } from "./reading.ts";

const LENGTH = 900;

export const preview = tool({
  name: "preview",
  description: "How a note, or a section of it, begins.",
  annotations: READS,
  input: z.object({ path: z.string(), section: z.string().optional() }),
  async run(notebook, { path: written, section }): Promise<Preview> {
    const path = notePath(written);
    const note = await notebook.read(path);
    const { text, cut } = beginning(note, section);
    return { path, title: note.title, text, cut, links: await linksOf(notebook, path) };
  },
});

/** Whole paragraphs as far as they go in; a longer one is cut. */
const beginning = (note: Note, section: string | undefined): { text: string; cut: boolean } => {
  const body = bodyOf(note, section);
  if (body.length <= LENGTH) return { text: body, cut: false };
  const room = body.slice(0, LENGTH);
  const end = room.lastIndexOf("\n\n");
  return {
    text: end > LENGTH / 3 ? room.slice(0, end) : `${room.replace(/[\uD800-\uDBFF]$/, "")}…`,
    cut: true,
  };
};

/** From the section's heading on, where there is one of that name. */
const bodyOf = ({ text, front, headings, title }: Note, section: string | undefined): string => {
  if (text === null) return "";
  const heading = section === undefined ? undefined : headings.find((one) => one.text === section);
  if (heading)
    return text
      .split("\n")
      .slice(heading.line - 1)
      .join("\n");
  const body = text.slice(front.bodyStart).trimStart();
  const [, first] = /^# (.*?)\s*(?:\n|$)/.exec(body) ?? [];
  return first === title ? body.replace(/^# .*(?:\n|$)/, "").trimStart() : body;
};
