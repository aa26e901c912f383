import { expect, test } from "vitest";
import type { Change } from "./change.ts";
import { trashFor } from "./commit-files.ts";
import type { Committing } from "./commit.ts";
import type { Parts } from "./parts.ts";
import { freeInTrash } from "./vault-path.ts";

const removed = (path: string): Change => ({ path, before: {}, after: null, why: "asked" }) as Change;

test("the trash is asked once for all that goes; what goes with its folder keeps its shape there", async () => {
  const asked: (readonly string[])[] = [];
  const store = {
    trashPlaces: async (paths: readonly string[]) => {
      asked.push(paths);
      return freeInTrash(paths, (place) => place === ".trash/a.png");
    },
  };
  const paths = ["one/a.png", "two/a.png", "whole/in/b.png", "whole/c.png", "other/whole/d.png"];
  const changes = paths.map(removed);
  const folder = new Map([
    ["whole/in/b.png", "whole"],
    ["whole/c.png", "whole"],
    ["other/whole/d.png", "other/whole"],
  ]);
  const how = { trash: true, folder } as unknown as Committing;
  const { trash, placeOf } = await trashFor({ store } as unknown as Parts, how, changes);
  expect(changes.map(placeOf)).toEqual([
    ".trash/a (2).png",
    ".trash/a (3).png",
    ".trash/whole/in/b.png",
    ".trash/whole/c.png",
    ".trash/whole (2)/d.png",
  ]);
  expect(trash).toBe(".trash/a (2).png");
  expect(asked).toEqual([["one/a.png", "two/a.png", "whole", "other/whole"]]);
});
