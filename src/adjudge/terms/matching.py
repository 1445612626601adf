"""Finding terms in texts: by their keys, so that a text may have a form that the corpus never had."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError, SpecError
from ..text.tokens import Tokens
from .forms import JOIN, in_lower_case, plain
from .singular import singular
from .tally import Tally, longest_matches
from .terms import Terms
from .word_columns import TOKENIZER, TextWords

Integers = npt.NDArray[Any]
POLICIES = ("longest", "all")
NONE = -1
LONGEST = 64
"""Words of a term."""


class Matches(NamedTuple):
    """Terms in a batch of texts: the token where each begins, how many words it has, and which term it is.

    They come in the order of their starts, the longer ones of a start first.
    """

    starts: Integers
    lengths: Integers
    terms: Integers


@dataclass(frozen=True, eq=False)
class Matcher:
    """The keys of terms, ready to be found."""

    tokens: Sequence[str]
    """The token that stands for each term."""
    keys: Tally
    term_of: Integers
    """The term of each key."""
    numbers: dict[str, int]
    """The words of all keys, in lower case."""
    singular: Integers
    """The number of the singular of each word; then the same for other forms of these words, which are in no key."""
    reach: Integers
    """How long the longest key is that begins with each word, or with another form of it."""

    @classmethod
    def of(cls, terms: Terms) -> Matcher:
        """For terms; two that have a form in common are ambiguous, and are refused."""
        names = _split(terms.names)
        every = [*names, *_split(terms.forms)]
        lacking = next((i for i, words in enumerate(every) if not words), None)
        if lacking is not None:
            what = "term" if lacking < len(names) else "form"
            raise DataError(f"the {what} {[*terms.names, *terms.forms][lacking]!r} has no word in it")
        numbers: dict[str, int] = {}
        ones: list[int] = []

        def number(word: str) -> int:
            if word not in numbers:
                numbers[word] = len(numbers)
                ones.append(numbers[word])
                if (stem := singular(word)) != word:
                    ones[numbers[word]] = number(stem)
            return numbers[word]

        of_form = np.repeat(np.arange(len(terms)), np.diff(terms.offsets))
        owners = np.concatenate([np.arange(len(terms)), of_form])
        sizes = np.fromiter(map(len, every), np.int64, len(every))
        flat = np.fromiter((number(word) for words in every for word in words), np.int32, int(sizes.sum()))
        longest = int(sizes.max(initial=1))
        if longest > LONGEST:
            long = terms.names[int(owners[int(sizes.argmax())])]
            raise DataError(f"the term {long[:60]!r} has {longest} words; {LONGEST} are too many already")
        keys = Tally(max(1, longest))
        last = np.array(ones, np.int32)
        starts = np.cumsum(sizes) - sizes
        own = keys.add(flat, starts, sizes.astype(np.uint8), last=last)
        term_of = np.full(len(keys), NONE, np.int64)
        real = own >= 0
        term_of[own[real]] = owners[real]
        clash = np.flatnonzero(term_of[own[real]] != owners[real])
        if len(clash):
            first, second = int(owners[real][clash[0]]), int(term_of[own[real][clash[0]]])
            raise DataError(f"the terms {terms.names[first]!r} and {terms.names[second]!r} have a form in common")
        reach = np.zeros(len(numbers), np.uint8)
        heads = flat[starts[real & (sizes > 1)]]
        np.maximum.at(reach, heads, sizes[real & (sizes > 1)].astype(np.uint8))
        alone = last[flat[starts[real & (sizes == 1)]]]  # a single word may stand there in the plural
        one_word = np.isin(last, alone)
        reach[one_word] = np.maximum(reach[one_word], 1)
        # Behind the words come their other forms, which no term has: they match as a last word only.
        others = np.where(one_word, 1, 0).astype(np.uint8)
        return cls(
            _tokens(names), keys, term_of, numbers, np.concatenate([last, last]), np.concatenate([reach, others])
        )

    def ids(self, tokens: Tokens) -> Integers:
        """The word of each token, -1 for words of no term."""
        known, types, size = self.numbers, in_lower_case(tokens.types), len(self.numbers)
        table = np.fromiter((known.get(word, NONE) for word in types), np.int32, len(types))
        for i in np.flatnonzero(table < 0).tolist():
            stem = known.get(singular(types[i]))
            if stem is not None:
                table[i] = size + stem
        return table[tokens.ids] if len(types) else tokens.ids

    def find(self, words: TextWords, policy: str = "longest") -> Matches:
        """The terms in texts: the longest from left to right without overlap, or all of them."""
        if policy not in POLICIES:
            raise SpecError(f"the policy must be {' or '.join(POLICIES)}, not {policy!r}")
        ids, breaks = self.ids(words.tokens), words.breaks
        # How many tokens from each on belong together: the distance to the next break.
        cuts = np.concatenate([[0], np.flatnonzero(breaks[1:]) + 1, [len(ids)]])
        room = np.repeat(cuts[1:], np.diff(cuts)) - np.arange(len(ids))
        reach = np.append(self.reach, 0)[ids]
        reach = np.minimum(reach, room)
        columns: list[Matches] = []
        for length in range(int(reach.max(initial=0)), 0, -1):
            at = np.flatnonzero(reach >= length)
            numbers = self.keys.find(ids, at, np.full(len(at), length, np.uint8), last=self.singular)
            real = numbers >= 0
            matches = at[real]
            columns.append(Matches(matches, np.full(len(matches), length, np.uint8), self.term_of[numbers[real]]))
        if not columns:
            return Matches(np.zeros(0, np.int64), np.zeros(0, np.uint8), np.zeros(0, np.int64))
        all_ = Matches(*(np.concatenate(column) for column in zip(*columns, strict=True)))
        order = np.argsort(all_.starts, kind="stable")  # longer ones came first and stay so
        all_ = Matches(*(column[order] for column in all_))
        if policy == "longest":
            taken = longest_matches(all_.starts, all_.lengths)
            all_ = Matches(*(column[taken] for column in all_))
        return all_


def _tokens(names: list[list[str]]) -> list[str]:
    """The token of each term, which must stay one when a text is cut into tokens."""
    tokens = [JOIN.join(words) for words in names]
    torn = np.flatnonzero(np.diff(TOKENIZER(tokens).offsets) != 1)
    if len(torn):
        raise DataError(f"the term {' '.join(names[int(torn[0])])[:60]!r} cannot be written as one token")
    if len(set(tokens)) < len(tokens):  # "a_b c" and "a b_c"
        first: dict[str, int] = {}
        for i, token in enumerate(tokens):
            if (other := first.setdefault(token, i)) != i:
                both = " and ".join(repr(" ".join(names[n])) for n in (other, i))
                raise DataError(f"the terms {both} would be one token, {token}")
    return tokens


def _split(names: Iterable[str]) -> list[list[str]]:
    """Names as tokens in lower case, cut as texts are."""
    tokens = TOKENIZER([plain(name) for name in names])
    lower = in_lower_case(tokens.types)
    ids, offsets = tokens.ids.tolist(), tokens.offsets.tolist()
    return [[lower[i] for i in ids[begin:end]] for begin, end in pairwise(offsets)]
