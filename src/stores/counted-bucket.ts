/** A bucket whose calls are counted: a request and an alarm may make only so many (decision 31). */

import type { Bucket } from "./bucket.ts";

export const countedBucket = (bucket: Bucket): { bucket: Bucket; calls(): number } => {
  let calls = 0;
  const counted =
    <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      calls++;
      return call(...args);
    };
  return {
    calls: () => calls,
    bucket: {
      head: counted((key) => bucket.head(key)),
      get: counted((key, how) => bucket.get(key, how)),
      put: counted((key, bytes, how) => bucket.put(key, bytes, how)),
      delete: counted((key) => bucket.delete(key)),
      list: counted((how) => bucket.list(how)),
    },
  };
};
