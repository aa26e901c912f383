/** Prompts a person may choose: what to do, in words of ours, with which tools. No text of a note is in them. */

import type { Prompt } from "../surface.ts";

/** A person's word inside a sentence: quoted, on one line. */
const quoted = (word: string): string => JSON.stringify(word.replace(/\s+/g, " ").trim().slice(0, 300));

export const prompts: Prompt[] = [
  {
    name: "daily_review",
    title: "Daily review",
    description: "Go through what changed on a day, and write a short review into its daily note.",
    arguments: [{ name: "date", description: "The day; today where left out", complete: "date" }],
    text: ({ date }) =>
      `Review my notes of ${date ? quoted(date) : "today"}. Read the day's note with daily_note and what changed with get_history (from that day, diff). Tell me in a few sentences what was done, what is open and what deserves a link to another note. Show me the review first; once I agree, add it to the daily note under the section "Review".`,
  },
  {
    name: "summarise_folder",
    title: "Summarise a folder",
    description: "Summarise the notes of a folder, with a link to each note that was used.",
    arguments: [{ name: "folder", description: "The folder", required: true, complete: "folder" }],
    text: ({ folder = "" }) =>
      `Summarise the notes in the folder ${quoted(folder)}. List them with list_notes (what: notes), read outlines first and then only the sections that matter. Answer with the main points, what contradicts what, and open questions; name the note behind each point as a [[link]]. Change nothing.`,
  },
  {
    name: "tidy_links",
    title: "Tidy links",
    description: "Find broken links and notes without links, and mend them after asking.",
    arguments: [{ name: "folder", description: "Only notes in this folder", complete: "folder" }],
    text: ({ folder }) =>
      `Tidy the links${folder ? ` of the notes in ${quoted(folder)}` : " of my notes"}. get_links without note gives the broken ones, list_notes with what: orphans the notes without links. For each broken link say whether it is misspelled, its note was renamed, or the note is missing, and what you would change. Show it to me as a dry_run of edit_notes; write only what I agree to.`,
  },
  {
    name: "capture_meeting",
    title: "Capture a meeting",
    description: "Turn rough words from a meeting into a note with people, decisions and tasks.",
    arguments: [
      { name: "title", description: "What the meeting was about", required: true },
      { name: "folder", description: "Where meeting notes are kept", complete: "folder" },
      { name: "tag", description: "A tag for the note", complete: "tag" },
    ],
    text: ({ title = "", folder, tag }) =>
      `I will give you rough words from a meeting about ${quoted(title)}. Find the people and projects they name with search_notes, so that you can link them as [[name]]. Then write one note${folder ? ` in ${quoted(folder)}` : " where my other meeting notes are"} with write_note: date, people, decisions, tasks as "- [ ]"${tag ? `, tagged ${quoted(tag)}` : ""}. Show me a dry_run first. Ask me for the words now.`,
  },
];
