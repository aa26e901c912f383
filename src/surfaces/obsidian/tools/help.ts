/** get_help: lists the tools of the obsidian surface. */

import { z } from "zod";
import { READS, tool, type Tool } from "../../surface.ts";
import * as say from "../say.ts";

/** The list is asked for when the tool is called, because the tool stands in it, too. */
export const getHelp = (tools: () => readonly Tool[]): Tool =>
  tool({
    name: "get_help",
    description: "All tools with their parameters and descriptions.",
    annotations: READS,
    input: z.object({}),
    run: async () => tools().map(say.helpEntry),
  });
