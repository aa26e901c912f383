/** The tables of the search: the texts of notes, their words in SQLite's full-text table, and the postings. */

/** The columns of the full-text table, in its order. */
export const WORD_COLUMNS = "title, aliases, path, tags, body, extra";

/** Bytes of words the full-text table gathers before it writes them: more than a slice of new notes has, so that each is written once, at its end. */
const WORDS_IN_MEMORY = 16_000_000;
/** So many pieces of one size it puts together at a time, bit by bit. By default it is 4, and words are written over more often; a search looks into all pieces, which takes a hundredth of a millisecond more. */
const PIECES = 16;
/** With so many it drops everything and puts them together at once, which only happens where the former falls behind. */
const TOO_MANY_PIECES = 4 * PIECES;

// The text lives once, in `texts`; the full-text table holds only words and where they stand. Marks count as letters,
// or words of Hindi and Thai would fall apart; accents are still dropped. Of a body that is partly
// written without spaces it is given the rest (`spaced`). It tells which notes have all of some words, or a phrase; the postings
// (postings.ts) tell which have any, which fit best, and which hold what is written without spaces. `owed`: texts that are not in yet.
export const TEXTS = `
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  aliases TEXT NOT NULL,
  path TEXT NOT NULL,
  tags TEXT NOT NULL,
  body TEXT NOT NULL,
  spaced TEXT,
  extra TEXT NOT NULL,
  outline TEXT NOT NULL
) STRICT;
CREATE VIEW searched AS SELECT id, title, aliases, path, tags, coalesce(spaced, body) AS body, extra FROM texts;
CREATE VIRTUAL TABLE words USING fts5(${WORD_COLUMNS}, content = 'searched', content_rowid = 'id',
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'");
INSERT INTO words (words, rank) VALUES ('hashsize', ${WORDS_IN_MEMORY}), ('automerge', ${PIECES}), ('crisismerge', ${TOO_MANY_PIECES});
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
CREATE TABLE owed (id INTEGER PRIMARY KEY, text TEXT) STRICT;
CREATE TABLE postings (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
`;
