/** What went wrong, where it went wrong, with a way on. */

import type { Refusal } from "../../wire.ts";
import { noteAddress } from "../route.ts";
import { nameOf, seen } from "../words.ts";

export const RefusalLine = ({ refusal, again }: { refusal: Refusal; again?: () => void }) => {
  const { movedTo, similar } = (refusal.details ?? {}) as { movedTo?: string; similar?: string[] };
  const near = [...new Set([...(movedTo ? [movedTo] : []), ...(similar ?? [])])].slice(0, 3);
  return (
    <p class="refusal" role="alert">
      {seen(refusal.message)}{" "}
      {near.map((path) => (
        <>
          <a href={noteAddress(path)}>{seen(nameOf(path))}</a>{" "}
        </>
      ))}
      {again && (
        <button type="button" class="plain" onClick={again}>
          Try again
        </button>
      )}
    </p>
  );
};
