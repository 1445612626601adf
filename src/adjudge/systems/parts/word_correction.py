"""Documents in which every unknown word is replaced by the nearest known one, by symspellpy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...core.document import Document, Documents
from .peer_packages import needing
from .version import Version

COUNTED = "words|lower"
"""How the words of documents are counted."""
INDEXED = "words|lower|stop(smart)|porter"
"""How corrected documents are indexed."""
SHORT = 2
"""Words of so many characters stay as they are: two edits make anything of them."""
PREFIX = 7
"""symspellpy's own."""
ENGLISH = "frequency_dictionary_en_82_765.txt"
"""The dictionary that comes with symspellpy."""


@dataclass(frozen=True)
class Spelling:
    """Where known words come from, how often they occur in the documents at least, and how far a word may be off."""

    dictionary: str
    least: int
    distance: int


class CorrectedWords(Documents):
    """The documents of a version as words in lower case, each known or as it was if it is like no known word."""

    def __init__(self, version: Version, spelling: Spelling) -> None:
        self.version, self.spelling = version, spelling

    @property
    def size(self) -> int:
        return self.version.documents.size

    @property
    def read(self) -> int:
        return self.version.documents.read

    @cached_property
    def speller(self) -> Any:
        """symspellpy with its dictionary."""
        with needing("symspell", "symspellpy"):
            from symspellpy import SymSpell
        speller = SymSpell(self.spelling.distance, PREFIX)
        if self.spelling.dictionary == "english":
            from importlib.resources import as_file, files

            with as_file(files("symspellpy") / ENGLISH) as path:
                speller.load_dictionary(str(path), 0, 1, encoding="utf-8")
            return speller
        index = self.version.index(COUNTED)
        for number, often in enumerate(index.arrays["cf"].tolist()):
            if often >= self.spelling.least:
                speller.create_dictionary_entry(index.name(number), often)
        return speller

    def known_form(self, word: str) -> str:
        """The known word that a word is taken for, or the word itself."""
        speller = self.speller  # or an error that names the package
        from symspellpy import Verbosity

        if len(word) <= SHORT or not any(map(str.isalpha, word)) or word in speller.words:
            return word
        found = speller.lookup(word, Verbosity.TOP, max_edit_distance=self.spelling.distance)
        return str(found[0].term) if found else word

    def __iter__(self) -> Iterator[Document]:
        from ...text.analyzer import Analyzer

        analyzer, forms = Analyzer.parse(COUNTED), dict[str, str]()
        for document in self.version.documents:
            words = analyzer.terms(document.text)
            for word in words:
                if word not in forms:
                    forms[word] = self.known_form(word)
            yield Document(document.id, " ".join(forms[word] for word in words))
