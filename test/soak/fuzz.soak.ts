/** T13 in full: a hundred thousand lines. */

import "./fifty.ts";
import "../fuzz.test.ts";
import { tellAtTheEnd } from "./figures.ts";

tellAtTheEnd("T13");
