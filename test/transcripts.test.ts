/** Runs every transcript. With TRANSCRIPTS=accept it writes what was answered instead of comparing. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { surfaces } from "./surfaces.ts";
import { parseTranscript, runCase } from "./transcript.ts";

const FOLDER = "test/transcripts";
const accept = process.env.TRANSCRIPTS === "accept";

for (const surface of surfaces) {
  const names = readdirSync(`${FOLDER}/${surface.name}`).filter((name) => name.endsWith(".md"));
  describe(surface.name, () => {
    test("has transcripts", () => expect(names.length).toBeGreaterThan(0));

    describe.each(names)("%s", (name) => {
      const path = `${FOLDER}/${surface.name}/${name}`;
      const { head, cases } = parseTranscript(readFileSync(path, "utf8"));
      const accepted = cases.map((it) => it.text);
      test.each(cases.map((it, at) => [it.title, it.text, at] as const))("%s", async (_, text, at) => {
        const rendered = await runCase(surface, head, text);
        const ended = at < cases.length - 1 ? `${rendered}\n` : rendered;
        if (accept) accepted[at] = ended;
        else expect(ended).toBe(text);
      });
      if (accept) afterAll(() => writeFileSync(path, `${head.trimEnd()}\n\n${accepted.join("")}`));
    });
  });
}
