"""How good is the OCR of a collection, without any true text: error rates estimated from how its words look.

No language is built in. What is learned of the collection is which strings are frequent in it, and how their letters
follow each other. A wrong word is mostly a string that no other document has, and a short one at that, since new words
are long; that is one letter away from a frequent one; whose letters follow each other as in no frequent word; or that
mixes letters with what stands between words. So the shares of such strings rise with the errors, in a document and in
the collection as a whole. How they rise was learned from real scans of historical print in three languages whose true
text is known, and from the same texts with simulated errors (experiments/ocr_quality.py, which also says how far
estimates for a collection that was left out are off).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.document import Documents
from ..core.errors import DataError
from ..core.progress import SILENT, Listener
from ..core.result import Result
from ..core.scanned_page import UNKNOWN
from .letter_surprise import LetterSurprise

Floats = npt.NDArray[np.float64]

CONTEXT = 150_000
"""Words of the collection that say which strings are frequent: shares of rare strings fall with the size of a text."""
SMALLEST = 8_000
"""Words of the smallest collections that the model was fitted to; smaller ones are taken as if they had so many."""
SHORTEST = 4
"""Letters of the words that are looked up: shorter ones are near to each other anyway."""
RARE, FREQUENT, TIMES = 2, 4, 8
"""A string in at most so many other places is rare; one that is so often there is frequent, and a rare string near one
that is so many times as frequent is doubted."""
MIDDLE = (6, 9)
"""Letters from which on words are of middle length, and long."""
EDGES = re.compile(r"^[\W_]+|[\W_]+$")
WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
NUMBER = re.compile(r"[\d.,:/\-–]+\w{0,3}")

TINY, UNUSUAL = 3, 2e-5
"""A string of at most so many characters is odd if it makes less than this share of all strings."""
STRANGE = 2.0
"""Bits a letter above the frequent words from which on a rare string looks strange."""
USUAL_SIGNS = frozenset(".,;:!?'\"-()—’“”„»«&")

SHARES = ("new_short", "new_long", "near", "odd", "strange", "tiny", "signs")
"""Of a document, each as its square root: shares of words that no other document has, among those of four and five
letters and of six to eight; of words near a frequent one, of strings that mix letters and other signs, of rare words
whose letters are surprising, of tiny strings that nearly nobody uses; of signs among the characters that print rarely
has."""


class QualityModel(NamedTuple):
    """A line through the features, learned from scans whose true text is known."""

    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    base: float
    low: float
    high: float
    """What a document that was left out is off by, in square roots: the 5 % and the 95 % quantile."""
    spread: float
    """What a collection that was left out is off by, in square roots: the root of the mean square."""
    exponent: float
    """A word is read right with the probability (1 - error rate) to this power."""


MODEL = QualityModel(
    means=(
        *(0.3982, 0.6292, 0.2167, 0.2035, 0.408, 0.1227, 0.1179),
        *(10.2392, 0.3982, 0.6292, 0.2167, 0.2035, 0.408, 0.1227, 0.1179),
    ),
    scales=(
        *(0.2016, 0.2177, 0.0955, 0.1757, 0.2229, 0.0825, 0.1235),
        *(1.055, 0.1545, 0.1818, 0.0465, 0.1521, 0.2021, 0.0358, 0.1083),
    ),
    weights=(
        *(0.0168, 0.0164, 0.0129, -0.0073, 0.0373, 0.0148, 0.1094),
        *(0.085, 0.0143, -0.0002, 0.0205, -0.0503, 0.0242, 0.0535, 0.0288),
    ),
    base=0.2403,
    low=-0.147,
    high=0.202,
    spread=0.065,
    exponent=4.64,
)
"""As experiments/ocr_quality.py prints it."""


class DocumentQuality(NamedTuple):
    """The estimate for one document."""

    id: str
    words: int
    error_rate: float
    low: float
    high: float
    confidence: float
    """What the engine itself says of its words, 0 to 100, on average; NaN if the file has nothing of that."""


@dataclass(frozen=True, eq=False, repr=False)
class QualityEstimate(Result):
    """Estimated character error rates of a collection and of its documents, the worst first."""

    error_rate: float
    low: float
    high: float
    level: float
    """The confidence of the intervals."""
    words_right: float
    """The share of the words that are read right, so that a search for the word finds them."""
    words_right_at_half: float
    """The same if there were half as many errors."""
    words_right_at_one: float
    """The same with one character in a hundred wrong, which good OCR of good print has; no less than now."""
    documents: tuple[DocumentQuality, ...]

    def __repr__(self) -> str:
        interval = f"{self.low:.1%} to {self.high:.1%}"
        return f"QualityEstimate({len(self.documents):,} documents: {self.error_rate:.1%} wrong, {interval})"


class WordCounts(NamedTuple):
    """The strings of a document: words that can be looked up and tiny strings with their numbers, and the rest."""

    words: Counter[str]
    tiny: Counter[str]
    strings: int
    odd: int
    signs: float
    """The share of its characters that are signs which print rarely has."""


def words_of(text: str) -> WordCounts:
    """The strings between blanks, without the signs around them."""
    words: Counter[str] = Counter()
    tiny: Counter[str] = Counter()
    strings = odd = 0
    for string, times in Counter(text.split()).items():
        strings += times
        if len(string) <= TINY:
            tiny[string.lower()] += times
        bare = EDGES.sub("", string)
        if WORD.fullmatch(bare):
            if len(bare) >= SHORTEST:
                words[bare.lower()] += times
        elif bare and not NUMBER.fullmatch(bare):
            odd += times
    characters = Counter(text)
    blank = sum(times for sign, times in characters.items() if sign.isspace())
    rare = sum(
        times for sign, times in characters.items() if not (sign.isalnum() or sign.isspace() or sign in USUAL_SIGNS)
    )
    return WordCounts(words, tiny, strings, odd, rare / max(1, characters.total() - blank))


class Context:
    """Which strings of a collection are frequent, from a sample of its documents."""

    def __init__(self, sample: Sequence[WordCounts]) -> None:
        self.counts: Counter[str] = Counter()
        self.tiny: Counter[str] = Counter()
        for document in sample:
            self.counts.update(document.words)
            self.tiny.update(document.tiny)
        self.size = self.counts.total()
        self.strings = max(1, sum(document.strings for document in sample))
        frequent = {word: times for word, times in self.counts.items() if times >= FREQUENT}
        self.letters = LetterSurprise(frequent)
        self._nearest: dict[str, int] = {}
        """The strings that are left when a letter of a frequent string is taken away, and how frequent that is."""
        for word, times in frequent.items():
            for shorter in _shorter(word):
                self._nearest[shorter] = max(times, self._nearest.get(shorter, 0))
        self._known: dict[str, int] = {}

    def nearest(self, word: str) -> int:
        """How often the most frequent string is there that is one letter away."""
        times = self._known.get(word)
        if times is None:
            times = self._known[word] = max(self._nearest.get(shorter, 0) for shorter in _shorter(word))
        return times

    def shares(self, document: WordCounts, *, inside: bool) -> tuple[float, ...]:
        """The roots of the SHARES of a document; its own words do not count for it if it is in the sample."""
        new, among = [0, 0, 0], [0, 0, 0]
        near = strange = total = 0
        limit = self.letters.typical + STRANGE
        for word, times in document.words.items():
            others = self.counts[word] - (times if inside else 0)
            length = 0 if len(word) < MIDDLE[0] else 1 if len(word) < MIDDLE[1] else 2
            total += times
            among[length] += times
            new[length] += times if not others else 0
            if others <= RARE:
                near += times if self.nearest(word) >= TIMES * (others + 1) else 0
                strange += times if self.letters.bits(word) > limit else 0
        tiny = sum(
            times
            for string, times in document.tiny.items()
            if (self.tiny[string] - (times if inside else 0)) / self.strings < UNUSUAL
        )
        looked_up, strings = max(1, total), max(1, document.strings)
        shares = (
            new[0] / max(1, among[0]),
            new[1] / max(1, among[1]),
            near / looked_up,
            document.odd / strings,
            strange / looked_up,
            tiny / strings,
            document.signs,
        )
        return tuple(share**0.5 for share in shares)

    def features(self, shares: Sequence[Sequence[float]]) -> Floats:
        """What an estimate is made of, for each document: its shares, the size, and the means of the shares of all."""
        own = np.array(shares, np.float64).reshape(-1, len(SHARES))
        size = np.full((len(own), 1), np.log(max(SMALLEST, self.size)))
        return np.hstack([own, size, np.broadcast_to(own.mean(axis=0), own.shape)])


def _shorter(word: str) -> Iterator[str]:
    yield word
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]


def estimate_rates(features: Floats, model: QualityModel) -> Floats:
    """The square roots of the error rates of some documents, which may be below 0."""
    standard = (features - np.array(model.means)) / np.array(model.scales)
    rates: Floats = standard @ np.array(model.weights) + model.base
    return rates


def squared(roots: Floats) -> Floats:
    """Error rates from their square roots."""
    rates: Floats = np.clip(roots, 0.0, 1.0) ** 2
    return rates


def sample_of(sizes: Sequence[int]) -> range:
    """Documents from all over the collection whose words are the context."""
    total = sum(sizes)
    return range(0, len(sizes), max(1, -(-total // CONTEXT)))


def estimate_quality(
    documents: Documents, *, model: QualityModel = MODEL, progress: Listener = SILENT
) -> QualityEstimate:
    """Estimate the error rates of a collection of scanned text and of each of its documents."""
    with progress.work("estimate", total=2 * documents.size, unit="bytes") as step:
        sizes: list[int] = []
        for document in documents:
            sizes.append(len(document.text.split()))
            step.reach(documents.read, documents=len(sizes))
        if not sum(sizes):
            raise DataError("no document with text, so nothing to estimate")
        chosen = sample_of(sizes)
        context = Context([words_of(document.text) for number, document in enumerate(documents) if number in chosen])
        rows, ids, sure = [], [], []
        for number, document in enumerate(documents):
            rows.append(context.shares(words_of(document.text), inside=number in chosen))
            ids.append(document.id)
            sure.append(_confidence(document.pages))
            step.reach(documents.size + documents.read, documents=number + 1)
    roots = estimate_rates(context.features(rows), model)
    rates = squared(roots)
    columns = (rates, squared(roots + model.low), squared(roots + model.high))
    rows_of = zip(ids, sizes, *(column.tolist() for column in columns), sure, strict=True)
    parts = sorted((DocumentQuality(*row) for row in rows_of), key=lambda each: (-each.error_rate, each.id))
    weights = np.array(sizes, float)
    rate = float(np.average(rates, weights=weights))
    low, high = squared(np.sqrt(rate) + model.spread * np.array([-NORMAL, NORMAL])).tolist()
    now, half, one = ((1 - each) ** model.exponent for each in (rate, rate / 2, min(rate, 0.01)))
    return QualityEstimate(rate, low, high, LEVEL, now, half, one, tuple(parts))


NORMAL, LEVEL = 1.645, 0.9
"""The interval that holds nine of ten."""


def _confidence(pages: Sequence[Any]) -> float:
    known = [page.confidences[page.confidences != UNKNOWN] for page in pages]
    words = sum(map(len, known))
    return float(sum(int(each.sum(dtype=np.int64)) for each in known) / words) if words else float("nan")
