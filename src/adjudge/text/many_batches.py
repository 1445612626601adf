"""An analyzer for many batches of texts: what becomes of a type is decided when it is first met.

Where the compiled loops know the tokenizer and every filter makes one token of one, types keep their numbers from batch
to batch, and only new types are looked at in Python. Otherwise each batch is analyzed by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat

import numpy as np

from .analyzer import Analyzer
from .splitting import COMPILED, Vocabulary, compiled
from .token_filter import MOST_CHARACTERS, MOST_KEPT, Chain, renumber
from .tokenizer import RuleTokenizer
from .tokens import Numbers, Tokens


class ManyBatches:
    """Called with batches of texts it gives their tokens; terms are numbered through all of them. For one thread."""

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer = analyzer
        self.generation = 0
        """Changes when the terms begin anew."""
        self.terms: dict[str, int] = {}
        """The number of each term that was met."""
        tokenizer, chains = analyzer.tokenizer, analyzer.chains
        quick = isinstance(tokenizer, RuleTokenizer) and compiled is not None and tokenizer.rule().name in COMPILED
        self._quick = quick and len(chains) <= 1 and all(isinstance(chain, Chain) for chain in chains)
        self._lowers = next((chain for chain in chains if isinstance(chain, Chain) and chain.lowers), None)
        """What all is done to a token, if the loop that finds it can do that."""
        self._begin()

    def _begin(self) -> None:
        self.generation += 1
        self.terms = {}
        self._names: list[str] = []
        """The terms in the order of their numbers; this one list gets longer from batch to batch."""
        self._vocabulary = Vocabulary(None if self._lowers is None else self._lowers.through) if self._quick else None
        self._characters = self._known = 0
        self._table: Numbers = np.zeros(0, np.int32)
        """The number of the term that became of each type, -1 if none did."""

    def __call__(self, texts: Sequence[str], spans: bool = False) -> Tokens:
        """The tokens of a batch, their types in the order of :attr:`terms`."""
        if max(len(self.terms), self._known) > MOST_KEPT or self._characters > MOST_CHARACTERS:
            self._begin()
        if self._vocabulary is not None and isinstance(self.analyzer.tokenizer, RuleTokenizer):
            tokens = self.analyzer.tokenizer(texts, spans, self._vocabulary)
            if tokens.types is self._vocabulary.types and self._look(tokens.types):
                return tokens if self._lowers is not None else renumber(tokens, self._names, self._table)
            self._quick = False  # a token that must be cut, or several tokens from one: not with numbers that stay
            self._begin()
        tokens = self.analyzer(texts, spans)
        self._characters += sum(map(len, tokens.types))
        numbers = [self.terms.setdefault(term, len(self.terms)) for term in tokens.types]
        return replace(tokens, types=list(self.terms), ids=np.array(numbers, np.int32)[tokens.ids])

    def _look(self, types: Sequence[str]) -> bool:
        """Decide what becomes of types that are new; False if one becomes several."""
        if self._lowers is not None:
            self._characters += sum(map(len, types[self._known :]))
            self._known = len(types)
            return True
        fresh = types[len(self._table) :]
        images: Sequence[str | tuple[str, ...] | None] = fresh
        for chain in self.analyzer.chains:
            images = chain.through(list(fresh)) if isinstance(chain, Chain) else ()
        self._characters += sum(map(len, fresh))
        if tuple in set(map(type, images)):
            return False
        single: Sequence[str | None] = images  # type: ignore[assignment]
        # In order, because terms that come in sorted runs are sorted the sooner when an index is written.
        for term in sorted(set(filter(None, single)).difference(self.terms)):
            self.terms[term] = len(self.terms)
            self._names.append(term)
        numbers = map(self.terms.get, single, repeat(-1))  # type: ignore[arg-type]  # None is no term either
        self._table = np.concatenate([self._table, np.fromiter(numbers, np.int32, len(single))])
        return True
