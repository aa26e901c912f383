/** The shelf in memory, by its suite. */

import { describeShelf } from "../suites/shelf.ts";
import { memoryShelf } from "./shelf.ts";

describeShelf("the shelf in memory", async () => {
  const shelf = memoryShelf();
  return { shelf, again: () => shelf };
});
