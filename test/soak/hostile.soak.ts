/** T8 and T9 in full: ten thousand notes in one folder, every reading tool asked about every hostile note. */

import "./fifty.ts";
import "../hostile/hostile.test.ts";
import { tellAtTheEnd } from "./figures.ts";

tellAtTheEnd("T8 and T9");
