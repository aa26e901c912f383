/** The vault of the everyday tasks: a few hundred notes, among them those that the tasks are about, in folders that are knowledge bases so that every surface reaches them. */

import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeVault } from "./vault.ts";

const FILLING = 200;
const BASES = ["People", "Meetings", "Papers", "Projects", "Plants", "daily"];

const meeting = `---
tags: [meeting]
---
# Allotment committee, May

## Present

Mara, Teo, and most of the lower plots. See [[Mara-Lindt]] and [[Teo-Okafor]].

## Report

${"The water board wrote again about the standpipe, and the answer is with the treasurer, who will read it out next time. ".repeat(12)}

## Decisions

- The path is repaired in June.
- Compost is turned on the first Saturday.

## Tasks

- [ ] Mara: soil test
- [ ] Teo: order stones
`;
const project = (name: string): string =>
  `---\ntags: [project]\nstatus: open\n---\n# ${name}\n\n${"What is known about it so far is written down here, step by step. ".repeat(10)}\n\nAsk [[Mara-Lindt]].\n`;

/** Only what a task touches; the rest is filling. */
export const NOTES: Record<string, string> = {
  "People/Mara-Lindt.md":
    "---\ntags: [person]\n---\n# Mara Lindt\n\nPlot 14, by the gate. Soil scientist, mostly retired.\n",
  "People/Teo-Okafor.md":
    "---\ntags: [person]\n---\n# Teo Okafor\n\nPlot 3. Builds walls. Neighbour of [[Mara-Lindt]].\n",
  "Meetings/2026-05-committee.md": meeting,
  "Projects/rain-garden.md": project("Rain garden"),
  "Projects/seed-library.md": project("Seed library"),
  "Projects/tool-shed.md": project("Tool shed"),
  "Plants/garlic.md": `# Garlic

In the ground by the end of October, in the bed that had beans.

## Planting

${"Cloves stand a hand apart and two fingers deep, the flat end down, and are pressed in again after the first frosts. ".repeat(8)}

## Harvest

Out when half the leaves are brown, about the second week of July. Dry it for three weeks in the shed.

## Varieties

${"Thermidrome keeps until March, the early ones until Christmas, and what has sprouted goes to the soup first. ".repeat(8)}
`,
  "Plants/comfrey.md":
    "# Comfrey\n\nCannot be discouraged. Good for the compost, see [[compost-cornr]].\n\nTags of old: #done\n",
  "Plants/compost-corner.md":
    "---\ntags: [done]\n---\n# Compost corner\n\nThree bays, turned on Saturdays.\n",
  "Papers/2017-attention.md": "---\nyear: 2017\nauthors: [Vaswani]\n---\n# Attention\n\nAll you need.\n",
  "daily/2026-05-11.md": "# 2026-05-11\n\n## Log\n\n- rain, 12 mm\n",
};

const RULES = `---
subfolder: Papers
---

## Rules

\`\`\`yaml
frontmatter:
  required_fields:
    - {name: year, type: number}
    - {name: authors, type: array}
filename:
  pattern: "^[0-9]{4}-"
\`\`\`
`;

/** A month old, so that what a task or its past changes stands out. */
export function makeTaskVault(root: string): void {
  makeVault(root, FILLING);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(NOTES)) put(path, text);
  for (const folder of BASES)
    put(
      `.llm_bridges/knowledge_base/${folder.toLowerCase()}/meta.md`,
      `---\ncreate_time: 2026-01-01T00:00:00Z\ndescription: ${folder}\nsubfolder: ${folder}\n---\nShort notes, linked by name.\n`,
    );
  put(".llm_bridges/knowledge_base/papers/folder_constraints/Papers.md", RULES);
  const old = new Date(Date.now() - 30 * 86_400_000);
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".md")) utimesSync(join(root, name), old, old);
}
