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
from .filter import Chain, Filter, filters
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
        parts = _parts(spec)
        if not all(parts):
            raise SpecError(f"analyzer {spec!r} is not of the form tokenizer|filter|filter…")
        for i, part in enumerate(parts):
            name = part.partition("(")[0].strip()
            here, there = (filters, tokenizers) if i else (tokenizers, filters)
            if name in there.names and name not in here.names:
                place = "stands first" if i else "comes after a tokenizer"
                choice = f"; tokenizers are {', '.join(tokenizers.names)}" if not i else ""
                raise SpecError(f"analyzer {spec!r}: {name} is a {there.kind} and {place}{choice}")
        return cls(tokenizers.parse(parts[0]), tuple(filters.parse(part) for part in parts[1:]))

    def __str__(self) -> str:
        return "|".join(map(str, (self.tokenizer, *self.filters)))

    def __call__(self, texts: Sequence[str], spans: bool = False) -> Tokens:
        """The terms of a batch of texts, and where they stand if asked for."""
        tokens = self.tokenizer(texts, spans)
        for chain in self._chains:
            tokens = chain(tokens)
        return tokens

    @cached_property
    def _chains(self) -> tuple[Chain | Callable[[Tokens], Tokens], ...]:
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


def _parts(spec: str) -> list[str]:
    """The parts between bars; a bar inside parentheses is part of a parameter."""
    parts, depth = [""], 0
    for character in spec:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "|" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
