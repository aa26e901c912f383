/** Imported first: tests that are also run each commit do fifty times as much here, two thousand cases becoming a hundred thousand. */

import { scaled } from "./figures.ts";

process.env["NOTEWRIGHT_SOAK"] = String(scaled(50));
