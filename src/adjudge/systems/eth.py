"""ETH Zürich, SPIDER: pivoted n-grams, and expected frequencies from approximate slots."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError
from ..core.kernel import parts_for, together
from ..core.note import Note
from ..core.run import Run
from ..core.spec import is_count, is_number, require
from ..index.accumulation import best
from ..index.index import Index
from ..index.searching import Hits, Searcher, run_of
from ..noise.alignment import missing_library
from .parts.flat import Flat, flatten, pattern
from .parts.slots import UNITS, count, regression
from .parts.version import Aids, Pair, Version
from .system import System, Topics

Integers = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
STEMS = "words|lower|stop(smart)|porter"
WEIGHTS = ("expected", "slots", "floor", "log1p", "faulty")
FREQUENCIES = ("slots", "exact")
CLEAN, LIGHT = 0.01, 0.1
"""Error rates up to which words are searched, and 4-grams."""


@dataclass(frozen=True)
class ETH(System):
    """Lnu.ltn on stems or n-grams (ETHFR94N), its best documents ranked again by approximate slots (ETHFR94P).

    Formula: N: the weighting pivoted(slope) on Porter stems where the text is clean, else on n-grams over the words
    that are left without stop words, blanks included. P: the best ``again`` documents of N are ranked by
    Σ w(f) · (1 + ln tf_q) · idf(φ) / ((1 − slope) · pivot + slope · U), where f = a · s, s is the number of slots of φ
    in the document, φ is a blank and the stem, a slot is a place of the text with an edit distance below ``share`` ·
    |φ|, and a comes from regression of true frequencies on slots in the training documents. U is that of exact stems
    in the version searched. Where stems are searched, P is the same as N, as in the paper.

    Parameters: ``n``, characters of a gram, 0 for stems, none to choose by the error rate of the training documents
    (none: stems to 1 %, 4 to 10 %, 3 above); ``slope`` in [0, 1] (0.2); ``slots`` (false: N, true: P); ``again``
    (2000), the documents that are ranked again; ``share`` in (0, 1) (0.2); ``unit`` of slots (runs: of positions where
    a match may end; words: a word counts once, if it begins with the stem or nearly so; windows: every window as long
    as φ); ``blank`` (true), whether the blank counts in |φ| when edits are allowed; ``weight`` of a term that has a
    slot (expected: w = 1 + ln(1 + f); slots: 1 + ln s, without the constant; floor: 1 + ln max(f, 1); log1p: ln(1 + f);
    faulty: 1 + ln f, negative for small f, the kind of mistake that the paper reports); ``df`` (slots: idf = ln((C + 1)
    / documents with a slot) among the C documents ranked again; exact: ln(N / df) of exact stems in the whole version);
    ``stems`` (300), how many stems of the training documents the regression sees.

    No value: a question without an indexed term finds nothing; a document without a slot is not returned.

    Paper: Kantor, Voorhees, The TREC-5 Confusion Track (Information Retrieval 2, 2000), section 3; Singhal, Buckley,
    Mitra, Pivoted document length normalization (SIGIR 1996) for Lnu. How slots are counted, what is beside the blank
    in φ and how f is weighted the paper leaves open; docs/confusion.md has the readings that were tried. It looks at
    slots only that have a share P of the characters of φ, without a value for P: every edit takes away one character
    at most, so that with P up to 1 − share nothing else is found.

    Example: " chevrolet" has 10 characters, so that one edit is allowed: Chevro1et is a slot, and so is chevrlet.
    """

    name: ClassVar[str] = "eth"
    uses: ClassVar[tuple[str, ...]] = ("training",)

    n: int | None = None
    slope: float = 0.2
    slots: bool = False
    again: int = 2000
    share: float = 0.2
    unit: str = "runs"
    blank: bool = True
    weight: str = "expected"
    df: str = "slots"
    stems: int = 300

    def __post_init__(self) -> None:
        require(self, "n", self.n is None or self.n == 0 or is_count(self.n), "be a whole number, 0 or more, or none")
        require(self, "slope", is_number(self.slope) and 0 <= self.slope <= 1, "lie in [0, 1]")
        require(self, "share", is_number(self.share) and 0 < self.share < 1, "lie in (0, 1)")
        for field in ("again", "stems"):
            require(self, field, is_count(getattr(self, field)), "be a whole number, 1 or more")
        for field in ("slots", "blank"):
            require(self, field, isinstance(getattr(self, field), bool), "be true or false")
        for field, known in (("unit", UNITS), ("weight", WEIGHTS), ("df", FREQUENCIES)):
            require(self, field, getattr(self, field) in known, f"be {', '.join(known[:-1])} or {known[-1]}")

    def missing(self) -> str:
        return missing_library() if self.n is None else ""

    def analyzer(self, aids: Aids) -> str:
        """What N searches: chosen by how much is wrong in the training documents, if it is not given."""
        n = self.n
        if n is None:
            from ..noise.error_rates import cer

            pairs = self._training(aids)
            length = sum(len(pair.true) for pair in pairs)
            rate = sum(cer(pair.true, pair.observed) * len(pair.true) for pair in pairs if pair.true) / max(length, 1)
            n = 0 if rate <= CLEAN else 4 if rate <= LIGHT else 3
        return STEMS if n == 0 else f"words|lower|stop(smart)|ngrams({n}, pad=blank, cross=true)"

    def _again(self, aids: Aids) -> bool:
        """Whether documents are ranked again: not where stems can be searched, since the text is clean."""
        return self.slots and self.analyzer(aids) != STEMS

    def _training(self, aids: Aids) -> Sequence[Pair]:
        if aids.training is None:
            wants = "to learn what a slot is worth" if self.slots else "to choose n, which may be given instead"
            raise DataError(f"{self} needs training documents in true and degraded form {wants}")
        return aids.training

    def prepare(self, version: Version, aids: Aids) -> None:
        version.index(self.analyzer(aids))
        if self._again(aids):
            version.index(STEMS)
            Flat.of(version)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        searcher = Searcher(version.index(self.analyzer(aids)), f"pivoted(slope={self.slope!r})")
        if not self._again(aids):
            return searcher.run(topics, k, name=str(self), progress=version.progress)
        stems, flat = version.index(STEMS), Flat.of(version)
        worth = self.worth(self._training(aids))
        candidates = searcher.search(list(topics.values()), self.again)
        answers = {}
        for (topic, question), hits in zip(topics.items(), candidates, strict=True):
            ranking = self._rerank(stems, flat, question, hits, worth, k) if len(hits) else hits
            if len(ranking):
                answers[topic] = ranking
            else:
                version.progress.note((hits.note or Note.of("no_slot")).about(topic))
        return run_of(answers, version.index(STEMS), str(self))

    def worth(self, pairs: Sequence[Pair]) -> float:
        """The constant a: what a slot in the degraded text says of the frequency in the true text."""
        from ..text.analyzer import Analyzer

        tokens = Analyzer.parse(STEMS)([pair.true for pair in pairs])
        bags = [Counter(tokens.of(i)) for i in range(len(pairs))]
        known = sorted(set().union(*bags))
        some = (
            [known[i] for i in np.unique(np.linspace(0, len(known) - 1, self.stems).astype(int)).tolist()]
            if known
            else []
        )
        texts = [flatten(pair.observed) for pair in pairs]
        ends = np.cumsum([len(text) for text in texts])
        begins = ends - [len(text) for text in texts]
        flat = np.frombuffer(b"".join(texts), np.uint8)
        slots = [self._slots(flat, begins, ends, stem) for stem in some]
        frequencies = [[bag[stem] for bag in bags] for stem in some]
        return regression(np.ravel(slots), np.ravel(frequencies)) if some else 1.0

    def _slots(self, flat: npt.NDArray[np.uint8], begins: Integers, ends: Integers, stem: str) -> Integers:
        length = len(stem) + self.blank
        return count(flat, begins, ends, pattern(f" {stem}"), share=self.share, unit=self.unit, length=length)

    def weigh(self, slots: Integers, worth: float) -> Floats:
        """The weight of a term in documents with so many slots, 0 where there is none."""
        weights = np.zeros(len(slots))
        has = slots > 0
        found = slots[has].astype(float)
        frequency = worth * found
        if self.weight == "expected":
            weights[has] = 1 + np.log1p(frequency)
        elif self.weight == "floor":
            weights[has] = 1 + np.log(np.maximum(frequency, 1))
        elif self.weight == "slots":
            weights[has] = 1 + np.log(found)
        elif self.weight == "log1p":
            weights[has] = np.log1p(frequency)
        else:
            weights[has] = 1 + np.log(frequency)
        return weights

    def _rerank(self, stems: Index, flat: Flat, question: str, hits: Hits, worth: float, k: int) -> Hits:
        terms = Counter(stems.analyzer.terms(question))
        begins, ends = flat.offsets[hits.documents], flat.offsets[hits.documents + 1]
        distinct = stems.statistics.distinct[hits.documents]
        norm = (1 - self.slope) * stems.statistics.average_distinct + self.slope * distinct
        names = list(terms)
        # The longest terms are not longer to look for than the short ones, so threads take every other one.
        parts = parts_for(len(names), 1)
        shares = together(lambda i: [self._slots(flat.characters, begins, ends, t) for t in names[i::parts]], parts)
        sums, any_slot = np.zeros(len(hits)), np.zeros(len(hits), bool)
        for i, stem in enumerate(names):
            slots = shares[i % parts][i // parts]
            has = slots > 0
            if self.df == "slots":
                idf = math.log((len(hits) + 1) / max(1, int(has.sum())))
            else:
                idf = math.log(len(stems) / max(1, stems.term(stems.number(stem)).df))
            sums += self.weigh(slots, worth) * (1 + math.log(terms[stem])) * idf
            any_slot |= has
        places = np.flatnonzero(any_slot)
        scores = (sums / norm)[places]
        top = best(scores, hits.documents[places], stems.id_ranks, k)
        return Hits(hits.documents[places][top], scores[top], stems)
