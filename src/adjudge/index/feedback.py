"""Relevance feedback: terms of the best documents, with weights, to be searched again.

One function serves all systems; they differ in how many documents and terms they take, how terms are chosen, and what
weight an added term gets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..core.errors import SpecError, did_you_mean
from ..core.spec import is_count, is_number

if TYPE_CHECKING:
    from .query import Query
    from .searching import Hits, Searcher

Integers = npt.NDArray[Any]
CHOICES = ("n_idf", "df_idf", "rocchio")
WEIGHTS = ("constant", "frequency", "rocchio")


def vectors(searcher: Searcher, documents: Integers) -> tuple[Integers, Integers, npt.NDArray[np.float64]]:
    """The terms of some documents: (place in ``documents``, term, frequency), from one pass over the index."""
    index = searcher.index
    place = np.full(len(index), -1, np.int32)
    place[documents] = np.arange(len(documents))
    rows = []
    for first, last, postings, tf in index.pieces():
        at = place[postings]
        inside = np.flatnonzero(at >= 0)
        offsets = index.arrays["offsets"][first : last + 1].astype(np.int64)
        terms = first + np.searchsorted(offsets - offsets[0], inside, "right") - 1
        rows.append((at[inside], terms, tf[inside]))
    if not rows:
        return np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0)
    at, terms, frequencies = (np.concatenate(column) for column in zip(*rows, strict=True))
    wanted = ~np.isin(terms, list(searcher.without))
    return at[wanted], terms[wanted], frequencies[wanted]


def feedback(
    searcher: Searcher,
    hits: Hits,
    query: str | Mapping[str, float] | Query | None = None,
    *,
    documents: int = 10,
    terms: int = 20,
    choose: str = "n_idf",
    weight: float = 0.4,
    weigh: str = "constant",
    new_only: bool = True,
) -> dict[str, float]:
    """The query and the terms that the best documents add to it, as {term: weight}.

    - ``documents`` is how many of the hits are believed; those with a score of 0 or below are not, unless the
      weighting is a likelihood, whose scores are logarithms.
    - ``choose`` ranks terms: ``n_idf`` by n · idf, n the occurrences in these documents; ``df_idf`` by the number of
      these documents that have the term, times idf; ``rocchio`` by the mean of tf · idf over documents of length 1.
      idf = ln(N / df); ties go alphabetically; terms with 0 are not taken.
    - ``weigh`` gives the weight of an added term: ``constant`` the weight; ``frequency`` the weight times n;
      ``rocchio`` the weight times the term's mean share in the documents, the highest taken as 1. A weighting
      multiplies with idf itself.
    - ``new_only`` skips terms that the query has; otherwise the weight is added to theirs.
    """
    queries = [{} if query is None else query]
    return expand(
        searcher, [hits], queries, documents=documents, terms=terms, choose=choose, weight=weight, weigh=weigh,
        new_only=new_only,
    )[0]  # fmt: skip


def expand(
    searcher: Searcher,
    answers: Sequence[Hits],
    queries: Sequence[str | Mapping[str, float] | Query],
    *,
    documents: int = 10,
    terms: int = 20,
    choose: str = "n_idf",
    weight: float = 0.4,
    weigh: str = "constant",
    new_only: bool = True,
) -> list[dict[str, float]]:
    """:func:`feedback` for many queries, with one pass over the index for all of them."""
    if not is_count(documents) or not is_count(terms):
        raise SpecError(f"feedback takes at least one document and one term, not {documents} and {terms}")
    if not is_number(weight):
        raise SpecError(f"the weight of feedback must be a number, not {weight}")
    for value, known in ((choose, CHOICES), (weigh, WEIGHTS)):
        if value not in known:
            raise SpecError(f"feedback knows {', '.join(known)}, not {value!r}{did_you_mean(value, list(known))}")
    believed = [hits.documents[(hits.scores > 0) | searcher.weighting.logarithmic][:documents] for hits in answers]
    every = np.unique(np.concatenate([np.zeros(0, np.int64), *believed]))
    at, term_numbers, tf = vectors(searcher, every)
    order = np.argsort(at, kind="stable")
    at, term_numbers, tf = at[order], term_numbers[order], tf[order]
    begins = np.searchsorted(at, np.arange(len(every) + 1))
    expansions = []
    for query, best in zip(queries, believed, strict=True):
        more = dict(searcher.parse(query).weights())
        expansions.append(more)
        if not len(best):
            continue
        places = np.searchsorted(every, best).tolist()
        rows = np.concatenate([np.arange(begins[p], begins[p + 1]) for p in places])
        which = np.repeat(np.arange(len(best)), [begins[p + 1] - begins[p] for p in places])
        figures, numbers = _figures(searcher, which, term_numbers[rows], tf[rows], len(best))
        chosen = np.argsort(-figures[choose], kind="stable")  # numbers ascend with the bytes of their terms
        have = {searcher.number(term) for term in more} if new_only else set()
        added = [i for i in chosen.tolist() if figures[choose][i] > 0 and int(numbers[i]) not in have][:terms]
        share = figures["rocchio"]
        top = max((share[i] for i in added), default=1.0)
        for i in added:
            factor = {"constant": 1.0, "frequency": figures["n"][i], "rocchio": share[i] / top}[weigh]
            name = searcher.index.name(int(numbers[i]))
            more[name] = more.get(name, 0.0) + weight * float(factor)
    return expansions


def _figures(
    searcher: Searcher, at: Integers, terms: Integers, tf: npt.NDArray[np.float64], documents: int
) -> tuple[dict[str, npt.NDArray[np.float64]], Integers]:
    """What terms are chosen by, for every term of the documents."""
    numbers, which = np.unique(terms, return_inverse=True)
    offsets = searcher.index.arrays["offsets"]
    df = offsets[numbers + 1].astype(np.float64) - offsets[numbers]
    idf = np.log(len(searcher.index) / df)
    n = np.bincount(which, weights=tf)
    weights = tf * idf[which]
    norms = np.sqrt(np.bincount(at, weights=weights**2, minlength=documents))
    shares = np.divide(weights, norms[at], out=np.zeros(len(weights)), where=norms[at] > 0)
    mean = np.bincount(which, weights=shares) / documents
    return {"n": n, "n_idf": n * idf, "df_idf": np.bincount(which) * idf, "rocchio": mean}, numbers
