/** The listing of a bucket against the rows of a workspace: what another program put there, changed or took away (decision 30). */

import { AREAS, areaOf, pathOf } from "./bucket.ts";
import { afterAll } from "./r2-files.ts";
import type { Shelf } from "./r2-place.ts";

/** Where a comparison has got to: the area, and the last path that was compared. */
export type ListingPlace = { area: number; after: string };

/** Keys of one page: what R2 gives at most. */
const PAGE = 1000;

/** One call to the bucket. What differs is known from then on by its tag, and found by comparing stamps with those of the index. */
export async function compareListing(
  { bucket, workspace, files }: Shelf,
  from: ListingPlace | null,
): Promise<ListingPlace | null> {
  const place = from ?? { area: 0, after: "" };
  const area = AREAS[place.area];
  if (!area) return null;
  const prefix = `${workspace}/${area.prefix}`;
  const begin = place.after === "" ? area.root : place.after;
  const { objects, truncated } = await bucket.list({
    prefix,
    ...(place.after === "" ? {} : { startAfter: prefix + place.after.slice(area.root.length) }),
    limit: PAGE,
  });
  const last = objects.at(-1);
  const end = truncated && last ? area.root + last.key.slice(prefix.length) : afterAll(area.root);
  const listed = new Map(
    objects.flatMap((object) => {
      const path = pathOf(workspace, area, object.key);
      return path === null ? [] : [[path, object] as const];
    }),
  );
  files.transaction(() => {
    for (const row of files.after(begin, end, 1e9)) {
      if (areaOf(row.path) !== area) continue;
      const object = listed.get(row.path);
      listed.delete(row.path);
      // What waits is compared when it is put in place.
      if (row.waiting || row.etag === "" || row.etag === object?.etag) continue;
      if (!object) files.drop(row.path);
      else files.put({ ...row, etag: object.etag, version: "", ...changedAt(object) });
    }
    for (const [path, object] of listed)
      if (files.isRemoved(path) === null)
        files.put({ path, etag: object.etag, base: "", version: "", ...changedAt(object), waiting: 0 });
  });
  return truncated ? { area: place.area, after: end } : nextArea(place.area);
}

const changedAt = ({ uploaded, size }: { uploaded: Date; size: number }) => ({
  modified: uploaded.getTime(),
  size,
});

const nextArea = (area: number): ListingPlace | null =>
  area + 1 < AREAS.length ? { area: area + 1, after: "" } : null;
