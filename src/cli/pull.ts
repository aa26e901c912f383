/** The command `pull`: brings the changes of a copy that a server keeps into a vault. */

import { carryCommand } from "./carrying.ts";

export const run = carryCommand("pull");
