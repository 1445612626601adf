"""A topic: an information need."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """What the searcher wants, in as many forms as the collection gives; a form that it does not give is empty."""

    id: str
    title: str = ""
    description: str = ""
    narrative: str = ""
    sentences: tuple[str, ...] = ()
