/** What a change did, in the words of a sentence: who did it stands before them. */

import type { Revision as Recorded } from "../../notebook/parts.ts";
import type { DeedPiece, Touched } from "../wire.ts";

type RecordedChange = Recorded["changes"][number];
type Moved = RecordedChange & { from: string };

/** So many notes are named. */
const NAMED = 3;
const FROM = " from ";

export const doneTo = ({ from, version, before }: RecordedChange): Touched["done"] => {
  if (version === null) return "removed";
  if (before === null) return "created";
  return from === undefined ? "edited" : "moved";
};

/** The first recording of a vault lists what was there: nobody wrote it then. */
export const isFirst = ({ surface, message }: Recorded): boolean =>
  surface === "outside" && /^Record (?:a note|\d+ notes) as found$/m.test(message);

/** What was meant stands first, so that no rewritten link hides the move that caused it. */
export const meantFirst = (changes: readonly RecordedChange[]): RecordedChange[] => {
  const rank = (change: RecordedChange): number =>
    ["moved", "created", "removed", "edited"].indexOf(doneTo(change));
  return changes.toSorted((one, other) => rank(one) - rank(other));
};

/** In how many notes links alone followed a move: the message says how many were asked for, and those are the ones that moved. */
export const followed = ({ message, changes, touched }: Recorded): number => {
  const [first = ""] = message.split("\n", 1);
  const [, count = "1"] = /^(?:Undo: )*Move (?:(\d+) )?(?:note|file)s?: /.exec(first) ?? ["", "0"];
  const moved = changes.filter((change) => doneTo(change) === "moved").length;
  const edited = changes.filter((change) => doneTo(change) === "edited").length;
  const isWhole = moved > 0 && moved === Number(count) && moved + edited === touched;
  return isWhole ? edited : 0;
};

export const deedOf = (it: Recorded): DeedPiece[] => {
  if (isFirst(it)) return [`recorded ${notes(it.touched)}`];
  const follows = followed(it);
  const meant = meantFirst(it.changes).slice(0, follows > 0 ? -follows : undefined);
  const count = it.touched - follows;
  const [first = ""] = it.message.split("\n", 1);
  if (first.startsWith("Restore note: ")) return ["set back ", ...namesOf(meant, count)];
  const [, again = "", several, author] = /^((?:Undo: )*)Undo (\d+) changes(?: by (.*))?$/.exec(first) ?? [];
  if (several) {
    const by: DeedPiece[] = author === undefined ? [] : [" by ", { author }];
    return [`${again.length % 12 === 0 ? "undid" : "redid"} ${several} changes`, ...by];
  }
  const [, undone = ""] = /^((?:Undo: )+)/.exec(first) ?? [];
  // Undoing what was undone is redoing it.
  if (undone !== "")
    return [`${undone.length % 12 === 0 ? "redid" : "undid"} a change of `, ...namesOf(meant, count)];
  const links = follows === 0 ? [] : [`; links in ${notes(follows)} followed`];
  return [...(meant.length === it.touched - follows ? togetherOf(meant) : eachOf(meant, count)), ...links];
};

const notes = (count: number): string => `${count.toLocaleString("en-US")} note${count === 1 ? "" : "s"}`;
const nameOf = (path: string): DeedPiece => ({ name: baseOf(path).replace(/\.md$/, "") });
const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const folder = (path: string): DeedPiece => (path === "" ? "the top folder" : { name: path });

/** Where all notes went the same way, it is said once. */
const togetherOf = (changes: readonly RecordedChange[]): DeedPiece[] => {
  const ways = changes.map((change) => (isMoved(change) ? wayOf(change) : null));
  const [way] = ways;
  const isOne = way && ways.every((one) => one?.from === way.from && one.to === way.to);
  if (!isOne || ways.length === 1) return eachOf(changes, changes.length);
  return [`moved ${notes(ways.length)}`, FROM, folder(way.from), " to ", folder(way.to)];
};

const isMoved = (change: RecordedChange): change is Moved =>
  change.from !== undefined && doneTo(change) === "moved";

/** From which folder to which; null where it got another name. */
const wayOf = ({ from, path }: Moved): { from: string; to: string } | null => {
  let [old, now] = [from as string, path as string];
  if (baseOf(old) !== baseOf(now) || folderOf(old) === folderOf(now)) return null;
  while (old !== "" && now !== "" && baseOf(old) === baseOf(now)) [old, now] = [folderOf(old), folderOf(now)];
  return { from: old, to: now };
};

/** `created Ada, edited Bob and Eve`. */
const eachOf = (changes: readonly RecordedChange[], count: number): DeedPiece[] => {
  const named = changes.slice(0, NAMED);
  const verbs = named.map((change) =>
    isMoved(change) && wayOf(change) === null ? "renamed" : doneTo(change),
  );
  const pieces = named.flatMap((change, at): DeedPiece[] => {
    const verb = verbs[at - 1] === verbs[at] ? "" : `${verbs[at]} `;
    return [
      joined(at, verb === "" && count === named.length && at === named.length - 1),
      verb,
      ...goneTo(change),
    ];
  });
  return [...pieces, ...more(count - named.length)].filter((piece) => piece !== "");
};

const goneTo = (change: RecordedChange): DeedPiece[] => {
  if (!isMoved(change)) return [nameOf(change.path)];
  const way = wayOf(change);
  return way
    ? [nameOf(change.path), FROM, folder(way.from), " to ", folder(way.to)]
    : [nameOf(change.from), " to ", nameOf(change.path)];
};

const namesOf = (changes: readonly RecordedChange[], count: number): DeedPiece[] => {
  const named = changes.slice(0, NAMED);
  const pieces = named.flatMap(({ path }, at): DeedPiece[] => [
    joined(at, count === named.length && at === named.length - 1),
    nameOf(path),
  ]);
  return [...pieces, ...more(count - named.length)].filter((piece) => piece !== "");
};

const joined = (at: number, isLast: boolean): string => (at === 0 ? "" : isLast ? " and " : ", ");
const more = (count: number): string[] =>
  count > 0 ? [` and ${count.toLocaleString("en-US")} more note${count === 1 ? "" : "s"}`] : [];
