"""Answers to questions from expected frequencies, why a document has its score, and what to mark in it."""

from __future__ import annotations

from collections import Counter, OrderedDict
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.errors import DataError
from ....index.explanation import Explanation
from ....index.scoring import best
from ....index.searching import Hits
from ....text.analyzer import Analyzer
from ....text.stemming import stemmed
from ....weighting import Clause, Statistics, Term, weightings
from .forms import Forms, forms_of
from .reading import Reading

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]
WORDS = "words|lower|stop(smart)"
CACHE = 1000
"""Words whose strings are remembered."""
SHOWN = 12
"""Strings of a word that an explanation lists."""


class Observed(NamedTuple):
    """A string that was taken for a word of the question."""

    string: str
    word: str
    """The word of the question."""
    read_as: str
    """The true word with its stem that explains the string best."""
    probability: float
    occurrences: int


class Answerer:
    """A reading of a version seen through a weighting; strings count that are a word with some probability."""

    def __init__(self, reading: Reading, weighting: str, least: float) -> None:
        self.reading, self.least = reading, least
        self.weighting = weightings.parse(weighting)
        self.analyzer = Analyzer.parse(WORDS)
        self._forms: OrderedDict[str, Forms] = OrderedDict()

    @cached_property
    def norms(self) -> Floats:
        own = self.reading.index.statistics
        return self.weighting.norms(Statistics(self.reading.lengths, own.distinct, lambda: iter(())))

    def words(self, question: str) -> dict[str, int]:
        """The first word with each stem, and how often words with it stand in the question."""
        words = self.analyzer.terms(question)
        stems = stemmed(words, "porter")
        often, first = Counter(stems), dict[str, str]()
        for word, stem in zip(words, stems, strict=True):
            first.setdefault(stem, word)
        return {word: often[stem] for stem, word in first.items()}

    def forms(self, word: str) -> Forms:
        """The strings that stand for a word surely enough."""
        found = self._forms.get(word)
        if found is None:
            every = forms_of(self.reading, word)
            some = every.weights >= max(self.least, 1e-12)
            found = every._replace(strings=every.strings[some], weights=every.weights[some], member=every.member[some])
            self._forms[word] = found
            if len(self._forms) > CACHE:
                self._forms.popitem(last=False)
        self._forms.move_to_end(word)
        return found

    def observed(self, question: str) -> list[Observed]:
        """The strings that are taken for words of a question, those that matter most first for each word."""
        made = []
        for word in self.words(question):
            forms, counts = self.forms(word), self.reading.counts
            order = np.argsort(-forms.weights * counts[forms.strings], kind="stable")
            names = self._names(forms.strings[order])
            for name, k in zip(names, order.tolist(), strict=True):
                read_as = forms.members[int(forms.member[k])]
                occurrences = int(counts[forms.strings[k]])
                made.append(Observed(name, word, read_as, float(forms.weights[k]), occurrences))
        return made

    def _names(self, strings: Integers) -> list[str]:
        numbers = self.reading.vocabulary.numbers[strings]
        return [self.reading.index.name(int(number)) for number in numbers]

    def search(self, question: str, k: int = 1000) -> Hits:
        """The best k documents for a question."""
        index = self.reading.index
        scores, words = np.zeros(len(index)), self.words(question)
        for word, times in words.items():
            documents, frequencies, factor = self._word(word, times)
            if len(documents):
                scores[documents] += factor * self._weights(documents, frequencies)
        found = np.flatnonzero(scores > 0)
        if not len(found):
            why = f"nothing may be read as {', '.join(words)}" if words else "no term is left of the query"
            return Hits(np.zeros(0, np.int64), np.zeros(0), index, why)
        top = best(scores[found], found, index.id_ranks, k)
        return Hits(found[top], scores[found][top], index)

    def _weights(self, documents: Integers, frequencies: Floats) -> Floats:
        term = Term(len(documents), len(documents))  # BM25's weight in a document asks for neither
        return self.weighting.document(self.reading.index.statistics, term, frequencies, self.norms[documents])

    def _word(self, word: str, times: int) -> tuple[Integers, Floats, float]:
        """The documents of a word, its expected frequency in each, and its weight in the question."""
        forms, index = self.forms(word), self.reading.index
        documents, tf, which = _postings(self.reading, forms.strings)
        expected: Floats = np.bincount(documents, tf * forms.weights[which], minlength=len(index)).astype(np.float64)
        found = np.flatnonzero(expected)
        df = float(np.minimum(expected[found], 1.0).sum())
        clause = Clause(Term(df, df), times, 1.0)  # type: ignore[arg-type]  # expected ones are no whole numbers
        return found, expected[found], self.weighting.query(index.statistics, clause)

    def explain(self, question: str, document: str) -> Explanation:
        """Why a document has its score: the words of the question, and the strings that were taken for each."""
        index = self.reading.index
        number = index.document_number(document)
        parts, missing = [], []
        for word, times in self.words(question).items():
            documents, frequencies, factor = self._word(word, times)
            at = int(np.searchsorted(documents, number))
            if at == len(documents) or documents[at] != number:
                missing.append(word)
                continue
            weight = float(self._weights(documents[at : at + 1], frequencies[at : at + 1])[0])
            strings = self._strings(word, number, factor * weight)
            df = float(np.minimum(frequencies, 1.0).sum())
            what = f"the word {word}: expected {float(frequencies[at]):.2f} times, in {df:.1f} documents"
            parts.append(Explanation(what, factor * weight, "sum", strings))
        note = f"; not found: {', '.join(missing)}" if missing else ""
        if not parts:
            return Explanation(f"{document} has nothing that may be read as a word of the question{note}", 0.0)
        total = sum(part.value for part in parts)
        return Explanation(f"score of {document} under {self.weighting}{note}", total, "sum", tuple(parts))

    def _strings(self, word: str, document: int, value: float) -> tuple[Explanation, ...]:
        """What each string of a document adds, in proportion to its expected frequency."""
        forms = self.forms(word)
        documents, tf, which = _postings(self.reading, forms.strings)
        here = np.flatnonzero(documents == document)
        shares = tf[here] * forms.weights[which[here]]
        order = here[np.argsort(-shares, kind="stable")]
        names, made = self._names(forms.strings[which[order]]), []
        for name, k in zip(names, order.tolist(), strict=True):
            chance, read_as = float(forms.weights[which[k]]), forms.members[int(forms.member[which[k]])]
            times = f"{int(tf[k])} time{'s' if tf[k] > 1 else ''}"
            what = f"{name} read as {read_as} with probability {chance:.3f}, {times}"
            made.append(Explanation(what, value * float(tf[k]) * chance / float(shares.sum())))
        if len(made) > SHOWN:
            rest = made[SHOWN - 1 :]
            made = [*made[: SHOWN - 1], Explanation(f"{len(rest)} more strings", sum(part.value for part in rest))]
        return tuple(made)


def _postings(reading: Reading, strings: Integers) -> tuple[Integers, Floats, Integers]:
    """The documents of strings, how often each stands there, and which of the strings it is."""
    index, terms = reading.index, reading.vocabulary.numbers[strings]
    offsets = index.arrays["offsets"]
    begins = offsets[terms].astype(np.int64)
    sizes = offsets[terms.astype(np.int64) + 1].astype(np.int64) - begins
    ends = np.cumsum(sizes)
    at = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(begins - ends + sizes, sizes)
    documents, tf = index.arrays["documents"][at].astype(np.int64), index.arrays["tf"][at].astype(np.float64)
    if len(documents) and not 0 <= int(documents.min()) <= int(documents.max()) < len(index):
        raise DataError(f"{index.folder}: damaged: there are only {len(index):,} documents")
    large = index.arrays["large_at"]
    if len(large):
        place = np.minimum(np.searchsorted(large, at), len(large) - 1)
        many = large[place] == at
        tf[many] = index.arrays["large_tf"][place[many]]
    return documents, tf, np.repeat(np.arange(len(strings)), sizes)
