/** T5 in full, but for the fields (laws-fields.soak.ts): the laws of keeping line ends, rewriting links, normalising paths, comparing and merging, and of parsing anything at all. */

import "./fifty.ts";
import "../../src/markdown/section-edits.test.ts";
import "../../src/markdown/links.test.ts";
import "../../src/markdown/plain-yaml.test.ts";
import "../../src/markdown/commonmark.test.ts";
import "../../src/markdown/note.test.ts";
import "../../src/markdown/diff.test.ts";
import "../../src/markdown/merge.test.ts";
import "../../src/notebook/paths.test.ts";
import "../../src/notebook/query.test.ts";
import "../../src/notebook/move-laws.test.ts";
import { scaled, tellAtTheEnd } from "./figures.ts";

tellAtTheEnd(`T5, laws of texts, links, paths and merges, ${scaled(50) * 2000} cases each`);
