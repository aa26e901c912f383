/** Files that are no notes in the workspaces that are killed: a picture with a note and a canvas that show it, one that was moved and one that was deleted before, and calls about them. */

import { NOTE_CALLS, ONLY_NOTES } from "../faults/tools.ts";

type Call = (typeof NOTE_CALLS)[number];

export const TEXTS: Record<string, string> = {
  ...ONLY_NOTES,
  "folder/deep/pic.png": "\u0089PNG bytes of no note",
  "folder/deep/moved.png": "the picture that is moved",
  "folder/deep/gone.png": "the picture that goes",
  "board.canvas": '{"nodes":[{"type":"file","file":"folder/deep/pic.png"}]}',
  "folder/Shown.md": "![[folder/deep/pic.png]] and ![one](deep/pic.png), ![[folder/deep/moved.png]]\n",
};

/** Done before the first fault; the revisions they make stand for these words. */
export const DONE_BEFORE: { call: Call; path: string; word: string }[] = [
  {
    call: ["native", "move_notes", { moves: [{ from: "folder/deep/moved.png", to: "elsewhere/moved.png" }] }],
    path: "elsewhere/moved.png",
    word: "the revision that moved a file",
  },
  {
    call: ["native", "delete_note", { path: "folder/deep/gone.png" }],
    path: "folder/deep/gone.png",
    word: "the revision that deleted a file",
  },
];

export const FILE_CALLS: Call[] = [
  ["native", "move_notes", { moves: [{ from: "folder/deep/pic.png", to: "pictures/pic one.png" }] }],
  [
    "native",
    "move_notes",
    {
      moves: [
        { from: "folder/deep/pic.png", to: "elsewhere/moved.png" },
        { from: "elsewhere/moved.png", to: "folder/deep/pic.png" },
      ],
    },
  ],
  ["native", "delete_note", { path: "folder/deep/pic.png" }],
  ["native", "move_notes", { moves: [{ from: "folder/", to: "archive/folder/" }] }],
  ["native", "delete_note", { path: "folder/" }],
  ...DONE_BEFORE.map(({ word }): Call => ["native", "undo_changes", { revisions: [word] }]),
];
export const ALL_CALLS: Call[] = [...NOTE_CALLS, ...FILE_CALLS];
