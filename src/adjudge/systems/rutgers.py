"""Rutgers SCILS APLab: double-dot 5-grams, the average over lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ..core.document import Document, batches
from ..core.kernel import THREADS
from ..core.note import Note
from ..core.run import Run
from ..core.spec import is_count, require
from .parts.content import content_words
from .parts.double_dot import LONGEST_GRAM, WIDEST_GAP, DoubleDots, patterns
from .parts.leaders import Leaders
from .parts.version import Aids, Version
from .system import System, Topics

BATCH = 2_000_000
"""Characters of documents that a thread counts in one go."""
COUNTS = ("starts", "binary")
MEANS = ("lines", "matching")

Scored = tuple[list[str], npt.NDArray[np.float64]]


@dataclass(frozen=True)
class Rutgers(System):
    """Matches of 5-grams with one don't-care character, averaged over the lines of a document: rutcf.

    Formula: the words of the question without stop words give their different grams of ``n`` characters, none across
    the ends of words; a shorter word is a gram. Every character of a gram in turn is replaced by one that stands for 0
    to ``gap`` others of the same line. The score of a line is the number of these patterns that match in it, that of a
    document the mean over its lines that are not blank. Case is ignored. One pass over the text serves all questions.

    Parameters: ``n`` in [2, 9] (5) and ``gap`` in [0, 8] (2), as in the paper; three that the paper leaves open:
    ``count`` (binary: a pattern counts once in a line; starts: at every place where a match begins), ``width`` (none
    for the lines that the text has), the characters of a line when the words of the text are set anew, and ``mean``
    (lines: over all lines that are not blank; matching: over the lines with a match); and ``min_literal`` (1), the
    characters that a pattern has beside the don't-care character at least: 3 leaves out those of words shorter than 4,
    which match nearly everywhere, and which the paper does not leave out. A document with short lines has a lower
    score than the same text in long ones: where not all documents have lines of one kind, ``width=72`` makes them so.

    No value: a question without a word that is no stop word finds nothing; a document without lines has no score.

    Paper: Kantor, Voorhees, The TREC-5 Confusion Track (Information Retrieval 2, 2000), section 3. Two grams of a
    question that share a pattern both count it; a don't-care character at an end of a gram leaves the rest anywhere.

    Example: for red balloon there are 18 patterns. A document of the lines "the red balloon", "" and "nothing here"
    has (18 + 1) / 2 = 9.5; with ``width=72`` it is one line and has 18.
    """

    name: ClassVar[str] = "rutgers"

    n: int = 5
    gap: int = 2
    count: str = "binary"
    mean: str = "lines"
    width: int | None = None
    min_literal: int = 1

    def __post_init__(self) -> None:
        require(
            self, "n", is_count(self.n) and 2 <= self.n <= LONGEST_GRAM, f"be a whole number in [2, {LONGEST_GRAM}]"
        )
        fine = (self.gap == 0 or is_count(self.gap)) and self.gap is not False and self.gap <= WIDEST_GAP
        require(self, "gap", fine, f"be a whole number in [0, {WIDEST_GAP}]")
        require(self, "count", self.count in COUNTS, "be starts or binary")
        require(self, "mean", self.mean in MEANS, "be lines or matching")
        require(self, "width", self.width is None or is_count(self.width), "be a whole number, 1 or more, or none")
        require(self, "min_literal", is_count(self.min_literal), "be a whole number, 1 or more")

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        asked = {}
        for topic, question in topics.items():
            asked[topic] = patterns(content_words(question), self.n, self.min_literal)
            if not asked[topic]:
                version.progress.note(Note.of("no_gram", topic))
                del asked[topic]
        leaders = Leaders(len(asked), k)
        if asked:
            dots = DoubleDots.of(list(asked.values()), self.gap)
            for ids, scores in self._scores(version, dots):
                leaders.add(ids, scores)
        rows = []
        for i, topic in enumerate(asked):
            best = leaders.best(i)
            if not best:
                version.progress.note(Note.of("no_gram_matches", topic))
            rows += [(topic, document, score) for document, score in best]
        names, documents, values = zip(*rows, strict=True) if rows else ((), (), ())
        return Run.of_columns(names, documents, np.array(values, float), str(self), name=str(self))

    def _scores(self, version: Version, dots: DoubleDots) -> Iterator[Scored]:
        """The scores of all documents, batch by batch: this thread reads, others count, and no batch waits long."""

        def score(batch: list[Document]) -> Scored:
            texts = [document.text if self.width is None else set_anew(document.text, self.width) for document in batch]
            if self.mean == "matching":
                return [document.id for document in batch], self._matching(texts, dots)
            sums, lines = dots.count(texts, binary=self.count == "binary")
            return [document.id for document in batch], sums / np.maximum(lines, 1)[:, None]

        waiting: deque[Future[Scored]] = deque()
        with ThreadPoolExecutor(THREADS) as pool:
            for batch in batches(version.documents, BATCH):
                waiting.append(pool.submit(score, batch))
                if len(waiting) > THREADS:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def _matching(self, texts: Sequence[str], dots: DoubleDots) -> npt.NDArray[np.float64]:
        """texts × questions: the mean over the lines with a match, 0 where there is none."""
        lines = [(i, line) for i, text in enumerate(texts) for line in text.split("\n") if line.strip()]
        counts, _ = dots.count([line for _, line in lines], binary=self.count == "binary")
        owners = np.array([i for i, _ in lines], np.int64)
        sums, hits = np.zeros((len(texts), counts.shape[1])), np.zeros((len(texts), counts.shape[1]))
        np.add.at(sums, owners, counts)
        np.add.at(hits, owners, counts > 0)
        return sums / np.maximum(hits, 1)


def set_anew(text: str, width: int) -> str:
    """The words of a text in lines of so many characters at most; a longer word has a line of its own.

    >>> set_anew("the red\\nballoon of the boy", 11)
    'the red\\nballoon of\\nthe boy'
    """
    lines: list[str] = []
    room = -1
    for word in text.split():
        if len(word) < room:
            lines[-1] += f" {word}"
            room -= len(word) + 1
        else:
            lines.append(word)
            room = width - len(word)
    return "\n".join(lines)
