/** What went wrong, where it went wrong, with a way on. */

import type { Deletion, Refusal } from "../../wire.ts";
import { inSentence, useApp, useAuthor } from "../app.ts";
import { noteAddress } from "../route.ts";
import { setBack } from "../undo.ts";
import { momentOf, nameOf, seen } from "../words.ts";

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

type DeadEndProps = { refusal: Refusal; heading: string; path?: string };

/** A screen that has nothing to show: why, and the ways on. A note that was deleted can be brought back. */
export const DeadEnd = ({ refusal, heading, path = "" }: DeadEndProps) => {
  const app = useApp();
  const called = useAuthor();
  const deleted = refusal.details?.["deleted"] as Deletion | undefined;
  return (
    <>
      <h1>{seen(heading)}</h1>
      {deleted ? (
        <p class="refusal" role="alert">
          This note was deleted {momentOf(new Date(deleted.date))}, by {inSentence(called(deleted.author))}.
        </p>
      ) : (
        <RefusalLine refusal={refusal} />
      )}
      <p class="acts">
        {deleted?.had && app.hello.value!.mayWrite && (
          <button type="button" onClick={() => void setBack(app, path, deleted.had!)}>
            Restore
          </button>
        )}
        {deleted && <a href={noteAddress(path, "history")}>History</a>}
        <a href="#/">To what changed</a>
      </p>
    </>
  );
};
