/** The analyzer: a lexicon, the words it cuts texts into and the counter of their terms. It needs no database; each search has one, and the indexing thread has its own. */

import { openLexicon, type Lexicon } from "./lexicon.ts";
import { openTermCounter, type TermCounter } from "./term-counts.ts";
import { openWordReader, type WordReader } from "./terms.ts";

export type Analyzer = { lexicon: Lexicon; words: WordReader; counter: TermCounter };

export function openAnalyzer(): Analyzer {
  const lexicon = openLexicon();
  return { lexicon, words: openWordReader(lexicon), counter: openTermCounter() };
}
