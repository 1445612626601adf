"""From documents to technical terms: tagged, filtered, counted, valued."""

from __future__ import annotations

import re
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.document import Documents
from ..core.errors import AdjudgeError, DataError, SpecError
from ..core.progress import SILENT, Listener
from ..core.spec import is_count, is_number
from ..storage.lock import locked
from ..storage.replace import sweep
from ..text.tagging.tagger import Tagger, taggers
from .candidates import STOP_LIST, Candidates, Coding, Rules, count
from .cvalue import c_values
from .linguistic_filter import linguistic_filters
from .ncvalue import TOP, Keys, nc_values
from .tagged_corpus import CorpusCounts, TaggedCorpus, tag_corpus
from .terms import Terms
from .word_columns import TOKENIZER

Integers = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
LARGE = 100_000_000
"""Characters from which a candidate must occur three times and not twice."""
LOCK = "lock"
OURS = re.compile(r"[0-9a-f]{32}\.npz")
"""Files of batches."""
SAFE = 6
"""Words that are together shorter than the longest token, whatever they are."""
"""Hears what is being done, and how much of how much is done."""


@dataclass(frozen=True)
class TermSettings:
    """How terms are found; the defaults are those of the documentation."""

    tagger: str = "lexicon"
    filter: str = "open"
    shortest: int = 2
    longest: int = 6
    min_frequency: int | None = None
    """None: 2, and 3 for a corpus of more than 100 million characters."""
    min_c: float = 0.0
    nc: bool = False
    nc_top: int = TOP
    frequent: int = 0
    stop_list: tuple[str, ...] = field(default=STOP_LIST)
    merge_dashes: bool = False

    def __post_init__(self) -> None:
        if self.min_frequency is not None and not is_count(self.min_frequency):
            raise SpecError(f"the least frequency must be a whole number, 1 or more, not {self.min_frequency}")
        if not is_number(self.min_c):
            raise SpecError(f"the least C-value must be a number, not {self.min_c}")
        if not is_count(self.nc_top):
            raise SpecError(f"the number of best terms must be a whole number, 1 or more, not {self.nc_top}")
        self.rules()
        self.parse_tagger()

    def rules(self) -> Rules:
        """What may be a candidate."""
        rules = linguistic_filters.parse(self.filter)
        return Rules(rules, self.shortest, self.longest, self.frequent, self.stop_list, self.merge_dashes)

    def parse_tagger(self) -> Tagger:
        return taggers.parse(self.tagger)

    def least(self, characters: int) -> int:
        """How often a candidate must occur in so large a corpus."""
        return self.min_frequency or (3 if characters > LARGE else 2)


class NoTermError(DataError):
    """A corpus has no multi-word term, and nothing else is wrong with it."""


@dataclass(frozen=True, eq=False)
class Extraction:
    """Terms, and what they come from."""

    terms: Terms
    counts: CorpusCounts
    candidates: int
    """Classes of candidates that were frequent enough."""
    least: int
    stopped: frozenset[str]


def extract(
    documents: Documents,
    settings: TermSettings | None = None,
    *,
    folder: Path | None = None,
    progress: Listener = SILENT,
) -> Extraction:
    """The technical terms of documents, the best first.

    The tagged corpus is kept in ``folder`` while it is worked on, and removed when the terms are there: work that was
    killed goes on if it is called again; two at a time are refused. Without a folder it is a temporary one. A corpus
    without a term is an error.
    """
    settings = settings or TermSettings()
    tagger = settings.parse_tagger()
    tagger.version()  # what is missing is reported before the work
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="adjudge-terms-") as scratch:
            return _extract(documents, settings, tagger, Path(scratch), progress)
    try:
        with locked(folder, LOCK, busy="terms are being found there already"):
            try:
                terms = _extract(documents, settings, tagger, folder, progress)
            except AdjudgeError:  # the documents are wrong, or the disk is full: nothing to go on with
                sweep_batches(folder)
                raise
            sweep_batches(folder)
    finally:
        with suppress(OSError):  # a job that was killed made it, or something else is in it
            folder.rmdir()
    return terms


def sweep_batches(folder: Path) -> None:
    """Remove the files of a tagged corpus, whole or half written."""
    for path in list(folder.iterdir()):
        if OURS.fullmatch(path.name):
            path.unlink(missing_ok=True)
    sweep(folder)


def _extract(
    documents: Documents, settings: TermSettings, tagger: Tagger, folder: Path, progress: Listener
) -> Extraction:
    corpus = tag_corpus(documents, tagger, folder, progress=progress)
    if not corpus.counts.documents:
        raise DataError("no documents to find terms in")
    rules, least = settings.rules(), settings.least(corpus.counts.characters)
    candidates = count(corpus, rules, least=least, progress=progress)
    values = c_values(
        candidates.classes,
        candidates.frequencies,
        least=settings.min_c,
        singular=candidates.singular,
        single_words=rules.shortest == 1,
    )
    if not (values >= settings.min_c).any():
        raise NoTermError(nothing(corpus.counts, len(candidates), least, settings))
    nc = None
    if settings.nc:
        with progress.work("contexts"):
            nc = _nc(corpus, Coding(rules, corpus.vocabulary, candidates.stopped), candidates, values, settings)
    terms = _terms(candidates, values, nc, settings)
    return Extraction(terms, corpus.counts, len(candidates), least, candidates.stopped)


def nothing(counts: CorpusCounts, candidates: int, least: int, settings: TermSettings) -> str:
    """Why there is no term."""
    if candidates:
        return f"no term has a C-value of {settings.min_c:g} or more: there are {candidates:,} candidates"
    size = f"{counts.documents:,} document{'' if counts.documents == 1 else 's'}, {counts.tokens:,} words"
    often = "" if least == 1 else f" {least} times"
    return (
        f"no multi-word term: no sequence of {settings.shortest} to {settings.longest} words that the filter "
        f"{settings.filter} lets pass occurs{often} ({size})"
    )


def _nc(corpus: TaggedCorpus, coding: Coding, candidates: Candidates, values: Floats, settings: TermSettings) -> Floats:
    """NC-values of accepted classes, whose forms are looked up by their keys."""
    lower, singular = corpus.vocabulary.lower, corpus.vocabulary.singular
    accepted = values >= settings.min_c
    own = np.flatnonzero(accepted[candidates.class_of])
    rows = np.where(candidates.forms[own] >= 0, lower[candidates.forms[own]], -1)
    keys = Keys.of(rows, candidates.class_of[own], singular)
    best = _best(candidates, values, np.flatnonzero(accepted), settings.nc_top)
    return nc_values(corpus, coding, keys, np.where(accepted, values, np.nan), best)


def _best(candidates: Candidates, values: Floats, accepted: Integers, top: int) -> Integers:
    """Which classes are the best by C-value; equal ones by frequency and name, as the order of candidates is chance."""
    best = np.zeros(len(candidates), bool)
    least = np.sort(values[accepted])[-min(top, len(accepted))]
    best[accepted[values[accepted] > least]] = True
    level = accepted[values[accepted] == least].tolist()
    level.sort(key=lambda i: (-int(candidates.frequencies[i]), candidates.name(i)))
    best[level[: top - int(best.sum())]] = True
    return best


def _terms(candidates: Candidates, values: Floats, nc: Floats | None, settings: TermSettings) -> Terms:
    """The accepted classes as a table, the best first; equal values by frequency and name."""
    accepted = np.flatnonzero(values >= settings.min_c)
    names = [" ".join([candidates.names[w] for w in row if w >= 0]) for row in candidates.classes[accepted].tolist()]
    if settings.longest > SAFE:  # words of 40 characters each would not fit into one token
        fits = np.array([len(name) <= TOKENIZER.longest for name in names], bool)
        accepted, names = accepted[fits], [name for name, fine in zip(names, fits.tolist(), strict=True) if fine]
    by = values[accepted] if nc is None else nc[accepted]
    order = sorted(range(len(accepted)), key=lambda i: (-by[i], -int(candidates.frequencies[accepted[i]]), names[i]))
    ranked = accepted[order]
    place = np.full(len(candidates), -1, np.int64)
    place[ranked] = np.arange(len(ranked))
    rows = np.flatnonzero(place[candidates.class_of] >= 0)
    written = [" ".join([candidates.written[w] for w in row if w >= 0]) for row in candidates.forms[rows].tolist()]
    of = place[candidates.class_of[rows]]
    frequencies = candidates.form_frequencies[rows]
    inner = sorted(range(len(rows)), key=lambda i: (int(of[i]), -int(frequencies[i]), written[i]))
    sizes = np.bincount(of, minlength=len(ranked)) if len(of) else np.zeros(len(ranked), np.int64)
    return Terms(
        [names[i] for i in order],
        candidates.frequencies[ranked],
        values[ranked],
        None if nc is None else nc[ranked],
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        [written[i] for i in inner],
        frequencies[inner],
    )
