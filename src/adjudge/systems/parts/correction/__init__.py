"""OCR correction with a lexicon, letter trigrams, an error channel and word bigrams, as CLARIT did it."""
