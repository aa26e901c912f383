/** Links of every odd form: out of the vault, to nothing, to themselves, to other protocols, to machines that must not hear of us. */

import { writeFileSync } from "node:fs";
import { file, MARK, type Item } from "./item.ts";

/** None of these can lead to a note, so all are broken links, where they are links to notes at all. */
const BROKEN = [
  "[[../../outside/secret]]",
  "[[../outside/secret.md]]",
  "[[/etc/passwd]]",
  "[[~/.ssh/id_rsa]]",
  "[[files/link outside]]",
  "[[no such note]]",
  "[[no such note#heading|label]]",
  "![[no such note]]",
  "[a](../../../etc/passwd.md)",
  "[a](<no such note.md>)",
  "[a](no%20such%20note.md)",
  "[a](%2e%2e/%2e%2e/outside/secret.md)",
  "[a]: none.md\n\n[a]",
  "[[.obsidian/app]]",
  "[[.git/config]]",
  "[[NUL/CON]]",
  `[[${"deep/".repeat(300)}x]]`,
];
const OTHER = [
  "[a](javascript:alert(1))",
  "[a](data:text/html,<script>alert(1)</script>)",
  "[a](file:///etc/passwd)",
  "[a](vbscript:x)",
  "[a](obsidian://open?vault=x)",
  "[a](mailto:a@b.c)",
  "[a](//host/share)",
  "[a](\\\\host\\share)",
  "![](http://169.254.169.254/latest/meta-data/)",
  "<http://169.254.169.254/>",
  "<script src=http://169.254.169.254/x.js></script>",
  "[[]]",
  "[[ ]]",
  "[[#]]",
  "[[|]]",
  "[[#heading]]",
  "[[^block]]",
  "[[a|b|c|d]]",
  "[[a[[b]]c]]",
  "[[a\nb]]",
  "[](empty)",
  "[a]()",
  "[a](#)",
  "[a](?)",
  "[[\u0000]]",
  "[[\u202egnp.md]]",
  "[[😀]]",
  "[a](b\\)c.md)",
  "[a](b (c) d.md)",
];

/** A page of requests, each to the listening canary: none may arrive. */
const beacons = (port: number): string =>
  [
    `---\nsource: http://127.0.0.1:${port}/field\nimage: "http://localhost:${port}/image"\n$schema: http://127.0.0.1:${port}/schema\n---`,
    `![](http://127.0.0.1:${port}/image.png)`,
    `![[http://127.0.0.1:${port}/embed]]`,
    `[a](http://127.0.0.1:${port}/link)`,
    `<img src="http://127.0.0.1:${port}/html">`,
    `<iframe src="http://127.0.0.1:${port}/frame"></iframe>`,
    `[ref]: http://127.0.0.1:${port}/definition`,
    `<http://[::1]:${port}/six>`,
    MARK,
    "",
  ].join("\n\n");

export const links = (): Item[] => [
  ...BROKEN.map((link, at) => file(`links/broken ${at}.md`, `${MARK}\n\n${link}\n`, "broken_links")),
  ...OTHER.map((link, at) => file(`links/other ${at}.md`, `${MARK}\n\n${link}\n`)),
  { path: "links/beacons.md", plant: (at, world) => writeFileSync(at, beacons(world.port)) },
];
