/** The command `push`: brings a vault's changes to a copy that a server keeps. */

import { carryCommand } from "./carrying.ts";

export const run = carryCommand("push");
