/** The tables of the search: the texts of notes, their words in SQLite's full-text table, and the postings (decision 11). */

/** The columns of the full-text table, in its order. */
export const WORD_COLUMNS = "title, aliases, path, tags, body, extra";

/** Bytes of words the full-text table gathers before it writes them: more than a slice of new notes has, so that each is written once, at its end. */
const WORDS_IN_MEMORY = 16_000_000;
/** This many segments of one size are merged at a time, bit by bit. The default is 4, and then words are written more often; a search looks into all segments, which takes a hundredth of a millisecond more. */
const SEGMENTS = 16;
/** With this many segments everything waits until they are merged, which only happens where merging falls behind. */
const TOO_MANY_SEGMENTS = 4 * SEGMENTS;

// The text lives once, packed where room is dear (bodies.ts), in `texts`; the full-text table holds only words and where they stand. Marks count as letters,
// or words of Hindi and Thai would fall apart; accents are still dropped. Where a body is partly
// written without spaces, the full-text table gets the rest (`spaced`). It tells which notes have all of some words, or a phrase; the postings
// (postings.ts) tell which have any, which fit best, and which hold what is written without spaces. `pending_texts` has the texts that are not in yet (decision 13).
export const TEXTS = `
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  aliases TEXT NOT NULL,
  path TEXT NOT NULL,
  tags TEXT NOT NULL,
  body ANY NOT NULL,
  spaced TEXT,
  extra TEXT NOT NULL,
  outline TEXT NOT NULL
) STRICT;
CREATE VIEW searched AS SELECT id, title, aliases, path, tags, coalesce(spaced, body) AS body, extra FROM texts;
CREATE VIRTUAL TABLE words USING fts5(${WORD_COLUMNS}, content = 'searched', content_rowid = 'id',
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'");
INSERT INTO words (words, rank) VALUES ('hashsize', ${WORDS_IN_MEMORY}), ('automerge', ${SEGMENTS}), ('crisismerge', ${TOO_MANY_SEGMENTS});
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
CREATE TABLE pending_texts (id INTEGER PRIMARY KEY, text TEXT) STRICT;
CREATE TABLE postings (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE fresh_postings (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
`;
