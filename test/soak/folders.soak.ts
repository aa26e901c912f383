/** The folder law, on fifty times as many vaults of chance. */

import "./fifty.ts";
import "../folder-law.test.ts";
import { scaled, tellAtTheEnd } from "./figures.ts";

tellAtTheEnd(`The folder law, ${scaled(50) * 2} vaults of chance`);
