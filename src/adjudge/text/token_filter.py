"""What a filter is: it changes, drops or multiplies tokens, and decides that once for each different token."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import chain, count, repeat
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..core.kernel import native
from ..core.registry import Registry
from .part import AnalyzerPart
from .splitting import number_types, offsets_of
from .tokens import Tokens

compiled: Any = native("splitting")

Image = str | tuple[str, ...] | None
"""What becomes of a token: another one, several, or nothing."""


MOST_KEPT, MOST_CHARACTERS = 1_000_000, 16_000_000
"""Types whose images are kept, and their characters: a word has about as many n-grams as characters."""


UNKNOWN = object()
"""Stands for the image of a type of which nothing was decided yet; None is an image."""


class Filter(AnalyzerPart, ABC):
    """Called with different tokens it says what becomes of each; ``apply`` does it with the tokens of a batch."""

    ascii: ClassVar[str] = ""
    """What becomes of a token of ASCII alone, if that is so simple: ``lower`` is its lower case, and ``same`` is itself
    if it is in lower case. Of other tokens something must become that is one token, too."""

    @abstractmethod
    def __call__(self, types: Sequence[str]) -> Sequence[Image]:
        """A token or several for each token, None if it is dropped."""

    @property
    def by_type(self) -> bool:
        """Whether what becomes of a token depends on nothing but the token."""
        return True

    def apply(self, tokens: Tokens) -> Tokens:
        """The tokens after the filter. Those that stay keep their places; several made of one share its place."""
        return map_types(tokens, self(tokens.types))


class Chain:
    """Filters that decide type by type as one; what became of a type is kept for the next batch."""

    def __init__(self, filters: tuple[Filter, ...]) -> None:
        self.filters = filters
        self._images: dict[str, Image] = {}
        self._characters = 0

    def __call__(self, tokens: Tokens) -> Tokens:
        known = self._images
        images: list[Any] = list(map(known.get, tokens.types, repeat(UNKNOWN)))
        if UNKNOWN in images:
            fresh = [word for word, image in zip(tokens.types, images, strict=True) if image is UNKNOWN]
            self._characters += sum(map(len, fresh))
            if len(known) + len(fresh) > MOST_KEPT or self._characters > MOST_CHARACTERS:
                known = self._images = {}
                fresh = list(tokens.types)
                self._characters = sum(map(len, fresh))
            known.update(zip(fresh, self.through(fresh), strict=True))
            images = [known[word] for word in tokens.types]
        return map_types(tokens, images)

    @property
    def lowers(self) -> bool:
        """Whether tokens of ASCII only become their lower case, and others one token each."""
        kinds = [each.ascii for each in self.filters]
        return "lower" in kinds and all(kinds)

    def through(self, types: list[str]) -> list[Image]:
        """What becomes of types after all filters."""
        images: list[Image] = list(types)
        for each in self.filters:
            if tuple not in set(map(type, images)):
                single: list[Any] = list(dict.fromkeys(filter(None, images)))
                became_of: dict[Image, Image] = dict(zip(single, each(single), strict=True))
                became_of[None] = became_of[""] = None
                images = list(map(became_of.__getitem__, images))
                continue
            words = list(dict.fromkeys(word for image in images for word in _words(image)))
            became = dict(zip(words, each(words), strict=True))
            images = [
                became[image] if image and isinstance(image, str) else _join([became[word] for word in _words(image)])
                for image in images
            ]
        return images


def _words(image: Image) -> tuple[str, ...]:
    return () if not image else (image,) if isinstance(image, str) else image


def _join(images: Sequence[Image]) -> Image:
    return tuple(word for image in images for word in _words(image)) or None


def map_types(tokens: Tokens, images: Sequence[Image]) -> Tokens:
    """Tokens with every type replaced by its image."""
    if tuple in set(map(type, images)):
        return _multiply(tokens, images)
    types: list[str] = [image for image in dict.fromkeys(images) if image]  # type: ignore[misc]
    numbers: dict[Image, int] = dict(zip(types, count()))
    table = np.fromiter(map(numbers.get, images, repeat(-1)), np.int32, len(images))
    return renumber(tokens, types, table)


def renumber(tokens: Tokens, types: list[str], table: npt.NDArray[np.int32]) -> Tokens:
    """Tokens whose types have other numbers, those of ``types``; where a table has -1 the token is dropped."""
    if table.size == 0 or table.min() >= 0:
        return Tokens(types, table[tokens.ids], tokens.offsets, tokens.given_places, tokens.spans)
    if compiled is not None:
        return _renumber(tokens, types, table)
    ids = table[tokens.ids]
    keep = ids >= 0
    offsets = offsets_of(keep)[tokens.offsets]
    spans = None if tokens.spans is None else tokens.spans[keep]
    return Tokens(types, ids[keep], offsets, tokens.places[keep], spans)


def _renumber(tokens: Tokens, types: list[str], table: npt.NDArray[np.int32]) -> Tokens:
    """The same with the kernel."""
    n, spans = len(tokens.ids), tokens.spans
    out, where, ends = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(len(tokens.offsets), np.int64)
    out_spans = None if spans is None else np.empty_like(spans)
    columns = table, tokens.ids, tokens.offsets, tokens.given_places, spans, out, ends, where, out_spans
    left = compiled.renumber(*columns)
    return Tokens(types, out[:left], ends, where[:left], None if out_spans is None else out_spans[:left])


def _multiply(tokens: Tokens, images: Sequence[Image]) -> Tokens:
    several = [image if isinstance(image, tuple) else (image,) if image else () for image in images]
    sizes = np.fromiter(map(len, several), np.int32, len(several))
    types, flat = number_types(chain.from_iterable(several), int(sizes.sum()))
    first = offsets_of(sizes)
    times = sizes[tokens.ids]
    ends = offsets_of(times)
    # The j-th term of token i stands at first[type] + j; ends[i] + j counts through all terms, so one shift does.
    index = np.repeat(first[tokens.ids] - ends[:-1], times)
    index += np.arange(len(index))
    spans = None if tokens.spans is None else np.repeat(tokens.spans, times, axis=0)
    return Tokens(types, flat[index], ends[tokens.offsets], np.repeat(tokens.places, times), spans)


filters: Registry[Filter] = Registry("filter", "adjudge.text.filters", Filter)
