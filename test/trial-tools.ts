/** Tools that end badly, for surfaces to try a server with. */

import { z } from "zod";
import { NoteError } from "../src/markdown/errors.ts";
import { READS, tool } from "../src/surfaces/surface.ts";

export const refuses = tool({
  name: "refuse",
  description: "Refuses.",
  annotations: READS,
  input: z.object({}),
  run: async () => {
    throw new NoteError("busy", "Come back later.");
  },
});

export const breaks = (message: string) =>
  tool({
    name: "break",
    description: "Fails in a way nobody foresaw.",
    annotations: READS,
    input: z.object({}),
    run: async () => {
      throw new Error(message);
    },
  });
