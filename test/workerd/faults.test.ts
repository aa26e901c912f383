/** One half of the points at which an object is killed. */

import { test } from "vitest";
import { killAtPoints } from "./kill-points.ts";

test("every writing tool of every surface, killed at its calls", { timeout: 900_000 }, () => killAtPoints(0));
