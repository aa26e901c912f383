/** T8 and T9 in full: ten thousand notes in one folder, every reading tool asked about every hostile note. */

import "./fifty.ts";
import "../hostile/hostile.test.ts";
