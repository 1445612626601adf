"""Parts of speech: a coarse tag for every token of a batch of texts, and the punctuation between the tokens.

tokens = Standard(dashes=True)(texts, spans=True)  # before lower-casing: taggers look at capitals
breaks = breaks_of(texts, tokens)                  # before each token: nothing, punctuation, a new sentence
tags = taggers.parse("lexicon")(tokens, breaks)    # uint8 a token: N, A, P, V …
"""
