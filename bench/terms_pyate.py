"""C-value by pyate on texts from a file, run by an interpreter that has pyate; bench/terms.py starts it.

    PYTHON bench/terms_pyate.py TEXTS.json

TEXTS.json has the texts, and a tag for each word (NOUN, ADJ, ADP, DET): spaCy's models must be downloaded, so a blank
pipeline with pyate's own tokenizer looks tags up, which takes less time than any model would.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

WORDS: dict[str, str] = {}


def main(path: str) -> None:
    language: Any = import_module(
        "spacy.language"
    )  # neither is among the packages that the rest of the project is checked with
    extractor: Any = import_module("pyate.term_extraction").TermExtraction
    texts, words = json.loads(Path(path).read_text(encoding="utf-8"))
    WORDS.update(words)

    @language.Language.component("looked_up")  # type: ignore[untyped-decorator]
    def looked_up(document: Any) -> Any:
        for token in document:
            token.pos_ = WORDS.get(token.text, "X")
        return document

    nlp = import_module("spacy").blank("en")
    nlp.max_length = 10**9
    nlp.add_pipe("looked_up")
    begin = time.perf_counter()
    # counts beyond 65,535 would wrap round with its usual type
    extraction = extractor(texts, nlp=nlp, default_domain=[], dtype="int64")
    counts = extraction.count_terms_from_documents()
    counted = time.perf_counter()
    values = extraction.cvalues()
    done = time.perf_counter()
    said = {"candidates": len(counts), "terms": len(values), "count": counted - begin, "value": done - counted}
    print(json.dumps(said))


if __name__ == "__main__":
    main(sys.argv[1])
