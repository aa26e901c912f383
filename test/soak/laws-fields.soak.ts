/** T5 in full: the laws of splicing fields. By themselves, because they take as long as all the others. */

import "./fifty.ts";
import "../../src/markdown/edit-laws.test.ts";
import { scaled, tellAtTheEnd } from "./figures.ts";

tellAtTheEnd(`T5, laws of fields, ${scaled(50) * 2000} cases each`);
