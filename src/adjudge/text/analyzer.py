"""An analyzer turns texts into terms: a tokenizer, and filters one after the other.

words|lower|stop(smart)|porter
standard(dashes=true)|lower
words|lower|stop(smart)|ngrams(4, pad=_)
ngrams(4, pad=_)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from ..core.errors import SpecError
from ..core.spec import Spec, parse_pipeline
from .token_filter import Chain, Filter, filters
from .tokenizer import Tokenizer, tokenizers
from .tokens import Tokens


@dataclass(frozen=True)
class Analyzer:
    """From text to terms; ``Analyzer.parse(str(analyzer)) == analyzer``.

    >>> Analyzer.parse("words|lower|stop(smart)|porter").terms("The relational models of retrieval")
    ['relat', 'model', 'retriev']
    """

    tokenizer: Tokenizer
    filters: tuple[Filter, ...] = ()

    @classmethod
    def parse(cls, spec: str) -> Analyzer:
        """The analyzer that a spec string asks for."""
        return parse_pipeline(spec, "analyzer", cls._make)

    @classmethod
    def _make(cls, parts: list[Spec]) -> Analyzer:
        for i, (name, _, _) in enumerate(parts):
            here, there = (filters, tokenizers) if i else (tokenizers, filters)
            if here.name_of(name) is None and there.name_of(name) is not None:
                place = "stands first" if i else "comes after a tokenizer"
                choice = f"; tokenizers are {', '.join(tokenizers.names)}" if not i else ""
                spec = "|".join(map(str, parts))
                raise SpecError(f"analyzer {spec!r}: {name} is a {there.kind} and {place}{choice}")
        return cls(tokenizers.make(parts[0]), tuple(map(filters.make, parts[1:])))

    def __str__(self) -> str:
        return "|".join(map(str, (self.tokenizer, *self.filters)))

    def __call__(self, texts: Sequence[str], spans: bool = False) -> Tokens:
        """The terms of a batch of texts, and where they stand if asked for."""
        tokens = self.tokenizer(texts, spans)
        for chain in self.chains:
            tokens = chain(tokens)
        return tokens

    @cached_property
    def chains(self) -> tuple[Chain | Callable[[Tokens], Tokens], ...]:
        """The filters, those joined that decide type by type."""
        stages: list[Chain | Callable[[Tokens], Tokens]] = []
        for by_type, group in groupby(self.filters, lambda each: each.by_type):
            some = tuple(group)
            stages += [Chain(some)] if by_type else [each.apply for each in some]
        return tuple(stages)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).parse, (str(self),)

    def terms(self, text: str) -> list[str]:
        """The terms of one text."""
        return self([text]).of(0)
